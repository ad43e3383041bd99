"""Running an answer, comparing what came with what was expected, and showing both."""

import copy
import functools
import inspect
import linecache
import re
import traceback
from dataclasses import dataclass
from operator import getitem
from typing import NamedTuple

import torch

from helpers.exercises.time_limit import TooLong, call_within


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
MOST_PARTS = 100_000  # numbers, or elements, of a result; no exercise asks for more
MOST_NUMBERS = 12  # of a tensor that is shown
LONGEST = 110  # characters of a call that is shown
SECONDS = 10.0  # for all cases of an answer


def run(function, arguments, seconds=None):
    """Call a function on copies of arguments.

    Args:
        function, arguments: the tuple that it is called with.
        seconds: float, how long it may take; None for one that is known to end.

    Returns:
        A copy of what it returns, or a `Failure`.
    """
    given, grad = copy.deepcopy(arguments), torch.is_grad_enabled()
    try:
        result = function(*given) if seconds is None else call_within(seconds, function, given)
        if _size(result) > MOST_PARTS:
            shown = show(result) if isinstance(result, torch.Tensor) else type(result).__name__
            return Failure(f"결과가 너무 큽니다: {shown}", f"The result is too large: {shown}", shown)
        result = _copied(result)
    except KeyboardInterrupt:
        raise
    except TooLong as error:
        ko = f"{SECONDS:g}초 안에 끝나지 않아 멈췄습니다. 끝나지 않는 반복이 있는지 보세요."
        en = f"It was stopped after {SECONDS:g} s: is there a loop that never ends?"
        return Failure(ko, en, "(stopped)", "TooLong", _own_line(function, error))
    except BaseException as error:  # sys.exit() too
        name, line = type(error).__name__, _own_line(function, error)
        ko, en = (f"{text}{why}" for text, why in zip(*_raised(error, name), strict=True))
        if not line and "positional argument" in show(error):  # the call itself fails
            ko = f"{ko} 연습은 인자 {len(arguments)}개로 호출합니다."
            en = f"{en} The exercise calls it with {len(arguments)} arguments."
        return Failure(ko, en, show(error), name, line)
    finally:
        if torch.is_grad_enabled() != grad:  # as a call that was stopped may leave it
            torch.set_grad_enabled(grad)
    for name, after, before in zip(named(function, arguments), given, arguments, strict=True):
        if difference(after, before):
            return Failure(
                f"함수가 받은 인자 {name}의 값을 바꿉니다(view를 거쳐서도 바뀝니다). 복사본에서 계산하세요.",
                f"It changes its arguments ({name}), perhaps through a view; work on a copy.",
                "(arguments changed)",
            )
    return result


ERRORS = [  # what torch says, and what it means here
    (
        r"mat1 and mat2 shapes cannot|size mismatch|[Ee]xpected size for first two dimensions",
        " @의 왼쪽의 마지막 축과 오른쪽의 끝에서 두 번째 축이 같아야 합니다. 전치가 빠졌는지 보세요.",
        " In a @ b the last axis of a must fit the last but one of b: is one to be transposed?",
    ),
    (
        r"size of tensor a .* must match|not broadcastable|shape mismatch",
        " shape는 오른쪽 축부터 맞춥니다. keepdim이나 unsqueeze가 빠졌는지 보세요.",
        " Shapes are aligned from the right: is a keepdim or an unsqueeze missing?",
    ),
    (
        r"view size is not compatible",
        " transpose 다음에는 view 대신 reshape를 쓰세요.",
        " After transpose use reshape instead of view.",
    ),
    (r"SystemExit", " exit를 부르지 말고 return하세요.", " Return instead of calling exit."),
    (r"RecursionError", " 멈추는 조건이 있는지 보세요.", " Is there a condition under which it stops?"),
]


def _raised(error, name):
    """What to say to an error, in both languages: its type, and what it means."""
    text = f"{name}: {show(error)}"
    meant = next(((ko, en) for pattern, ko, en in ERRORS if re.search(pattern, text)), ("", ""))
    return (f"오류가 났습니다({name}).", f"It raises an error ({name})."), meant


def _size(value, depth=0):
    """How many numbers or elements a result holds, without computing or copying any."""
    if isinstance(value, torch.Tensor):
        return value.numel()
    if type(value) not in (list, tuple, dict, set, str, bytes) or depth > 4:
        return 1
    if len(value) > MOST_PARTS or isinstance(value, str | bytes | set):
        return len(value)
    return sum(_size(part, depth + 1) for part in (value.values() if type(value) is dict else value))


@functools.lru_cache(maxsize=8)
def _signature(function):
    return inspect.signature(function)


def named(function, arguments):
    """Arguments under the names of a function's parameters.

    Args:
        function, arguments: as in `run`.

    Returns:
        {name: argument}; the names are "1", "2", … where the function takes any.
    """
    try:
        found = dict(_signature(function).bind(*arguments).arguments)
    except Exception:  # it takes other arguments, or its signature is odd
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
    source = getattr(attribute(function, "__code__"), "co_filename", None)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == source]
    if not frames:
        return ""
    text = linecache.getline(source, frames[-1].lineno).strip()
    return f"line {frames[-1].lineno}: {text}"


