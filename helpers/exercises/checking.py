"""What there is to say to an answer: passed or not, and why not."""

import contextlib
import functools
import io
import itertools
import math
import time
import warnings
from dataclasses import dataclass

import torch

from helpers.exercises import slips_of_any, slips_of_numbers  # noqa: F401  # each adds its slips
from helpers.exercises.comparing import (
    SECONDS,
    VALUES_DIFFER,
    Failure,
    attribute,
    difference,
    named,
    plain,
    run,
    show,
    show_both,
    show_call,
)
from helpers.exercises.forbidden import Watch
from helpers.exercises.kinds import Exploration, Mistake, Prediction
from helpers.exercises.mutants import mutants
from helpers.exercises.slips import differing_parts, evidence, explain

MANY = 999  # numbers of a tensor, to tell how long a case is
SYMBOLS = {True: "✓", False: "✗", None: "…"}  # of passed, and of what is not yet written


@dataclass
class Diagnosis:
    """passed: True, False, or None for an answer not yet written. ko and en say why.

    example: what goes below, the same in both languages.
    case: the index of the case that it shows.
    """

    passed: bool | None
    ko: str
    en: str
    example: str = ""
    case: int | None = None


@dataclass
class Attempt:
    """What a function did: its results, whether it printed, its name, and what it used that is forbidden."""

    results: list
    printed: bool
    name: str
    used: set


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
    if not isinstance(answer, Attempt):
        if isinstance(answer, type):
            call = f"f({', '.join(named(exercise.spec, exercise.cases[0]))})"
            ko = f"아직입니다. 클래스 {answer.__name__} 대신, 이것을 만들어 호출하는 함수 {call}를 넘기세요."
            en = f"instead of the class {answer.__name__} pass a function {call} that builds and calls it."
            return Diagnosis(None, ko, f"Not yet: {en}")
        if not callable(answer):
            ko = "아직입니다. 함수가 돌려주는 값이 아니라 함수 자체를 넘기세요: check(f, …)."
            return Diagnosis(None, ko, "Not yet: pass the function itself, not what it returns: check(f, …).")
        answer = try_out(answer, exercise.cases, exercise.forbidden)
    with warnings.catch_warnings(action="ignore"):  # of functions that the reader has not written
        return _judge_attempt(answer, exercise)


def try_out(function, cases, forbidden=()):
    """Call a function in every case, for `SECONDS` in all.

    Args:
        function: an answer.
        cases, forbidden: of an `Exercise`.

    Returns:
        An `Attempt`.
    """
    end, results = time.monotonic() + SECONDS, []
    watch = Watch(forbidden, attribute(attribute(function, "__code__"), "co_filename"))
    watched = watch if forbidden else contextlib.nullcontext()
    with contextlib.redirect_stdout(io.StringIO()) as printed, watched:
        for case in cases:
            late = [
                result for result in results[-1:] if type(result) is Failure and result.error == "TooLong"
            ]
            results += late or [run(function, case, max(end - time.monotonic(), 0.1))]
    print(printed.getvalue(), end="")
    name = attribute(function, "__name__")
    name = name if isinstance(name, str) else "answer"
    return Attempt(results, bool(printed.getvalue()), name, watch.used)


def _judge_finding(found, exercise):
    if not isinstance(found, str) or not found.strip(" .…\n"):
        return Diagnosis(
            None, "아직입니다. 찾은 것을 글로 적으세요.", "Not yet: write down what you found, as a text."
        )
    ko, en = exercise.look_for
    return Diagnosis(True, f"적었습니다. 비교해 보세요: {ko}", f"Noted. Compare with this: {en}")


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
    known = [text.casefold() for text in exercise.choices]
    if others := [part for part in _flat(guess) if known and part.casefold() not in known]:
        texts = ", ".join(map(show, exercise.choices))
        ko = f"아직입니다. {show(others[0])} 대신 이 가운데에서 고르세요: {texts}."
        return Diagnosis(None, ko, f"Not yet: instead of {show(others[0])} choose from {texts}.")
    right = _is_near(guess, answer, exercise.near)
    slips = (said for slip, *said in exercise.slips if _is_near(guess, plain(slip), exercise.near))
    slip = ("", "") if right else next(slips, ("", ""))
    example = f"\n    guess:  {show(guess)}\n    answer: {show(answer)}"
    ko, en = (
        " ".join(filter(None, sentences)) for sentences in zip(SAID[right], slip, exercise.why, strict=True)
    )
    return Diagnosis(right, ko, en, example)


