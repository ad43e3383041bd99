"""What there is to say to an answer: passed or not, and why not."""

import contextlib
import io
import itertools
import math
from dataclasses import dataclass

from helpers.exercises import slips_of_any, slips_of_numbers  # noqa: F401  # each adds its slips
from helpers.exercises.comparing import (
    VALUES_DIFFER,
    Failure,
    difference,
    named,
    plain,
    run,
    show,
    show_both,
)
from helpers.exercises.kinds import Exploration, Prediction
from helpers.exercises.slips import explain


@dataclass
class Diagnosis:
    """passed: True, False, or None for an answer not yet written. ko and en say why.

    example: what goes below, the same in both languages.
    solved: whether the exercise counts as done.
    """

    passed: bool | None
    ko: str
    en: str
    example: str = ""
    solved: bool = False


@dataclass
class Attempt:
    """What a function did: its results, whether it printed, its name, and the names in its code."""

    results: list
    printed: bool
    name: str
    names: set


def diagnose(answer, exercise):
    """Judge an answer.

    Args:
        answer: a function or what `try_out` returns for it, a guess, or a text, by the kind of the exercise.
        exercise: `Exercise`, `Prediction` or `Exploration`.

    Returns:
        A `Diagnosis`, whatever the answer is, returns or raises.
    """
    if isinstance(exercise, Prediction):
        return _judge_guess(answer, exercise)
    if isinstance(exercise, Exploration):
        return _judge_finding(answer, exercise)
    attempt = answer if isinstance(answer, Attempt) else try_out(answer, exercise.cases)
    return _judge_attempt(attempt, exercise)


def try_out(function, cases):
    """Call a function in every case.

    Args:
        function: an answer.
        cases: of an `Exercise`.

    Returns:
        An `Attempt`.
    """
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        results = [run(function, case) for case in cases]
    print(printed.getvalue(), end="")
    name, code = getattr(function, "__name__", "answer"), getattr(function, "__code__", None)
    return Attempt(results, bool(printed.getvalue()), name, _names_in(code))


def _judge_finding(found, exercise):
    if not isinstance(found, str) or not found.strip(" .…\n"):
        return Diagnosis(
            None, "아직입니다. 찾은 것을 글로 적으세요.", "Not yet: write down what you found, as a text."
        )
    ko, en = exercise.look_for
    return Diagnosis(True, f"적었습니다. 비교해 보세요: {ko}", f"Noted. Compare with this: {en}", solved=True)


def _judge_guess(guess, exercise):
    if guess is ...:
        return Diagnosis(
            None, "아직입니다. 실행하기 전에 예측을 적으세요.", "Not yet: write your guess before you run it."
        )
    answer = exercise.answer() if callable(exercise.answer) else exercise.answer
    guess, answer = plain(guess), plain(answer)
    if _form(guess) != _form(answer):
        ko, en = FORMS[_form(answer)]
        return Diagnosis(None, f"아직입니다. 예측은 {ko} 적으세요.", f"Not yet: the guess should be {en}.")
    right = _is_near(guess, answer, exercise.near)
    (ko, en), (why_ko, why_en) = SAID[right], exercise.why
    example = f"\n    guess:  {show(guess)}\n    answer: {show(answer)}"
    return Diagnosis(right, f"{ko} {why_ko}".strip(), f"{en} {why_en}".strip(), example, solved=True)


SAID = {
    True: ("예측이 맞았습니다.", "You predicted it."),
    False: ("예측과 다릅니다.", "It comes out differently."),
}
FORMS = {
    "number": ("숫자로", "a number"),
    "text": ("문자열로", "a text in quotes"),
    "order": ("리스트로, 모두 빠짐없이", "a list with all of them"),
}


def _form(value):
    if isinstance(value, list):
        return "order"
    return "text" if isinstance(value, str) else "number" if isinstance(value, int | float) else None


def _is_near(guess, answer, near):
    if isinstance(answer, list):
        pairs = zip(guess, answer, strict=False)
        return len(guess) == len(answer) and all(_is_near(*pair, near) for pair in pairs)
    if _form(guess) == _form(answer) == "number":
        return math.isclose(guess, answer, rel_tol=0, abs_tol=max(near * abs(answer), 1e-9))
    if isinstance(guess, str) and isinstance(answer, str):
        return guess.strip().casefold() == answer.strip().casefold()
    return guess == answer


