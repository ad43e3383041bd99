"""A `LanguageModel` with the weights of a GPT-2, read from its folder. Chapter 15."""

from helpers.language_model import LanguageModel, LanguageModelConfig
from helpers.layers import LayerNorm
from helpers.published.weights import add_padding, fill, naming, read_config, read_weights, rename

ACTIVATION_NAMES = {  # theirs: ours
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}
GPT2_DEFAULTS = {
    "vocab_size": 50257,
    "n_positions": 1024,
    "n_embd": 768,
    "n_layer": 12,
    "n_head": 12,
    "n_inner": None,
    "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-5,
    "tie_word_embeddings": True,
}
GPT2_FIXED = {
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
}
GPT2_NAMES = {  # theirs: ours; * is the number of a layer
    "wte": "embed.tokens",
    "wpe": "embed.positions",
    "h.*.ln_1": "decoder.layers.*.residuals.0.norm",
    "h.*.attn.q": "decoder.layers.*.attention.w_q",
    "h.*.attn.k": "decoder.layers.*.attention.w_k",
    "h.*.attn.v": "decoder.layers.*.attention.w_v",
    "h.*.attn.c_proj": "decoder.layers.*.attention.w_o",
    "h.*.ln_2": "decoder.layers.*.residuals.1.norm",
    "h.*.mlp.c_fc": "decoder.layers.*.feed_forward.linear1",
    "h.*.mlp.c_proj": "decoder.layers.*.feed_forward.linear2",
    "ln_f": "decoder.norm",
    "lm_head": "generator.linear",
}


def gpt2_weights(weights, n_layers, tied=True):
    """The weights of a GPT-2 under the names and in the shapes of a `LanguageModel`.

    Args:
        weights: {name: tensor}, with or without "transformer." in front.
        n_layers: number of layers.
        tied: whether the generator's weights are the table of the embedding.

    Returns:
        {name: tensor}, for `load_state_dict`.

    Raises:
        ValueError: as `rename` and `add_padding`.
    """
    theirs = {}
    for name, weight in weights.items():
        name = name.removeprefix("transformer.")
        if name.startswith("h."):
            weight = weight.t()  # of a linear layer: (in, out) becomes (out, in)
        if ".c_attn." in name:  # q, k and v are one matrix
            for part, rows in zip("qkv", weight.chunk(3), strict=True):
                theirs[name.replace("c_attn", part)] = rows
        else:
            theirs[name] = weight
    if tied:
        theirs.setdefault("lm_head.weight", theirs.get("wte.weight"))
    return add_padding(rename(theirs, GPT2_NAMES, n_layers), tied)


def load_gpt2(folder):
    """A `LanguageModel` that computes the logits of a GPT-2.

    GPT-2 has no padding: our vocabulary has one token more than its own, the last, that is never likely.

    Args:
        folder: with config.json and the weights, as `save_pretrained` of the transformers library writes
            them.

    Returns:
        The model, in evaluation.

    Raises:
        ValueError: the folder holds another kind of model, an option that ours lacks, or damaged weights.

    Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.3.
    """
    with naming("folder", folder):
        config = read_config(folder, "gpt2", GPT2_DEFAULTS, GPT2_FIXED)
        model = LanguageModel(
            LanguageModelConfig(
                config["vocab_size"] + 1,
                d_model=config["n_embd"],
                n_heads=config["n_head"],
                d_ff=config["n_inner"] or 4 * config["n_embd"],
                n_layers=config["n_layer"],
                dropout=0.0,
                activation=our_activation(config["activation_function"]),
                max_len=config["n_positions"],
                pad_id=config["vocab_size"],
                tie_generator=config["tie_word_embeddings"],
            )
        )
        for module in model.modules():
            if isinstance(module, LayerNorm):
                module.eps = config["layer_norm_epsilon"]
        fill(model, gpt2_weights(read_weights(folder), config["n_layer"], config["tie_word_embeddings"]))
    return model.eval()


def our_activation(name):
    """Our name of an activation.

    Args:
        name: that of the transformers library.

    Returns:
        A key of `ACTIVATIONS`.

    Raises:
        ValueError: ours has no such activation.
    """
    if name not in ACTIVATION_NAMES:
        known = ", ".join(ACTIVATION_NAMES)
        raise ValueError(f"activation_function is {name!r}; ours computes with {known} only")
    return ACTIVATION_NAMES[name]
