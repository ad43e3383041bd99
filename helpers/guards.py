"""Bad input gets a ValueError that names the argument, what it was, and the remedy. Used by every module."""

import torch


def guard_texts(texts):
    """Training text is a list of strings with something in it."""
    if isinstance(texts, str):
        raise ValueError("texts: got one string; pass a list of strings, e.g. [text]")
    for text in texts:
        guard_text(text)
    if not any(text.split() for text in texts):
        raise ValueError("texts: no word in it; pass at least one sentence")


def guard_text(text):
    """A text to encode is a string."""
    if not isinstance(text, str):
        raise ValueError(f"text: {text!r} is of type {type(text).__name__}; pass a string")


def guard_ids(ids, vocab_size, name="ids"):
    """Ids, a list or a tensor, are integers from 0 to vocab_size - 1."""
    ids = torch.as_tensor(ids)
    if ids.numel() == 0:
        return
    if ids.is_floating_point():
        raise ValueError(f"{name}: dtype is {ids.dtype}; use integers, e.g. ids.long()")
    low, high = ids.min().item(), ids.max().item()
    if low < 0 or high >= vocab_size:
        raise ValueError(f"{name}: values run from {low} to {high}; use 0 to {vocab_size - 1}")


def guard_sizes(**sizes):
    """Sizes given by name are positive integers."""
    for name, size in sizes.items():
        if not isinstance(size, int) or size < 1:
            raise ValueError(f"{name}: {size!r} is not a size; use an integer of at least 1")


def guard_positions(x, table):
    """x (…, T, d_model) fits a table of positions (max_len, d_model)."""
    guard_inputs(table, x=x)
    if x.size(-2) > (max_len := table.size(0)):
        raise ValueError(f"x: {x.size(-2)} tokens, but max_len is {max_len}; shorten x or raise max_len")


def guard_inputs(weight, **inputs):
    """Tensors given by name fit a layer with this weight (…, d_model): last size, and device."""
    for name, x in inputs.items():
        if x.dim() < 2 or x.size(-1) != weight.size(-1):
            raise ValueError(f"{name}: shape is {tuple(x.shape)}; expected (B, T, {weight.size(-1)})")
        guard_device(weight, **{name: x})


def guard_device(weight, **inputs):
    """Tensors given by name are where the parameters are."""
    for name, x in inputs.items():
        if x.device != weight.device:
            raise ValueError(
                f"{name}: is on {x.device}, the parameters on {weight.device}; move one with .to()"
            )


def guard_heads(d_model, n_heads):
    """The heads share d_model equally."""
    if d_model % n_heads:
        allowed = ", ".join(str(n) for n in range(1, d_model + 1) if d_model % n == 0)
        raise ValueError(f"n_heads: {n_heads} does not divide d_model, {d_model}; use one of {allowed}")


def guard_attention(query, key, value, mask):
    """query (…, T_q, d_k), key (…, T_k, d_k), value (…, T_k, d_v) and mask fit together."""
    for name, x in (("query", query), ("key", key), ("value", value)):
        if x.dim() < 2 or x.size(-2) == 0:
            raise ValueError(f"{name}: shape is {tuple(x.shape)}; expected (…, T, d) with at least one token")
        if x.shape[:-2] != query.shape[:-2]:
            ours, theirs = tuple(x.shape[:-2]), tuple(query.shape[:-2])
            raise ValueError(f"{name}: leading axes are {ours}, query's are {theirs}; make them equal")
    if key.size(-1) != query.size(-1):
        raise ValueError(f"key: last size is {key.size(-1)}, query's is {query.size(-1)}; make both d_k")
    if value.size(-2) != key.size(-2):
        raise ValueError(f"value: {value.size(-2)} tokens, key has {key.size(-2)}; give each key one value")
    if mask is not None:
        guard_mask(mask, (*query.shape[:-1], key.size(-2)), query.device)


def guard_mask(mask, shape, device):
    """A mask is boolean, on the device of the scores, and broadcasts to their shape."""
    if mask.dtype != torch.bool:
        raise ValueError(f"mask: dtype is {mask.dtype}; use booleans, True = may attend, e.g. mask.bool()")
    pairs = zip(reversed(mask.shape), reversed(shape), strict=False)
    if mask.dim() > len(shape) or any(size not in (1, wanted) for size, wanted in pairs):
        raise ValueError(f"mask: shape {tuple(mask.shape)} does not broadcast to the scores' {tuple(shape)}")
    if mask.device != device:
        raise ValueError(f"mask: is on {mask.device}, the query on {device}; move it with .to()")


def guard_batch(ids, name="ids"):
    """Token ids come as integers (B, T) with at least one token."""
    if ids.dim() != 2 or ids.numel() == 0:
        raise ValueError(f"{name}: shape is {tuple(ids.shape)}; expected (B, T) with at least one token")
    if ids.is_floating_point() or ids.dtype == torch.bool:
        raise ValueError(f"{name}: dtype is {ids.dtype}; use integers, e.g. ids.long()")