def _judge_attempt(attempt, exercise):
    """The smallest case on which an answer is wrong, named by the mistake that it behaves like."""
    wanted = [run(exercise.spec, case) for case in exercise.cases]
    got = attempt.results
    if all(result is None for result in got) and attempt.printed:
        return Diagnosis(
            False,
            "결과를 출력하기만 합니다. print가 아니라 return으로 돌려주세요.",
            "It prints its result; return it.",
        )
    if all(result is None for result in got):
        return Diagnosis(
            None, "아직입니다. 함수가 돌려주는 값이 없습니다.", "Not yet: the function returns nothing."
        )
    if used := [name for name in exercise.forbidden if name in attempt.names]:
        name = used[0]
        return Diagnosis(
            False, f"{name} 없이 풀어야 하는 연습입니다.", f"This exercise is to be solved without {name}."
        )
    wrong = [index for index in range(len(got)) if difference(got[index], wanted[index])]
    if not wrong:
        ko, en = f"{len(got)}가지 경우를 모두 통과했습니다.", f"All {len(got)} cases pass."
        return Diagnosis(True, ko, en, solved=True)
    first = wrong[0]
    ko, en, place = difference(got[first], wanted[first])
    ours, theirs = show_both(got[first], wanted[first], place)
    example = (
        f"\n    {attempt.name}({', '.join(map(show, exercise.cases[first]))})"
        f"\n    expected: {theirs}"
        f"\n    got:      {ours}"
    )
    if type(got[first]) is Failure and got[first].line:
        example += f"\n    {got[first].line}"
    if exercise.start and _behaves_like(exercise.start, got, exercise.cases):
        return Diagnosis(None, "아직 고치지 않았습니다.", "Not fixed yet.", example)
    # An error has many causes: that a mistake raises it too does not say which one this is.
    failed = any(type(got[i]) is Failure and type(wanted[i]) is not Failure for i in wrong)
    if not failed:
        for mistake in exercise.mistakes:
            if _behaves_like(mistake.answer, got, exercise.cases):
                return Diagnosis(False, mistake.ko, mistake.en, example)
        arguments = [named(exercise.spec, case) for case in exercise.cases]
        results = list(zip(got, wanted, arguments, strict=True))
        slip = (
            _always_the_same(got, wanted)
            or _mixed_up_arguments(exercise.spec, results)
            or explain([results[i] for i in wrong])
        )
        if slip:  # it says more than that values differ, and comes after a type or a shape that does
            ko, en = slip if en == VALUES_DIFFER.en else (f"{ko} {slip[0]}", f"{en} {slip[1]}")
        elif first and en == VALUES_DIFFER.en:
            right = "The first case is" if first == 1 else f"The first {first} cases are"
            ko, en = f"{ko} 앞의 {first}가지 경우는 맞습니다.", f"{en} {right} right."
    return Diagnosis(False, ko, en, example)


def _always_the_same(got, wanted):
    """What to say if all cases have one result, and should not."""
    if any(difference(one, got[0]) for one in got) or not any(difference(one, wanted[0]) for one in wanted):
        return None
    return "무엇을 넣어도 같은 값을 돌려줍니다.", "It returns the same whatever it is given."


def _mixed_up_arguments(spec, results):
    """What to say if the answer is right for arguments that are swapped, or one of which is used twice."""
    for a, b in itertools.permutations(results[0][2], 2):
        for swapped in (True, False):
            pairs = ((got, _run_mixed(spec, arguments, a, b, swapped)) for got, _, arguments in results)
            if not any(difference(*pair) for pair in pairs):
                if swapped:
                    return f"{a}와 {b}가 바뀌었습니다.", f"{a} and {b} are swapped."
                return f"{a}의 자리에 {b}를 썼습니다.", f"{b} is used where {a} belongs."
    return None


def _run_mixed(spec, arguments, a, b, swapped):
    if type(arguments[a]) is not type(arguments[b]):
        return None
    return run(spec, tuple((arguments | {a: arguments[b]} | ({b: arguments[a]} if swapped else {})).values()))


def _behaves_like(function, got, cases):
    return not any(difference(ours, run(function, case)) for ours, case in zip(got, cases, strict=True))


def _names_in(code):
    """All names of functions and attributes in a function's code, and in the functions inside it."""
    if code is None:
        return set()
    inner = (constant for constant in code.co_consts if hasattr(constant, "co_names"))
    return set(code.co_names).union(*map(_names_in, inner))
