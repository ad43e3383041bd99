"""What would go wrong in silence is refused here, by the name that the caller knows it by."""

import torch


def check_sizes(**sizes):
    """Sizes given by name are positive integers.

    Args:
        sizes: numbers, by the names that the caller knows.

    Raises:
        ValueError: one is not.
    """
    for name, size in sizes.items():
        if not isinstance(size, int) or size < 1:
            raise ValueError(f"{name}: {size!r} is not a size; use an integer of at least 1")


def check_id(name, id, vocab_size):
    """A special id is in the vocabulary.

    Args:
        name: what the caller calls it, e.g. "src_pad_id".
        id: an integer.
        vocab_size: number of tokens.

    Raises:
        ValueError: it is not.
    """
    if id not in range(vocab_size):
        raise ValueError(f"{name}: {id} is not an id of the vocabulary; use 0 to {vocab_size - 1}")


def check_tokens(name, ids, vocab_size, max_len):
    """Token ids can be read by a model.

    Args:
        name: what the caller calls them, e.g. "src".
        ids: (B, T).
        vocab_size: number of tokens.
        max_len: the longest sequence that the model handles.

    Raises:
        ValueError: not (B, T); no or too many tokens; or ids beyond the vocabulary, which is looked at only
            where that costs nothing: on a CPU, and not while a graph is being made.
    """
    if ids.dim() != 2 or ids.size(1) == 0:
        raise ValueError(f"{name}: shape is {tuple(ids.shape)}; expected (B, T) with at least one token")
    if ids.size(1) > max_len:
        raise ValueError(f"{name}: {ids.size(1)} tokens, but max_len is {max_len}; shorten {name}")
    if ids.device.type == "cpu" and ids.numel() and not torch.compiler.is_compiling():
        low, high = ids.min().item(), ids.max().item()
        if low < 0 or high >= vocab_size:
            raise ValueError(f"{name}: ids run from {low} to {high}; use 0 to {vocab_size - 1}")


def check_search(model, bos_id, eos_id, max_len):
    """Decoding can begin, and end.

    Args:
        model: a `Transformer`.
        bos_id, eos_id: what a target begins and ends with.
        max_len: at most this many tokens.

    Raises:
        ValueError: an id is not in the vocabulary, or is that of padding; max_len is below 1 or beyond the
            model's.
    """
    for name, id in (("bos_id", bos_id), ("eos_id", eos_id)):
        check_id(name, id, model.generator.linear.out_features)
        if id == model.tgt_pad_id:
            raise ValueError(f"{name}: {id} is padding, which the masks hide; use an id of its own")
    if not 1 <= max_len <= model.max_len:
        raise ValueError(f"max_len: {max_len} tokens; the model handles 1 to {model.max_len}")


def check_beam(width, alpha):
    """A beam has room, and its length penalty is a number to divide by.

    Args:
        width: number of beams.
        alpha: exponent of the length penalty.

    Raises:
        ValueError: width is below 1, or alpha is not between 0 and 10.
    """
    if width < 1:
        raise ValueError(f"width: {width} leaves nothing to go on with; use at least 1")
    if not 0 <= alpha <= 10:
        raise ValueError(f"alpha: {alpha} is no length penalty; use 0 to 10")


def llama_rope(config):
    """The options of RoPE, wherever the version that wrote the file put them.

    Args:
        config: what config.json of a Llama says, a dictionary.

    Returns:
        A dictionary with rope_type and rope_theta, and those of a type other than "default".
    """
    if given := config.get("rope_parameters"):
        return given
    scaling = config.get("rope_scaling") or {"rope_type": "default"}  # in older files
    rope_type = scaling.get("rope_type", scaling.get("type"))
    return scaling | {"rope_type": rope_type, "rope_theta": config.get("rope_theta", 10000.0)}


def check_llama(config, folder):
    """The options of a Llama are those that ours has.

    Args:
        config: what config.json says, a dictionary.
        folder: where it stands, for the message.

    Raises:
        ValueError: one is not; the message names it.
    """
    if config["model_type"] != "llama":
        raise ValueError(f"folder: {folder} holds a model of type {config['model_type']!r}; pass a Llama's")
    d_head = config["hidden_size"] // config["num_attention_heads"]
    wanted = {"attention_bias": False, "mlp_bias": False, "hidden_act": "silu", "head_dim": d_head}
    given = {name: config.get(name, value) for name, value in wanted.items()}
    given["rope_type"], wanted["rope_type"] = llama_rope(config)["rope_type"], "default"
    for name, value in wanted.items():
        if given[name] != value:
            raise ValueError(f"folder: {folder} has {name} {given[name]!r}; pass a Llama with {value!r}")
