"""What a lesson needs around its code: the choice of language, and exercises that say what is wrong."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import NamedTuple

import torch

from helpers import plots

LANGUAGES = {"ko": ("ko",), "en": ("en",), "both": ("ko", "en")}


def language(choice):
    """Show the prose of a notebook in "ko", "en" or "both" (JupyterLab; elsewhere nothing changes)."""
    if choice not in LANGUAGES:
        raise ValueError(f'choice: {choice!r}; use "ko", "en" or "both"')
    from IPython.display import HTML, display

    plots.languages = LANGUAGES[choice]
    shown = {code: "block" if code in LANGUAGES[choice] else "none" for code in ("ko", "en")}
    rules = (f"div[lang={code}]{{display:{how}}}" for code, how in shown.items())
    display(HTML(f"<style>{' '.join(rules)}</style>"))


def start_chapter(choice, seed):
    """Set what every chapter begins with: the seed, the style of the figures, and the language of the prose.

    Args:
        choice: "ko", "en" or "both", as in `language`.
        seed: int for `torch.manual_seed`.

    Raises:
        ValueError: as `language`.
    """
    torch.manual_seed(seed)
    plots.use_style()
    language(choice)


def build_folder():
    """Where chapters keep what they train: build/ of the project, or of the current folder without it.

    Returns:
        Path; the folder need not exist yet.
    """
    project = Path(__file__).resolve().parents[1]
    return (project if (project / "notebooks").is_dir() else Path.cwd()) / "build"


@dataclass
class Mistake:
    """A typical wrong answer, as a function, and what to say to it in both languages."""

    answer: Callable
    ko: str
    en: str


@dataclass
class Exercise:
    """A plain specification, cases (tuples of arguments, smallest first), and typical mistakes.

    forbidden: names that the answer must do without, where the exercise says so.
    """

    spec: Callable
    cases: list
    mistakes: list
    forbidden: tuple = ()


@dataclass
class Diagnosis:
    """passed: True, False, or None for an answer not yet written. ko and en say why."""

    passed: bool | None
    ko: str
    en: str
    example: str = ""


def random_tensors():
    """A function from a shape to a random tensor, for cases; each call differs, every run is the same."""
    generator = torch.Generator().manual_seed(0)
    return lambda *shape: torch.randn(*shape, generator=generator)


@dataclass
class Failure:
    """Stands for the result of a function that raised an error or changed its arguments."""

    ko: str
    en: str
    shown: str
    error: str = ""  # its type


class Difference(NamedTuple):
    """What differs between two results, in both languages, and the indices of the first number that does."""

    ko: str
    en: str
    place: tuple = ()


def check(answer, exercise):
    """Run the reader's function on the cases of an exercise and print, in both languages, what came out.

    Args:
        answer: the function that the reader wrote.
        exercise: the `Exercise` that it answers, from `helpers.exercises`.
    """
    result = diagnose(answer, exercise)
    mark = {True: "✓", False: "✗", None: "…"}[result.passed]
    print(f"{mark} {result.ko}\n{mark} {result.en}{result.example}")


def diagnose(answer, exercise):
    """The smallest case on which an answer is wrong, named by the mistake that it behaves like.

    Args:
        answer, exercise: as in `check`.

    Returns:
        A `Diagnosis`, whatever the answer returns or raises.
    """
    wanted = [_run(exercise.spec, case) for case in exercise.cases]
    got = [_run(answer, case) for case in exercise.cases]
    if all(result is None for result in got):
        return Diagnosis(
            None, "아직입니다. 함수가 돌려주는 값이 없습니다.", "Not yet: the function returns nothing."
        )
    if used := [name for name in exercise.forbidden if name in _names_in(getattr(answer, "__code__", None))]:
        name = used[0]
        return Diagnosis(
            False, f"{name} 없이 풀어야 하는 연습입니다.", f"This exercise is to be solved without {name}."
        )
    wrong = [index for index in range(len(got)) if _difference(got[index], wanted[index])]
    if not wrong:
        return Diagnosis(True, f"{len(got)}가지 경우를 모두 통과했습니다.", f"All {len(got)} cases pass.")
    first = wrong[0]
    ko, en, place = _difference(got[first], wanted[first])
    ours, theirs = _show_both(got[first], wanted[first], place)
    example = (
        f"\n    {getattr(answer, '__name__', 'answer')}({', '.join(map(_show, exercise.cases[first]))})"
        f"\n    기대 expected: {theirs}"
        f"\n    결과 got:      {ours}"
    )
    # An error has many causes: that a mistake raises it too does not say which one this is.
    failed = any(type(got[i]) is Failure and type(wanted[i]) is not Failure for i in wrong)
    for mistake in [] if failed else exercise.mistakes:
        pairs = zip(got, (_run(mistake.answer, case) for case in exercise.cases), strict=True)
        if not any(_difference(*pair) for pair in pairs):
            return Diagnosis(False, mistake.ko, mistake.en, example)
    return Diagnosis(False, ko, en, example)


def _names_in(code):
    """All names of functions and attributes in a function's code, and in the functions inside it."""
    if code is None:
        return set()
    inner = (constant for constant in code.co_consts if hasattr(constant, "co_names"))
    return set(code.co_names).union(*map(_names_in, inner))


