"""Values as text and back, without running any code: pickle would run what a student's kernel sends."""

import json
import math

import torch

from helpers.exercises.comparing import Failure, number, show

MOST_NUMBERS = 5_000  # and commas in a text; no exercise asks for more
LONGEST_TEXT = 20_000
MOST_CHARACTERS = 200_000
DTYPES = {
    str(dtype): dtype
    for dtype in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16),
        *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
    )
}
CONTAINERS = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def to_text(value):
    """Write a value as JSON.

    Args:
        value: whatever a function returns; what is not plain is kept as its type and how it is shown.

    Returns:
        A string.
    """
    try:
        text = json.dumps(_encoded(value))
    except Exception as error:  # raised by the object itself, or it is nested too deeply
        text = json.dumps(_described(value, type(error).__name__))
    return json.dumps(_too_large(type(value).__name__)) if is_too_large(text) else text


def from_text(text):
    """Read what `to_text` wrote.

    Args:
        text: a string, which may come from anyone.

    Returns:
        The value; an object of another type of the same name for what is not plain.

    Raises:
        ValueError: `to_text` wrote no such thing.
    """
    try:
        if is_too_large(text):
            raise ValueError("too large")
        return _decoded(json.loads(text))
    except Exception as error:
        raise ValueError(f"text: {show(error)}; use what to_text returns") from None


def is_too_large(text):
    """Whether a text holds more than an answer can, and may take long to compare with one.

    Args:
        text: of `to_text`.

    Returns:
        A boolean.
    """
    return len(text) > MOST_CHARACTERS or text.count(",") > MOST_NUMBERS


def _encoded(value):
    if isinstance(value, Failure):
        parts = (value.ko, value.en, value.shown, value.error, value.line)
        return {"failure": [part[:LONGEST_TEXT] for part in parts]}
    if isinstance(value, torch.Tensor):
        return _encoded_tensor(value)
    if value is ...:
        return {"ellipsis": None}
    for name, kind in CONTAINERS.items():
        if isinstance(value, kind):
            return {name: [_encoded(part) for part in value]}
    if isinstance(value, dict):
        return {"dict": [[_encoded(key), _encoded(part)] for key, part in value.items()]}
    value = number(value)
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return _too_large("str")
    return value if value is None or isinstance(value, bool | int | float | str) else _described(value)


def _encoded_tensor(tensor):
    if tensor.numel() > MOST_NUMBERS:
        return _too_large(f"tensor{tuple(tensor.shape)}")
    if str(tensor.dtype) not in DTYPES:
        return _described(tensor)
    numbers = tensor.detach().flatten().tolist()
    return {"tensor": [str(tensor.dtype), list(tensor.shape), numbers, tensor.requires_grad]}


def _too_large(what):
    ko, en = f"결과가 너무 큽니다: {what}", f"The result is too large: {what}"
    return {"failure": [ko, en, f"({what})", "", ""]}


def _described(value, why=""):
    return {"other": [type(value).__name__, (why or show(value))[:LONGEST_TEXT]]}


def _decoded(data):
    if not isinstance(data, dict):
        if isinstance(data, list):
            raise ValueError("a bare list")
        return data
    [(kind, content)] = data.items()
    if kind in CONTAINERS:
        return CONTAINERS[kind](map(_decoded, content))
    if kind == "dict":
        return {_decoded(key): _decoded(part) for key, part in content}
    if kind == "tensor":
        return _decoded_tensor(*content)
    if kind == "failure":
        return Failure(*map(str, content))
    if kind == "other":
        name, shown = map(str, content)
        return type(name, (), {"__repr__": lambda self: shown})()
    return {"ellipsis": ...}[kind]


def _decoded_tensor(dtype, shape, numbers, requires_grad):
    if len(shape) > 64 or math.prod(shape) != len(numbers) or len(numbers) > MOST_NUMBERS:
        raise ValueError("shape")
    tensor = torch.tensor(numbers, dtype=DTYPES[dtype]).reshape(shape)
    return tensor.requires_grad_(bool(requires_grad))