SAID = {
    True: ("예측이 맞았습니다.", "You got it."),
    False: ("아쉽지만 아닙니다.", "Not quite."),
}
FORMS = {
    "number": ("숫자로", "a number"),
    "text": ("문자열로", "a text in quotes"),
    "order": ("리스트나 튜플로, 모두 빠짐없이", "a list or a tuple with all of them"),
}


def _flat(guess):
    """The texts of a guess, as they are compared."""
    return [part.strip() for part in (guess if isinstance(guess, list) else [guess]) if isinstance(part, str)]


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
    cases = exercise.cases
    got = [_read(exercise, *pair) for pair in zip(attempt.results, cases, strict=True)]
    wanted = [result_of(exercise, exercise.spec, case) for case in cases]
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
    if used := [name for name in exercise.forbidden if name in attempt.used]:
        name = used[0]
        return Diagnosis(
            False, f"{name} 없이 풀어야 하는 연습입니다.", f"This exercise is to be solved without {name}."
        )
    wrong = [index for index in range(len(got)) if difference(got[index], wanted[index])]
    if not wrong:
        ko, en = f"{len(got)}가지 경우를 모두 통과했습니다.", f"All {len(got)} cases pass."
        return Diagnosis(True, ko, en)
    wrong.sort(
        key=lambda i: (i >= exercise.shown, i if i < exercise.shown else len(show(cases[i], most=MANY)))
    )
    first = wrong[0]
    ours, theirs = show_both(got[first], wanted[first], difference(got[first], wanted[first]).place)
    example = f"\n    {show_call(attempt.name, cases[first])}\n    expected: {theirs}\n    got:      {ours}"
    if type(got[first]) is Failure and got[first].line:
        example += f"\n    {got[first].line}"
    if exercise.start and _behaves_like(exercise.start, exercise, got, [*wrong, *range(len(got))]):
        return Diagnosis(None, "아직 고치지 않았습니다.", "Not fixed yet.", example, first)
    return Diagnosis(False, *_why(exercise, got, wanted, wrong), example, first)


def _why(exercise, got, wanted, wrong):
    """What to say to wrong results, in both languages: the first of these that fits all of them."""
    ko, en, _ = difference(got[wrong[0]], wanted[wrong[0]])
    # An error has many causes: that a mistake raises it too does not say which one this is.
    told = [i for i in wrong if type(got[i]) is not Failure]
    if not told:
        return ko, en
    order = [*told, *(i for i in range(len(got)) if i not in told)]
    if listed := _listed(exercise, got, wrong, order):
        return listed
    arguments = [named(exercise.spec, case) for case in exercise.cases]
    results = [(got[i], wanted[i], arguments[i]) for i in wrong]
    clear = len(told) == len(wrong)
    slip = (
        (explain(results, vague=False) if clear else None)
        or _mutant(exercise, got, wanted, order, told)
        or _always_the_same(got, wanted)
        or (explain(results, vague=True) if clear else None)
    )
    if slip:
        return slip if en == VALUES_DIFFER.en else (f"{ko} {slip[0]}", f"{en} {slip[1]}")
    if en != VALUES_DIFFER.en:
        return ko, en
    return _only_one_part(got, wanted, wrong) or _only_where(arguments, wrong) or (ko, en)


def _listed(exercise, got, wrong, order):
    """What to say to one of the mistakes of an exercise, to two at once, or to one in all cases but some."""
    if found := _like_one_of(exercise.mistakes, exercise, got, order):
        return found
    partial = functools.partial
    pairs = [
        (one, other)
        for one, other in itertools.combinations(exercise.mistakes, 2)
        if type(one.answer) is type(other.answer) is partial
        and one.answer.func is other.answer.func
        and not one.answer.keywords.keys() & other.answer.keywords.keys()
    ]
    both = (
        Mistake(partial(one.answer, **other.answer.keywords), f"{one.ko} {other.ko}", f"{one.en} {other.en}")
        for one, other in pairs
    )
    return _like_one_of(both, exercise, got, order) or (
        _like_one_of(exercise.mistakes, exercise, got, wrong) if len(wrong) > 1 else None
    )


