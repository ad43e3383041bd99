"""A `ModernLanguageModel` with the weights of a Llama, from its folder or its GGUF file. Chapter 16."""

import math
from pathlib import Path

import torch

from helpers.modern import ModernConfig, ModernLanguageModel
from helpers.published.llama_gguf import read_gguf
from helpers.published.weights import (
    add_padding,
    check_fixed,
    fill,
    naming,
    read_config,
    read_weights,
    rename,
)

LLAMA_DEFAULTS = {
    "vocab_size": 32000,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": None,
    "max_position_embeddings": 2048,
    "rms_norm_eps": 1e-6,
    "tie_word_embeddings": False,
}
LLAMA_FIXED = {
    "hidden_act": "silu",
    "attention_bias": False,
    "mlp_bias": False,
    "sliding_window": None,
    "partial_rotary_factor": 1.0,
}
LLAMA_NAMES = {  # theirs: ours; * is the number of a layer
    "model.embed_tokens": "embed.tokens",
    "model.layers.*.input_layernorm": "decoder.layers.*.attention_norm",
    "model.layers.*.self_attn.q_proj": "decoder.layers.*.attention.w_q",
    "model.layers.*.self_attn.k_proj": "decoder.layers.*.attention.w_k",
    "model.layers.*.self_attn.v_proj": "decoder.layers.*.attention.w_v",
    "model.layers.*.self_attn.o_proj": "decoder.layers.*.attention.w_o",
    "model.layers.*.post_attention_layernorm": "decoder.layers.*.feed_forward_norm",
    "model.layers.*.mlp.gate_proj": "decoder.layers.*.feed_forward.w_gate",
    "model.layers.*.mlp.up_proj": "decoder.layers.*.feed_forward.w_up",
    "model.layers.*.mlp.down_proj": "decoder.layers.*.feed_forward.w_down",
    "model.norm": "decoder.norm",
    "lm_head": "generator.linear",
}


def llama_weights(weights, n_layers, tied=False):
    """The weights of a Llama under the names and in the shapes of a `ModernLanguageModel`.

    Args:
        weights: {name: tensor}.
        n_layers: number of layers.
        tied: whether the generator's weights are the table of the embedding.

    Returns:
        {name: tensor}, for `load_state_dict`.

    Raises:
        ValueError: as `rename` and `add_padding`.
    """
    if tied:
        weights = {"lm_head.weight": weights.get("model.embed_tokens.weight")} | weights
    return add_padding(rename(weights, LLAMA_NAMES, n_layers), tied)


def load_llama(path):
    """A `ModernLanguageModel` that computes the logits of a Llama.

    As with `load_gpt2`, our vocabulary has one token more, the last, for padding.

    Args:
        path: a folder with config.json and the weights, as `save_pretrained` of the transformers library
            writes them; or a file in the format of llama.cpp, .gguf.

    Returns:
        The model, in evaluation.

    Raises:
        ValueError: path holds another kind of model, an option that ours lacks, or damaged weights.

    Source: Touvron et al. 2023, https://arxiv.org/abs/2302.13971, section 2.2.
    """
    with naming("path", path):
        if Path(path).suffix == ".gguf":
            config, weights = read_gguf(path)
        else:
            config = read_config(path, "llama", LLAMA_DEFAULTS, LLAMA_FIXED)
            weights = read_weights(path)
        base, scaling = llama_rope(config)
        model = ModernLanguageModel(
            ModernConfig(
                config["vocab_size"] + 1,
                d_model=config["hidden_size"],
                n_heads=config["num_attention_heads"],
                n_kv_heads=config["num_key_value_heads"] or config["num_attention_heads"],
                d_ff=config["intermediate_size"],
                n_layers=config["num_hidden_layers"],
                max_len=config["max_position_embeddings"],
                pad_id=config["vocab_size"],
                tie_generator=config["tie_word_embeddings"],
                rope_base=base,
                rope_scaling=scaling,
                eps=config["rms_norm_eps"],
            )
        )
        fill(model, llama_weights(weights, config["num_hidden_layers"], config["tie_word_embeddings"]))
    return model.eval()


def llama_rope(config):
    """How fast RoPE turns, wherever the version that wrote the config put it.

    Args:
        config: a dictionary with the fields of config.json.

    Returns:
        base and scaling, as in `RotaryEmbedding`.

    Raises:
        ValueError: the kind of scaling is another than "default", "linear" and "llama3", or lacks a number.
    """
    d_head = config["hidden_size"] // config["num_attention_heads"]
    if config.get("head_dim") is not None:
        check_fixed(config, {"head_dim": d_head})
    rope = {"rope_theta": config.get("rope_theta", 10000.0)}
    rope |= config.get("rope_parameters") or config.get("rope_scaling") or {}  # the latter in older files
    check_fixed(rope, {"partial_rotary_factor": 1.0})
    kind, base = rope.get("rope_type", rope.get("type", "default")), rope["rope_theta"]
    if kind == "default":
        return base, 1.0
    try:
        if kind == "linear":
            return base, rope["factor"]
        if kind == "llama3":
            names = "factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"
            return base, llama3_scaling(d_head, base, *(rope[name] for name in names))
    except KeyError as error:
        raise ValueError(f"RoPE of rope_type {kind!r} lacks {error}") from None
    raise ValueError(f"rope_type is {kind!r}; ours computes with 'default', 'linear' and 'llama3' only")


def llama3_scaling(d_head, base, factor, low, high, max_len):
    """How much slower Llama 3.1 turns each pair than Llama 3, so that texts may be longer.

    Pairs that turn more than `high` times within max_len, the length of the first training, stay as they are;
    those that turn less than `low` times are slowed by the factor; between, the speed changes gradually.

    Args:
        d_head: numbers per head.
        base: of RoPE.
        factor: by which slow pairs are slowed.
        low, high: numbers of turns.
        max_len: tokens.

    Returns:
        For each of the d_head / 2 pairs what its frequency is divided by, a tuple.

    Source: `rope_type` "llama3" of the transformers library, which the configs of Llama 3.1 name.
    """
    turns = max_len / (2 * math.pi * base ** (torch.arange(0, d_head, 2) / d_head))  # (d_head / 2)
    kept = ((turns - low) / (high - low)).clamp(0, 1)  # how much of the speed is kept
    return tuple((1 / (kept + (1 - kept) / factor)).tolist())
