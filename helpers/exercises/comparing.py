"""Running an answer, comparing what came with what was expected, and showing both."""

import copy
import inspect
import linecache
import traceback
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from typing import NamedTuple

import torch


@dataclass
class Failure:
    """Stands for the result of a function that raised an error or changed its arguments."""

    ko: str
    en: str
    shown: str
    error: str = ""  # its type
    line: str = ""  # of the function's own source, where it was raised


class Difference(NamedTuple):
    """What differs between two results, in both languages, and the indices of the first number that does."""

    ko: str
    en: str
    place: tuple = ()


VALUES_DIFFER = Difference("값이 다릅니다.", "The values differ.")


def run(function, arguments):
    """Call a function on copies of arguments.

    Args:
        function, arguments: the tuple that it is called with.

    Returns:
        A copy of what it returns, or a `Failure`.
    """
    given = copy.deepcopy(arguments)
    try:
        result = _copied(function(*given))
    except Exception as error:
        shown, name = show(error), type(error).__name__
        ko, en = f"오류가 났습니다: {shown}", f"It raises an error: {shown}"
        return Failure(ko, en, shown, name, _own_line(function, error))
    for name, after, before in zip(named(function, arguments), given, arguments, strict=True):
        if difference(after, before):
            return Failure(
                f"함수가 받은 인자 {name}의 값을 바꿉니다(view를 거쳐서도 바뀝니다). 복사본에서 계산하세요.",
                f"It changes its arguments ({name}), perhaps through a view; work on a copy.",
                "(arguments changed)",
            )
    return result


def named(function, arguments):
    """Arguments under the names of a function's parameters.

    Args:
        function, arguments: as in `run`.

    Returns:
        {name: argument}; the names are "1", "2", … where the function takes any.
    """
    try:
        found = dict(inspect.signature(function).bind(*arguments).arguments)
    except (TypeError, ValueError):
        found = {}
    return (
        found if len(found) == len(arguments) else {f"{i + 1}": arguments[i] for i in range(len(arguments))}
    )


def _copied(value):
    """A copy that no later call can change."""
    try:
        return copy.deepcopy(value)
    except Exception:  # of a generator, or of a tensor inside a graph
        if type(value) in (list, tuple):
            return type(value)(map(_copied, value))
        return value.clone() if isinstance(value, torch.Tensor) else value


def _own_line(function, error):
    """The last line of the function's own source that an error passed through, as "line 3: return x.T"."""
    source = getattr(getattr(function, "__code__", None), "co_filename", None)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == source]
    if not frames:
        return ""
    text = linecache.getline(source, frames[-1].lineno).strip()
    return f"line {frames[-1].lineno}: {text}"


def difference(got, wanted, inside=False):
    """Compare two results.

    Args:
        got, wanted: what `run` returned.
        inside: True for parts of a result.

    Returns:
        None if they are equal, else the `Difference`.
    """
    try:
        return _compare(got, wanted, inside)
    except Exception:  # raised by the object itself, e.g. by its ==
        return Difference("값을 비교할 수 없습니다.", "The values cannot be compared.")


def _compare(got, wanted, inside):
    if type(wanted) is Failure:
        if type(got) is Failure and got.error == wanted.error:
            return None
        name = wanted.error
        return Difference(f"이 입력에는 {name}가 나야 합니다.", f"This input must raise a {name}.")
    if type(got) is Failure:
        return Difference(got.ko, got.en)
    if isinstance(wanted, int | float):
        got = number(got)
    if not isinstance(got, type(wanted)) and inside:
        return None if (got == wanted) is True else VALUES_DIFFER
    if not isinstance(got, type(wanted)):
        got, wanted = type(got).__name__, type(wanted).__name__
        return Difference(
            f"반환값의 타입: {got}. 필요한 타입: {wanted}.", f"It returns {got}; return {wanted}."
        )
    if isinstance(wanted, dict):
        return _first(got, wanted, wanted) if got.keys() == wanted.keys() else VALUES_DIFFER
    if isinstance(wanted, list | tuple):
        ours, theirs = len(got), len(wanted)
        if ours == theirs:
            return _first(got, wanted, range(theirs))
        if inside or isinstance(wanted, list):
            return VALUES_DIFFER
        return Difference(
            f"반환값이 {ours}개입니다. {theirs}개여야 합니다.", f"It returns {ours} values, not {theirs}."
        )
    if isinstance(wanted, float):
        got, wanted = (torch.tensor(value, dtype=torch.double) for value in (got, wanted))
    if isinstance(wanted, torch.Tensor):
        return _compare_tensors(got, wanted)
    return None if got == wanted else VALUES_DIFFER


