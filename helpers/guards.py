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


def guard_choice(allowed, **choice):
    """An argument given by name is one of those allowed."""
    for name, value in choice.items():
        if value not in allowed:
            raise ValueError(f"{name}: {value!r} is not known; use one of {', '.join(allowed)}")


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


def guard_translator(notes, path):
    """A checkpoint says how to build its model and its tokenizers."""
    if not {"sizes", "src_tokenizer", "tgt_tokenizer"} <= notes.keys():
        raise ValueError(f"path: {path} has no tokenizers in it; pass translator_notes to the Trainer")