def attribute(thing, name, default=None):
    """An attribute of anything, which may be missing or raise an error.

    Args:
        thing, name: as of getattr.
        default: what to return instead.

    Returns:
        The attribute.
    """
    try:
        return getattr(thing, name, default)
    except Exception:
        return default


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
    if got is None and wanted is not None:
        return NONE_INSIDE if inside else NONE
    if isinstance(wanted, float) or (inside and isinstance(wanted, int)):
        got = number(got)
    elif isinstance(wanted, int) and not isinstance(got, torch.Tensor):
        got = number(got)  # a count or a place as a tensor is told so
    if isinstance(wanted, torch.Tensor) and not wanted.dim() and type(got) in (int, float):
        got = torch.tensor(got, dtype=wanted.dtype)
    if not isinstance(got, type(wanted)) and not (inside and {type(got), type(wanted)} <= NUMBERS):
        if inside:
            return VALUES_DIFFER
        parts = ", ".join(type(part).__name__ for part in wanted) if isinstance(wanted, tuple) else ""
        got, wanted = type(got).__name__, type(wanted).__name__ + f" ({parts})" * bool(parts)
        return Difference(
            f"반환값의 타입: {got}. 필요한 타입: {wanted}.", f"It returns {got}; return {wanted}."
        )
    if isinstance(wanted, dict):
        same = len(got) == len(wanted) and all(any(_same(ours, key) for ours in got) for key in wanted)
        return _first(got, wanted, wanted) if same else VALUES_DIFFER
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
        return _compare_tensors(got.as_subclass(torch.Tensor), wanted)
    return None if _same(got, wanted) else VALUES_DIFFER


NONE = Difference(
    "돌려주는 값이 없습니다. 빠진 return이 있습니다.", "It returns nothing: a return is missing."
)
NONE_INSIDE = Difference("값 하나가 None입니다.", "One of the values is None.")
NUMBERS = {int, float, bool}


def _same(got, wanted):
    """Whether two plain values are equal, by the == of the type that is wanted: another may say anything."""
    if type(wanted) in NUMBERS:
        return type(got) in NUMBERS and got == wanted
    return isinstance(got, type(wanted)) and type(wanted).__eq__(wanted, got) is True


def _first(got, wanted, keys):
    """The first difference between what two lists, tuples or dictionaries hold."""
    for key in keys:
        if found := difference(got[key], wanted[key], inside=True):
            return found._replace(place=(key, *found.place))
    return None


def _compare_tensors(got, wanted):
    if got.shape != wanted.shape:
        ours, theirs = tuple(got.shape), tuple(wanted.shape)
        return Difference(f"shape: {ours}. 필요한 shape: {theirs}.", f"The shape is {ours}, not {theirs}.")
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
    if tensor.dtype == torch.bool:
        return "bool"
    return "complex" if tensor.is_complex() else "float" if tensor.is_floating_point() else "integer"


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
        here, there = (
            show(number(functools.reduce(getitem, place, result)), digits=6) for result in (got, wanted)
        )
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


def show(value, digits=4, most=MOST_NUMBERS):
    """Any value as a short text.

    Args:
        value: whatever a function may return.
        digits: int, of floats.
        most: how many numbers of a tensor are shown; of a larger one it is the shape.

    Returns:
        Text.
    """
    try:
        text = _shown(value, digits, most)
    except Exception:  # raised by the object itself, e.g. by its repr
        return f"({type(value).__name__})"
    return text if len(text) <= 2 * LONGEST else f"{text[: 2 * LONGEST]}…"


def _shown(value, digits, most):
    if isinstance(value, Failure):
        return value.shown
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}".removesuffix(": ")
    if isinstance(value, torch.Tensor) and not 0 < value.numel() <= most:
        return f"tensor{tuple(value.shape)}"
    if isinstance(value, torch.Tensor):
        numbers = value.detach()
        if numbers.is_floating_point():
            numbers = numbers.double().round(decimals=digits) + 0.0
        return f"tensor({numbers.tolist()})"
    if isinstance(value, list | tuple):
        inner = ", ".join(show(part, digits, most) for part in value)
        single = "," if len(value) == 1 else ""
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{single})"
    if callable(value):
        return value.__name__.strip("_")
    return f"{value:.{digits}f}" if isinstance(value, float) else repr(value)


def show_call(name, arguments):
    """A call as one line: values where they are few, shapes where they are not.

    Args:
        name: of the function.
        arguments: tuple.

    Returns:
        Text.
    """
    lines = (f"{name}({', '.join(show(value, most=most) for value in arguments)})" for most in (40, 12, 4, 0))
    return next((line for line in lines if len(line) <= LONGEST), f"{name}(…)")
