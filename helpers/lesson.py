"""What a lesson needs around its code: the choice of language, and exercises that say what is wrong."""

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from helpers import plots

LANGUAGES = {"ko": ("ko",), "en": ("en",), "both": ("ko", "en")}


def language(choice):
    """Show the prose of a notebook in "ko", "en" or "both" (JupyterLab; elsewhere nothing changes)."""
    if choice not in LANGUAGES:
        raise ValueError(f'choice: {choice!r}; use "ko", "en" or "both"')
    from IPython.display import HTML, display

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
    """A plain specification, cases (tuples of arguments, smallest first), and typical mistakes."""

    spec: Callable
    cases: list
    mistakes: list


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


class ChangedArguments(Exception):
    """Stands for the result of a function that changes what it is given."""


def check(answer, exercise):
    """Run the reader's function on the cases of an exercise and print, in both languages, what came out."""
    result = diagnose(answer, exercise)
    mark = {True: "✓", False: "✗", None: "…"}[result.passed]
    print(f"{mark} {result.ko}\n{mark} {result.en}{result.example}")


def diagnose(answer, exercise):
    """The smallest case on which an answer is wrong, named by the mistake that it behaves like."""
    wanted = [_run(exercise.spec, case) for case in exercise.cases]
    got = [_run(answer, case) for case in exercise.cases]
    if all(result is None for result in got):
        return Diagnosis(
            None, "아직입니다. 함수가 돌려주는 값이 없습니다.", "Not yet: the function returns nothing."
        )
    wrong = [index for index in range(len(got)) if _difference(got[index], wanted[index])]
    if not wrong:
        return Diagnosis(True, f"{len(got)}가지 경우를 모두 통과했습니다.", f"All {len(got)} cases pass.")
    case = exercise.cases[wrong[0]]
    example = (
        f"\n    {getattr(answer, '__name__', 'answer')}({', '.join(map(_show, case))})"
        f"\n    기대 expected: {_show(wanted[wrong[0]])}"
        f"\n    결과 got:      {_show(got[wrong[0]])}"
    )
    for mistake in exercise.mistakes:
        pairs = zip(got, (_run(mistake.answer, case) for case in exercise.cases), strict=True)
        if not any(_difference(*pair) for pair in pairs):
            return Diagnosis(False, mistake.ko, mistake.en, example)
    return Diagnosis(False, *_difference(got[wrong[0]], wanted[wrong[0]]), example)


def _run(function, arguments):
    """What a function returns, or the error it raises; to change an argument is an error too."""
    given = copy.deepcopy(arguments)
    try:
        result = function(*given)
    except Exception as error:
        return error
    if any(_difference(after, before) for after, before in zip(given, arguments, strict=True)):
        return ChangedArguments("arguments")
    return result


def _difference(got, wanted):
    """None if the two are equal, else what differs, in Korean and in English."""
    if isinstance(got, ChangedArguments):
        return (
            "함수가 받은 인자를 바꿉니다. 복사본에서 계산하세요.",
            "It changes its arguments; work on a copy.",
        )
    if isinstance(got, Exception) and not isinstance(wanted, type(got)):
        return f"오류가 났습니다: {_show(got)}", f"It raises an error: {_show(got)}"
    if isinstance(wanted, Exception):
        same, name = type(got) is type(wanted), type(wanted).__name__
        return None if same else (f"이 입력에는 {name}가 나야 합니다.", f"This input must raise a {name}.")
    if not isinstance(got, type(wanted)):
        got, wanted = type(got).__name__, type(wanted).__name__
        return f"반환값의 타입: {got}. 필요한 타입: {wanted}.", f"It returns {got}; return {wanted}."
    if isinstance(wanted, tuple):
        if len(got) != len(wanted):
            ours, theirs = len(got), len(wanted)
            return (
                f"반환값이 {ours}개입니다. {theirs}개여야 합니다.",
                f"It returns {ours} values, not {theirs}.",
            )
        return next(filter(None, map(_difference, got, wanted)), None)
    if isinstance(wanted, torch.Tensor):
        if got.shape != wanted.shape:
            ours, theirs = tuple(got.shape), tuple(wanted.shape)
            return f"형태: {ours}. 필요한 형태: {theirs}.", f"The shape is {ours}, not {theirs}."
        if _kind(got) != _kind(wanted):
            return (
                f"dtype: {got.dtype}. 필요한 dtype: {wanted.dtype}.",
                f"The dtype is {got.dtype}, not {wanted.dtype}.",
            )
        if got.isnan().any() and not wanted.isnan().any():
            return "결과에 NaN이 있습니다.", "The result holds NaN."
        same = torch.allclose(got.double(), wanted.double(), rtol=1e-4, atol=1e-5, equal_nan=True)
    elif isinstance(wanted, float):
        same = math.isclose(got, wanted, rel_tol=1e-4, abs_tol=1e-5)
    else:
        same = got == wanted
    return None if same else ("값이 다릅니다.", "The values differ.")


def _kind(tensor):
    return "bool" if tensor.dtype == torch.bool else "float" if tensor.is_floating_point() else "integer"


def _show(value):
    if isinstance(value, torch.Tensor) and value.numel() > 40:
        return f"tensor{tuple(value.shape)}"
    if isinstance(value, torch.Tensor):
        numbers = value.detach()
        numbers = numbers.double().round(decimals=4) + 0.0 if numbers.is_floating_point() else numbers
        return f"tensor({numbers.tolist()})"
    if isinstance(value, ChangedArguments):
        return "(인자가 바뀜 arguments changed)"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_show, value))}]"
    if callable(value):
        return value.__name__.strip("_")
    if isinstance(value, Exception):
        return f"{type(value).__name__}: {value}"
    return f"{value:.4f}" if isinstance(value, float) else repr(value)
