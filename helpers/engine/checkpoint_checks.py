"""What a checkpoint must be before it is written, and before anything is taken from it."""

import io

import torch

CONTENTS = {"model", "optimizer", "scheduler", "trainer", "config", "fingerprint"}


def serialize(state):
    """A dictionary as the bytes of a file, once it is sure that they can be read again.

    Args:
        state: tensors and plain values: numbers, strings, lists, dictionaries.

    Returns:
        Bytes.

    Raises:
        ValueError: a value is not plain, such as a NumPy number; the message names it.
    """
    buffer = io.BytesIO()
    try:
        torch.save(state, buffer)
        torch.load(io.BytesIO(buffer.getvalue()), weights_only=True)
    except Exception:  # torch raises many kinds
        for name, value in state.items():  # which one is it?
            if isinstance(value, dict):
                serialize(value)
            elif len(state) > 1:
                serialize({name: value})
            else:
                kind = type(value).__name__
                raise ValueError(f"{name}: value is a {kind}, {value}; use a plain number or text") from None
        raise
    return buffer.getvalue()


def is_finite(weights):
    """Whether weights are numbers: neither NaN nor infinite.

    Args:
        weights: a `state_dict`.

    Returns:
        A boolean.
    """
    return all(bool(weight.isfinite().all()) for weight in weights.values())


def check_finite(weights, path):
    """Weights are numbers: neither NaN nor infinite.

    Args:
        weights: a `state_dict`.
        path: of the checkpoint, for the message.

    Raises:
        ValueError: one is not.
    """
    if not is_finite(weights):
        raise ValueError(f"path: the weights for {path} are not finite; train with a lower lr_scale")


def check_contents(state, path):
    """What was read from a file is what `save_checkpoint` writes.

    Args:
        state: whatever was in the file.
        path: of the checkpoint, for the message.

    Raises:
        ValueError: it is something else, or from an earlier version.
    """
    if isinstance(state, dict) and {"model", "optimizer", "trainer", "notes", "pairs"} <= state.keys():
        raise _earlier(path)
    tables = CONTENTS - {"fingerprint"}
    if (
        not isinstance(state, dict)
        or state.keys() != CONTENTS
        or not all(isinstance(state[name], dict) for name in tables)
    ):
        raise ValueError(f"path: {path} holds something else; pass a file written by save_checkpoint")


def _earlier(path):
    return ValueError(f"path: {path} was written by an earlier version; delete it and train again")


def check_fits(theirs, ours, parameters, path):
    """A checkpoint can be taken up by a trainer: of the same model, config and pairs, and complete.

    Args:
        theirs: what `read_checkpoint` returns.
        ours: what the trainer would save now.
        parameters: of the trainer's model.
        path: of the checkpoint, for the message.

    Raises:
        ValueError: something differs; the message names it.
    """
    check_same_model(theirs["model"], ours["model"], path)
    _check_same(theirs["config"], ours["config"], path)
    if theirs["fingerprint"] != ours["fingerprint"]:
        raise ValueError(f"path: {path} was trained on other pairs; pass those pairs, in the same order")
    expected = {name: _outline(ours[name]) for name in ("optimizer", "scheduler", "trainer")}
    steps = theirs["trainer"].get("step")
    expected["trainer"]["history"] = [["number"] * 3] * steps if isinstance(steps, int) else None
    if theirs["optimizer"].get("state"):  # Adam's, from its first step on
        shapes = [tuple(parameter.shape) for parameter in parameters]
        moments = [{"step": (), "exp_avg": shape, "exp_avg_sq": shape} for shape in shapes]
        expected["optimizer"]["state"] = dict(enumerate(moments))
    for name, outline in expected.items():
        if _outline(theirs[name]) != outline:
            raise ValueError(f"path: {path} is damaged (its {name} does not fit); name another file")


def check_same_model(theirs, ours, path):
    """The weights of a checkpoint have the names and shapes of a model's.

    Args:
        theirs, ours: as from `state_dict`.
        path: of the checkpoint, for the message.

    Raises:
        ValueError: one differs; the message names it.
    """
    stacked = ["w_qkv" in " ".join(map(str, weights)) for weights in (theirs, ours)]
    if stacked == [True, False]:  # one matrix for queries, keys and values
        raise _earlier(path)
    _check_same(_outline(theirs), _outline(ours), path)


def _check_same(theirs, ours, path):
    for name in sorted(ours.keys() | theirs.keys(), key=str):
        if theirs.get(name) != ours.get(name):
            what = f"{name} is {theirs.get(name)} there and {ours.get(name)} here"
            what = what if len(what) < 300 else f"{name} differs"
            raise ValueError(f"path: {path} is of another model ({what}); build the model it was saved from")


def _outline(value):
    """What a value is made of: names, lengths and shapes, but not its numbers."""
    if isinstance(value, torch.Tensor):
        return tuple(value.shape)
    if isinstance(value, dict):
        return {name: _outline(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_outline(inner) for inner in value]
    return "number" if isinstance(value, int | float | None) else type(value).__name__