def _mutant(exercise, got, wanted, order, told):
    if evidence(wanted) < 3:  # one or two numbers are like many things
        return None
    largest = max(told, key=lambda i: len(show(exercise.cases[i], most=MANY)))
    return _like_one_of(mutants(exercise.spec, exercise.cases[largest]), exercise, got, order)


def _like_one_of(mistakes, exercise, got, order):
    found = (mistake for mistake in mistakes if _behaves_like(mistake.answer, exercise, got, order))
    return next(((mistake.ko, mistake.en) for mistake in found), None)


def _always_the_same(got, wanted):
    """What to say if all cases have one result, and should not."""
    if any(difference(one, got[0]) for one in got) or not any(difference(one, wanted[0]) for one in wanted):
        return None
    return "무엇을 넣어도 같은 값을 돌려줍니다.", "It returns the same whatever it is given."


def _only_one_part(got, wanted, wrong):
    """What to say to a tuple of which always the same part differs."""
    if not all(isinstance(value, tuple) for i in wrong for value in (got[i], wanted[i])):
        return None
    places = {difference(got[i], wanted[i]).place[:1] for i in wrong}
    right = all(len(differing_parts(got[i], wanted[i])) == 1 for i in wrong)
    if len(places) > 1 or not right or () in places:
        return None
    [[place]] = places
    return f"{place + 1}번째 값만 다릅니다.", f"Only value {place + 1} of {len(wanted[wrong[0]])} differs."


def _only_where(arguments, wrong):
    """What the arguments of all wrong cases have in common, and those of no other case."""
    found = [set().union(*(_features(*argument) for argument in case.items())) for case in arguments]
    common = set.intersection(*(found[i] for i in wrong))
    common -= set().union(*(found[i] for i in range(len(found)) if i not in wrong))
    if len(wrong) < len(found) and common:
        feature = min(common, key=lambda text: (len(text), text))
        return f"{feature}인 경우에만 틀립니다.", f"It is wrong only where {feature}."
    if wrong[0] == min(wrong) and (first := min(wrong)):
        right = "The first case is" if first == 1 else f"The first {first} cases are"
        ko, en = VALUES_DIFFER[:2]
        return f"{ko} 앞의 {first}가지 경우는 맞습니다.", f"{en} {right} right."
    return None


def _features(name, value):
    """What may set the cases apart in which an answer is wrong."""
    if isinstance(value, bool | None):
        return {f"{name} = {value}"}
    if isinstance(value, int):
        return {
            f"{name} = {value}",
            f"{name} {'<' if value < 0 else '>' if value else '='} 0",
            *([f"{name} > 1"] if value > 1 else []),
        }
    if isinstance(value, torch.Tensor):
        sizes = [
            f"{name}.size({axis}) {'= 1' if size == 1 else '> 1'}" for axis, size in enumerate(value.shape)
        ]
        return {*sizes, *([f"{name}.isnan().any()"] if value.isnan().any() else [])}
    if isinstance(value, list | tuple | str | set | dict):
        repeats = isinstance(value, list | tuple | str) and len(set(map(str, value))) < len(value)
        return {
            f"len({name}) {'= 0' if not value else '= 1' if len(value) == 1 else '> 1'}",
            *([f"{name} repeats an element"] if repeats else []),
        }
    return set()


def _behaves_like(function, exercise, got, order):
    return not any(difference(got[i], result_of(exercise, function, exercise.cases[i])) for i in order)


def result_of(exercise, function, case):
    """What a function returns in a case, as it is compared.

    Args:
        exercise: `Exercise`.
        function: an answer that is known to end.
        case: tuple of arguments.

    Returns:
        The result, or a `Failure`.
    """
    return _read(exercise, run(function, case), case)


def _read(exercise, result, case):
    """A result as it is compared; one that cannot be read so is compared as it is."""
    try:
        return exercise.read(result, *case) if exercise.read and type(result) is not Failure else result
    except Exception:
        return result