def _first(got, wanted, keys):
    """The first difference between what two lists, tuples or dictionaries hold."""
    for key in keys:
        if found := difference(got[key], wanted[key], inside=True):
            return found._replace(place=(key, *found.place))
    return None


def _compare_tensors(got, wanted):
    if got.shape != wanted.shape:
        ours, theirs = tuple(got.shape), tuple(wanted.shape)
        return Difference(f"형태: {ours}. 필요한 형태: {theirs}.", f"The shape is {ours}, not {theirs}.")
    if _kind(got) != _kind(wanted):
        ours, theirs = got.dtype, wanted.dtype
        return Difference(f"dtype: {ours}. 필요한 dtype: {theirs}.", f"The dtype is {ours}, not {theirs}.")
    equal = torch.isclose(got.double(), wanted.double(), rtol=1e-4, atol=1e-5, equal_nan=True)
    if equal.all() and wanted.requires_grad and not got.requires_grad:
        return Difference("그래디언트가 끊어졌습니다(detach).", "It is detached: no gradient flows back.")
    if equal.all():
        return None
    if got.isnan().any() and not wanted.isnan().any():
        found = Difference("결과에 NaN이 있습니다.", "The result holds NaN.")
    else:
        found = VALUES_DIFFER
    return found._replace(place=tuple((~equal).nonzero()[0].tolist()))


def _kind(tensor):
    return "bool" if tensor.dtype == torch.bool else "float" if tensor.is_floating_point() else "integer"


def show_both(got, wanted, place):
    """Show two results, and what is at `place` where they look the same or are long.

    Args:
        got, wanted: as in `difference`.
        place: of the `Difference`.

    Returns:
        Two texts.
    """
    ours, theirs = show(got), show(wanted)
    size = wanted.numel() if isinstance(wanted, torch.Tensor) else len(wanted) if place else 1
    if (ours == theirs or size > 4) and (place or isinstance(wanted, float)):
        here, there = (show(number(reduce(getitem, place, result)), digits=6) for result in (got, wanted))
        ours = f"{ours}; {list(place)}: {here}" if place else here
        theirs = f"{theirs}; {list(place)}: {there}" if place else there
    return ours, theirs


def number(value):
    """A single number of torch or numpy as one of Python, anything else as it is.

    Args:
        value: anything.

    Returns:
        int, float, bool, or `value`.
    """
    return value.item() if getattr(value, "ndim", None) == 0 else value


def plain(value):
    """Tensors, arrays and tuples as lists, all the way down.

    Args:
        value: anything.

    Returns:
        Lists of plain values, a plain value, or `value`.
    """
    value = value.tolist() if hasattr(value, "tolist") else value
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def show(value, digits=4):
    """Any value as a short text.

    Args:
        value: whatever a function may return.
        digits: int, of floats.

    Returns:
        Text.
    """
    try:
        if isinstance(value, Failure):
            return value.shown
        if isinstance(value, Exception):
            return f"{type(value).__name__}: {value}"
        if isinstance(value, torch.Tensor) and not 0 < value.numel() <= 40:
            return f"tensor{tuple(value.shape)}"
        if isinstance(value, torch.Tensor):
            numbers = value.detach()
            if numbers.is_floating_point():
                numbers = numbers.double().round(decimals=digits) + 0.0
            return f"tensor({numbers.tolist()})"
        if isinstance(value, list | tuple):
            inner = ", ".join(show(part, digits) for part in value)
            single = "," if len(value) == 1 else ""
            return f"[{inner}]" if isinstance(value, list) else f"({inner}{single})"
        if callable(value):
            return value.__name__.strip("_")
        return f"{value:.{digits}f}" if isinstance(value, float) else repr(value)
    except Exception:  # raised by the object itself, e.g. by its repr
        return f"({type(value).__name__})"
