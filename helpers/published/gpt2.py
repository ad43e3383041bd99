"""A `LanguageModel` with the weights of a GPT-2, read from its folder. Chapter 15."""

import json
import math
from pathlib import Path

import torch

from helpers.language_model import LanguageModel, LanguageModelConfig

ACTIVATION_NAMES = {  # theirs: ours
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}


def load_gpt2(folder):
    """A `LanguageModel` that computes the logits of a GPT-2.

    GPT-2 has no padding: our vocabulary has one token more than its own, the last, that is never likely.

    Args:
        folder: with config.json and model.safetensors, as `save_pretrained` of the transformers library
            writes them.

    Returns:
        The model, in evaluation.

    Raises:
        ValueError: the folder holds another kind of model.

    Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.3.
    """
    from safetensors.torch import load_file  # comes with the transformers library

    config = json.loads((Path(folder) / "config.json").read_text("utf-8"))
    if config["model_type"] != "gpt2":
        raise ValueError(f"folder: {folder} holds a model of type {config['model_type']!r}; pass a GPT-2's")
    weights = load_file(Path(folder) / "model.safetensors")
    model = LanguageModel(
        LanguageModelConfig(
            config["vocab_size"] + 1,
            d_model=config["n_embd"],
            n_heads=config["n_head"],
            d_ff=config.get("n_inner") or 4 * config["n_embd"],
            n_layers=config["n_layer"],
            dropout=0.0,
            activation=ACTIVATION_NAMES[config["activation_function"]],
            max_len=config["n_positions"],
            pad_id=config["vocab_size"],
        )
    )
    model.load_state_dict(gpt2_weights(weights, config["n_layer"]))
    return model.eval()


def gpt2_weights(weights, n_layers):
    """The weights of a GPT-2 under the names and in the shapes of a `LanguageModel`.

    Args:
        weights: {name: tensor}, with or without "transformer." in front.
        n_layers: number of layers.

    Returns:
        {name: tensor}, for `load_state_dict`.
    """
    theirs = {name.removeprefix("transformer."): weight for name, weight in weights.items()}
    scale = math.sqrt(theirs["wte.weight"].size(1))  # √d_model
    table = torch.cat([theirs["wte.weight"], torch.zeros_like(theirs["wte.weight"][:1])]) / scale
    ours = {
        "tgt_embed.tokens.weight": table,
        "tgt_embed.positions.weight": theirs["wpe.weight"],
        "decoder.norm.weight": theirs["ln_f.weight"] * scale,  # makes up for the generator, which is `table`
        "decoder.norm.bias": theirs["ln_f.bias"] * scale,
        "generator.linear.weight": table,
        "generator.linear.bias": table.new_zeros(len(table)),
    }
    names = {
        "attention.w_qkv": "attn.c_attn",
        "attention.w_o": "attn.c_proj",
        "feed_forward.linear1": "mlp.c_fc",
        "feed_forward.linear2": "mlp.c_proj",
        "residuals.0.norm": "ln_1",
        "residuals.1.norm": "ln_2",
    }
    for layer in range(n_layers):
        for our_name, their_name in names.items():
            weight, bias = (theirs[f"h.{layer}.{their_name}.{kind}"] for kind in ("weight", "bias"))
            place = f"decoder.layers.{layer}.{our_name}"
            ours[f"{place}.weight"] = weight.t()  # of a linear layer: (in, out) becomes (out, in)
            ours[f"{place}.bias"] = bias
    return ours
