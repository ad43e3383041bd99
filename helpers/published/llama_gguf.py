"""A Llama in a GGUF file, as llama.cpp keeps it: config and weights as in the folder of a Llama."""

import functools
from pathlib import Path

import torch

from helpers.engine.checks import check_sizes
from helpers.published.weights import check_fixed, one_line_errors, rename

GGUF_FIELDS = {  # what a GGUF says about a Llama: the same in config.json
    "vocab_size": "vocab_size",
    "embedding_length": "hidden_size",
    "feed_forward_length": "intermediate_size",
    "block_count": "num_hidden_layers",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.key_length": "head_dim",
    "context_length": "max_position_embeddings",
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
    "rope.freq_base": "rope_theta",
}
OPTIONAL = {"vocab_size", "attention.head_count_kv", "attention.key_length", "rope.freq_base"}
GGUF_FIXED = {
    "llama.rope.scaling.type": "none",
    "llama.attention.causal": True,
    "llama.tensor_data_layout": "Meta AI original pth",
    "llama.expert_count": 0,
    "llama.expert_used_count": 0,
}
GGUF_NAMES = {  # * is the number of a layer
    "token_embd": "model.embed_tokens",
    "blk.*.attn_norm": "model.layers.*.input_layernorm",
    "blk.*.attn_q": "model.layers.*.self_attn.q_proj",
    "blk.*.attn_k": "model.layers.*.self_attn.k_proj",
    "blk.*.attn_v": "model.layers.*.self_attn.v_proj",
    "blk.*.attn_output": "model.layers.*.self_attn.o_proj",
    "blk.*.ffn_norm": "model.layers.*.post_attention_layernorm",
    "blk.*.ffn_gate": "model.layers.*.mlp.gate_proj",
    "blk.*.ffn_up": "model.layers.*.mlp.up_proj",
    "blk.*.ffn_down": "model.layers.*.mlp.down_proj",
    "output_norm": "model.norm",
    "output": "lm_head",
}
OF_A_CUT_FILE = ("cannot reshape", "larger dtype", "not enough values", "empty file")  # what numpy says


def open_gguf(path):
    """The reader of a GGUF file; asked again for the same file, the same one, as opening it takes seconds.

    Args:
        path: the file.

    Returns:
        A `gguf.GGUFReader`.

    Raises:
        ImportError: the gguf library is missing.
        OSError, ValueError: the file cannot be read.
    """
    return _reader(Path(path), Path(path).stat().st_mtime_ns)


@functools.lru_cache(maxsize=1)
def _reader(path, changed):
    import gguf  # an optional requirement

    try:
        return gguf.GGUFReader(path)
    except (IndexError, ValueError) as error:
        if isinstance(error, IndexError) or any(words in str(error) for words in OF_A_CUT_FILE):
            raise ValueError(f"it ends too early, after {path.stat().st_size:,} bytes") from None
        raise


def read_gguf(path):
    """The config and the weights of a Llama in a GGUF file.

    Args:
        path: the file.

    Returns:
        config, a dictionary with the fields of a Llama's config.json; and its weights in float32, quantized
        ones multiplied out, {name: tensor} with the names of the transformers library.

    Raises:
        ValueError: the file cannot be read, holds another kind of model, or an option that ours lacks.
    """
    with one_line_errors("the file", "name a whole GGUF file", packages="gguf"):
        import gguf

        reader = open_gguf(path)
        metadata = {
            name: field.contents() for name, field in reader.fields.items() if "tokenizer" not in name
        }
        weights = {
            tensor.name: torch.from_numpy(gguf.dequantize(tensor.data, tensor.tensor_type).copy())
            for tensor in reader.tensors
        }
    config = gguf_config(metadata)
    if (slower := weights.pop("rope_freqs.weight", None)) is not None:  # of Llama 3.1 and later
        factor = config.get("rope_scaling", {"factor": 1.0})["factor"]
        config["rope_scaling"] = {"rope_type": "linear", "factor": tuple((slower * factor).tolist())}
    config["tie_word_embeddings"] = "output.weight" not in weights
    weights.setdefault("output.weight", weights.get("token_embd.weight"))
    weights = rename(weights, GGUF_NAMES, config["num_hidden_layers"])
    config.setdefault("vocab_size", len(weights["model.embed_tokens.weight"]))
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    for name, weight in weights.items():
        if (part := name.split(".")[-2]) in heads:
            weights[name] = undo_interleaving(weight, heads[part])
    return config, weights


def gguf_config(metadata):
    """The fields of a Llama's config.json, from the metadata of a GGUF file.

    Args:
        metadata: {name: value}.

    Returns:
        A dictionary.

    Raises:
        ValueError: another kind of model; a field is missing, or asks for what ours lacks.
    """
    check_fixed({"general.architecture": None} | metadata, {"general.architecture": "llama"})
    found = {name: value for name, value in metadata.items() if name.startswith("llama.")}
    config = {}
    for name, field in GGUF_FIELDS.items():
        if f"llama.{name}" in found:
            config[field] = found.pop(f"llama.{name}")
        elif name not in OPTIONAL:
            raise ValueError(f"llama.{name} is missing; name a whole GGUF file")
    config.setdefault("num_key_value_heads", config["num_attention_heads"])
    check_sizes(**{name: config[name] for name in config.keys() - {"rms_norm_eps", "rope_theta"}})
    factor = found.pop("llama.rope.scaling.factor", 0) or 1.0
    if found.get("llama.rope.scaling.type", "linear") == "linear":  # as llama.cpp takes a missing one
        found.pop("llama.rope.scaling.type", None)
        config["rope_scaling"] = {"rope_type": "linear", "factor": factor}
    d_head = config["hidden_size"] // config["num_attention_heads"]
    fixed = GGUF_FIXED | {"llama.rope.dimension_count": d_head, "llama.attention.value_length": d_head}
    for name, value in found.items():
        if value != fixed.get(name):
            raise ValueError(f"{name} is {value!r}; ours computes with {fixed.get(name)!r} only")
    return config


def undo_interleaving(weight, n_heads):
    """Undo llama.cpp's order of rows: it turns neighboring rows of a head, where Llama turns two halves.

    Args:
        weight: (n_heads · d_head, d_model), with rows 0, d_head/2, 1, d_head/2 + 1, … of each head.
        n_heads: number of heads.

    Returns:
        The same shape, with rows 0, 1, 2, … of each head.
    """
    return weight.unflatten(0, (n_heads, -1, 2)).transpose(1, 2).flatten(0, 2)