def guard_masks(masks):
    """Masks to combine are boolean, on one device, and broadcast to each other."""
    for mask in masks:
        if mask.dtype != torch.bool:
            raise ValueError(f"masks: one has dtype {mask.dtype}; use booleans, True = may attend")
        if mask.device != masks[0].device:
            raise ValueError(f"masks: one is on {mask.device}, one on {masks[0].device}; move it with .to()")
    try:
        torch.broadcast_shapes(*(mask.shape for mask in masks))
    except RuntimeError:
        shapes = ", ".join(str(tuple(mask.shape)) for mask in masks)
        raise ValueError(f"masks: shapes {shapes} do not broadcast; see (B, H, T_q, T_k)") from None


def guard_choice(allowed, **choice):
    """An argument given by name is one of those allowed."""
    for name, value in choice.items():
        if value not in allowed:
            raise ValueError(f"{name}: {value!r} is not known; use one of {', '.join(allowed)}")


def guard_memory(x, memory, wanted):
    """memory (B, T_src, d_model) is there where cross-attention wants it, and of x's batch."""
    if wanted and memory is None:
        raise ValueError("memory: missing; pass the encoder's output, or build with cross_attention=False")
    if memory is not None and not wanted:
        raise ValueError("memory: given, but there is no cross-attention; build with cross_attention=True")
    if wanted and memory.dim() != 3:
        shape = tuple(memory.shape)
        raise ValueError(f"memory: shape is {shape}; expected (B, T_src, d_model), pass masks by name")
    if wanted and memory.size(0) != x.size(0):
        raise ValueError(f"memory: batch of {memory.size(0)}, but x has {x.size(0)}; make them equal")


def guard_tokens(table, **sentences):
    """Token ids given by name are (B, T), known to an embedding table, and on its device."""
    guard_device(table, **sentences)
    for name, ids in sentences.items():
        guard_batch(ids, name)
        guard_ids(ids, len(table), name)


def guard_pair(src, tgt, memory):
    """Every target has its source, and every token of the source its row of memory."""
    if tgt.size(0) != src.size(0):
        raise ValueError(f"tgt: batch of {tgt.size(0)}, but src has {src.size(0)}; make them equal")
    if memory.dim() != 3 or memory.shape[:2] != src.shape:
        ours, theirs = tuple(memory.shape), tuple(src.shape)
        raise ValueError(f"memory: shape is {ours}, but src is {theirs}; pass encode(src), then src")


def guard_pad(vocab_size, **ids):
    """Pad ids given by name are in the vocabulary."""
    for name, pad_id in ids.items():
        if pad_id not in range(vocab_size):
            raise ValueError(f"{name}: {pad_id} is not an id of the vocabulary; use 0 to {vocab_size - 1}")


def guard_shared(tie_embeddings, src_vocab_size, tgt_vocab_size):
    """A shared table needs a shared vocabulary."""
    if tie_embeddings and src_vocab_size != tgt_vocab_size:
        sizes = f"{src_vocab_size} and {tgt_vocab_size}"
        raise ValueError(f"tie_embeddings: the vocabularies have {sizes} tokens; make one of both")


def guard_pairs(pairs):
    """There is something to train on."""
    if len(pairs) == 0:
        raise ValueError("pairs: none; pass at least one (source, target)")


def guard_checkpoint(state, path):
    """What was read from a file is what `save_checkpoint` writes."""
    if not isinstance(state, dict) or not {"model", "optimizer", "trainer", "notes", "pairs"} <= state.keys():
        raise ValueError(f"path: {path} holds something else; pass a file written by save_checkpoint")


def guard_same_model(state, trainer, path):
    """A checkpoint is of what is to go on: the same shapes, and the same notes."""
    ours = {name: tuple(value.shape) for name, value in trainer.model.state_dict().items()} | trainer.notes
    theirs = {name: tuple(value.shape) for name, value in state["model"].items()} | state["notes"]
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            what = f"{name} is {theirs.get(name)} there and {ours.get(name)} here"
            what = what if len(what) < 300 else f"{name} differs"
            raise ValueError(f"path: {path} is of another model ({what}); build the model it was saved from")


def guard_same_pairs(state, fingerprint, path):
    """A checkpoint is of the pairs that training goes on with."""
    if state["pairs"] != fingerprint:
        raise ValueError(f"path: {path} was trained on other pairs; pass those pairs, in the same order")


def guard_next(ids, seen):
    """A cache of `seen` tokens goes on with one more."""
    if ids.size(1) != seen + 1:
        raise ValueError(f"ids: {ids.size(1)} tokens, but {seen} are in the cache; pass {seen + 1}")


def guard_sampling(temperature, top_k, top_p):
    """Sampling leaves at least one token to draw."""
    if not temperature > 0:
        raise ValueError(f"temperature: {temperature} is not above 0; for the likeliest token use greedy")
    if top_k is not None:
        guard_sizes(top_k=top_k)
    if not 0 < top_p <= 1:
        raise ValueError(f"top_p: {top_p} is not a share; use a number above 0, up to 1")


def guard_translator(notes, path):
    """A checkpoint says how to build its model and its tokenizers."""
    if not {"sizes", "src_tokenizer", "tgt_tokenizer"} <= notes.keys():
        raise ValueError(f"path: {path} has no tokenizers in it; pass translator_notes to the Trainer")