def _run(function, arguments):
    """What a function returns, or a `Failure`."""
    given = copy.deepcopy(arguments)
    try:
        result = function(*given)
    except Exception as error:
        shown, name = _show(error), type(error).__name__
        return Failure(f"오류가 났습니다: {shown}", f"It raises an error: {shown}", shown, name)
    if any(_difference(after, before) for after, before in zip(given, arguments, strict=True)):
        return Failure(
            "함수가 받은 인자를 바꿉니다. 복사본에서 계산하세요.",
            "It changes its arguments; work on a copy.",
            "(인자가 바뀜 arguments changed)",
        )
    return result


def _difference(got, wanted, inside=False):
    """None if the two are equal, else the `Difference`; `inside`: they are parts of a result."""
    try:
        return _compare(got, wanted, inside)
    except Exception:  # raised by the object itself, e.g. by its ==
        return Difference("값을 비교할 수 없습니다.", "The values cannot be compared.")


def _compare(got, wanted, inside):
    different = Difference("값이 다릅니다.", "The values differ.")
    if type(wanted) is Failure:
        if type(got) is Failure and got.error == wanted.error:
            return None
        name = wanted.error
        return Difference(f"이 입력에는 {name}가 나야 합니다.", f"This input must raise a {name}.")
    if type(got) is Failure:
        return Difference(got.ko, got.en)
    if isinstance(wanted, int | float):
        got = _number(got)
    if not isinstance(got, type(wanted)) and inside:
        return None if (got == wanted) is True else different
    if not isinstance(got, type(wanted)):
        got, wanted = type(got).__name__, type(wanted).__name__
        return Difference(
            f"반환값의 타입: {got}. 필요한 타입: {wanted}.", f"It returns {got}; return {wanted}."
        )
    if isinstance(wanted, dict):
        return _first(got, wanted, wanted) if got.keys() == wanted.keys() else different
    if isinstance(wanted, list | tuple):
        ours, theirs = len(got), len(wanted)
        if ours == theirs:
            return _first(got, wanted, range(theirs))
        if inside or isinstance(wanted, list):
            return different
        return Difference(
            f"반환값이 {ours}개입니다. {theirs}개여야 합니다.", f"It returns {ours} values, not {theirs}."
        )
    if isinstance(wanted, float):
        got, wanted = (torch.tensor(number, dtype=torch.double) for number in (got, wanted))
    if isinstance(wanted, torch.Tensor):
        return _compare_tensors(got, wanted, different)
    return None if got == wanted else different


def _first(got, wanted, keys):
    """The first difference between what two lists, tuples or dictionaries hold."""
    for key in keys:
        if difference := _difference(got[key], wanted[key], inside=True):
            return difference._replace(place=(key, *difference.place))
    return None


def _compare_tensors(got, wanted, different):
    if got.shape != wanted.shape:
        ours, theirs = tuple(got.shape), tuple(wanted.shape)
        return Difference(f"형태: {ours}. 필요한 형태: {theirs}.", f"The shape is {ours}, not {theirs}.")
    if _kind(got) != _kind(wanted):
        ours, theirs = got.dtype, wanted.dtype
        return Difference(f"dtype: {ours}. 필요한 dtype: {theirs}.", f"The dtype is {ours}, not {theirs}.")
    equal = torch.isclose(got.double(), wanted.double(), rtol=1e-4, atol=1e-5, equal_nan=True)
    if equal.all():
        return None
    if got.isnan().any() and not wanted.isnan().any():
        different = Difference("결과에 NaN이 있습니다.", "The result holds NaN.")
    return different._replace(place=tuple((~equal).nonzero()[0].tolist()))


def _kind(tensor):
    return "bool" if tensor.dtype == torch.bool else "float" if tensor.is_floating_point() else "integer"


def _show_both(got, wanted, place):
    """Two results as texts, and what is at `place` where these are the same."""
    ours, theirs = _show(got), _show(wanted)
    if ours == theirs and (place or isinstance(wanted, float)):
        parts = (_show(_number(reduce(getitem, place, result)), digits=6) for result in (got, wanted))
        ours, theirs = (f"{ours}; {list(place)}: {part}" if place else part for part in parts)
    return ours, theirs


def _number(value):
    """A single number of torch or numpy as one of Python, anything else as it is."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def _show(value, digits=4):
    try:
        if isinstance(value, Failure):
            return value.shown
        if isinstance(value, Exception):
            return f"{type(value).__name__}: {value}"
        if isinstance(value, torch.Tensor) and value.numel() > 40:
            return f"tensor{tuple(value.shape)}"
        if isinstance(value, torch.Tensor):
            numbers = value.detach()
            if numbers.is_floating_point():
                numbers = numbers.double().round(decimals=digits) + 0.0
            return f"tensor({numbers.tolist()})"
        if isinstance(value, list | tuple):
            inner = ", ".join(_show(part, digits) for part in value)
            single = "," if len(value) == 1 else ""
            return f"[{inner}]" if isinstance(value, list) else f"({inner}{single})"
        if callable(value):
            return value.__name__.strip("_")
        return f"{value:.{digits}f}" if isinstance(value, float) else repr(value)
    except Exception:  # raised by the object itself, e.g. by its repr
        return f"({type(value).__name__})"
