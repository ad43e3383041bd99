"""The usual slips are named, whatever the exercise; and one that fits only some of the cases is not."""

import re

import pytest
import torch

from helpers.exercises.checking import diagnose
from helpers.exercises.kinds import Exercise, random_tensors
from helpers.exercises.slips import SLIPS

_random = random_tensors()
TENSORS = [(_random(2, 3),), (_random(3, 4),), (_random(4, 2),)]
MATRIX = Exercise(lambda x: x * 3 + 1, TENSORS, [])
WEIGHTS = Exercise(lambda x: x.softmax(1), TENSORS, [])
MEAN = Exercise(lambda x: x.mean(1), TENSORS, [])
VARIANCE = Exercise(lambda x: x.var(1, correction=0), TENSORS, [])
MASK = Exercise(lambda x: x.tril() > 0, TENSORS, [])
HIDDEN = Exercise(lambda x: x.masked_fill(x < 0, -torch.inf), TENSORS, [])
LENGTH = Exercise(lambda words: len(words), [(["a"],), (["a", "b", "a"],), ([],)], [])
WORDS = Exercise(lambda words: list(words), [(("b", "a"),), (("b", "c", "a", "b"),)], [])
IDS = Exercise(lambda x: x.flatten().argsort()[:2], TENSORS, [])
PAIRS = Exercise(
    lambda words: [(a, b) for a, b in zip(words, words[1:], strict=False)], [("ab",), ("abc",)], []
)
TABLE = Exercise(
    lambda words: {w: i for i, w in enumerate(words)}, [(["a"],), (["a", "b"],), (["d", "b"],)], []
)
TWO = Exercise(lambda a, b: a - 2 * b, [(_random(2), _random(2)), (_random(3), _random(3))], [])
LEARNED = Exercise(lambda x: 2 * x, [(torch.ones(2, requires_grad=True),)], [])


@pytest.mark.parametrize(
    ("exercise", "answer", "english"),
    [
        (MATRIX, lambda x: -(x * 3 + 1), "The sign is reversed"),
        (MATRIX, lambda x: (x * 3 + 1).T, "It is transposed: the order of its axes is (1, 0)"),
        (MATRIX, lambda x: (x * 3 + 1) * 100, "This is a percentage"),
        (MATRIX, lambda x: (x * 3 + 1) * 5, "Every number is 5 times"),
        (MATRIX, lambda x: x * 3 + 1.5, "Every number is off by the same amount: +0.5"),
        (MATRIX, lambda x: (x * 3 + 1) ** 2, "It is squared"),
        (MATRIX, lambda x: (x * 3 + 1).abs(), "The signs are lost"),
        (MATRIX, lambda x: (x * 3 + 1).relu(), "The negative numbers have become 0"),
        (MATRIX, lambda x: (x * 3 + 1).round(decimals=2), "It is rounded to 2 digits"),
        (MATRIX, lambda x: (x * 3 + 1).flip(1), "as if the last axis of x were reversed"),
        (MATRIX, lambda x: (x * 3 + 1).roll(1, dims=0), "It is shifted by one place along axis 0"),
        (MATRIX, lambda x: (x * 3 + 1).sort(1).values, "It is sorted along axis 1"),
        (MATRIX, lambda x: (x * 3 + 1)[None], "An axis of size 1 is missing or too many"),
        (MATRIX, lambda x: (x * 3 + 1)[0], "Only the first along axis 0 is there"),
        (MATRIX, lambda x: (x * 3 + 1).flatten(), "The numbers and their order are right, the shape is not"),
        (MATRIX, lambda x: (x * 3 + 1).tolist(), "The values are right, their types are not"),
        (MATRIX, lambda x: (x * 3 + 1,), "The value stands in a tuple of one"),
        (MATRIX, lambda x: (x * 3 + 1)[:, :-1], "The last along axis 1 is missing"),
        (MATRIX, lambda x: torch.cat([x * 3 + 1, x[-1:]]), "There is one too many at the end of axis 0"),
        (
            MATRIX,
            lambda x: (x * 3 + 1).index_fill(1, torch.tensor([0]), 9),
            "Only the first along axis 1 differs",
        ),
        (MATRIX, lambda x: x * 3 + 1.01, "same amount"),
        (MATRIX, lambda x: x, "It returns x unchanged"),
        (MATRIX, lambda x: torch.ones(2, 3), "It returns the same whatever it is given"),
        (MATRIX, lambda x: print(x), "It prints its result; return it"),
        (MATRIX, lambda x: x * 3 + 1 if len(x) < 3 else None, "It returns nothing: a return is missing"),
        (WEIGHTS, lambda x: x.softmax(0), "as if softmax ran along axis 0"),
        (WEIGHTS, lambda x: x + 1, "The softmax along axis 1 is missing"),
        (WEIGHTS, lambda x: x.exp(), "It is not divided by its sum along axis 1"),
        (WEIGHTS, lambda x: x.log_softmax(1), "An exp is missing"),
        (MEAN, lambda x: x.sum(1), "It is x.size(1) times too large: a sum, not a mean"),
        (MEAN, lambda x: x + 0.0, "It returns x unchanged"),
        (MEAN, lambda x: x.flip(1), "It is not averaged over axis 1"),
        (MEAN, lambda x: x.mean(), "Everything is averaged"),
        (VARIANCE, lambda x: x.std(1, correction=0), "It is the square root of what is wanted"),
        (VARIANCE, lambda x: x.var(1), "as if the variance were divided by n - 1"),
        (MASK, lambda x: ~(x.tril() > 0), "True and False are inverted"),
        (MASK, lambda x: x.tril() * (x > 0), "The dtype is torch.float32, not torch.bool"),
        (HIDDEN, lambda x: x.masked_fill(x < 0, 0), "as if masked_fill wrote 0"),
        (LENGTH, lambda words: len(words) + 1, "One too many"),
        (LENGTH, lambda words: len(set(words)), "as if words had no repeats"),
        (WORDS, lambda words: list(words)[::-1], "The order is reversed"),
        (WORDS, lambda words: sorted(words), "It is sorted"),
        (WORDS, lambda words: [words[0], *words[:0:-1]][::-1], "The elements are right, in another order"),
        (WORDS, lambda words: list(dict.fromkeys(words)), "What repeats is there only once"),
        (WORDS, lambda words: list(words)[1:], "as if words lacked its first element"),
        (WORDS, lambda words: [*words, "a"], "There are more elements at the end"),
        (WORDS, lambda words: " ".join(words), "The pieces are joined into one text"),
        (WORDS, lambda words: (w for w in words), "It is not computed yet; wrap it in list(…)"),
        (WORDS, lambda words: map(str, words), "It is not computed yet; wrap it in list(…)"),
        (IDS, lambda x: x.flatten().sort().values[:2], "The dtype is"),
        (PAIRS, lambda words: [(b, a) for a, b in zip(words, words[1:])], "wrong way round"),  # noqa: B905
        (TABLE, lambda words: dict(enumerate(words)), "Keys and values are swapped"),
        (TABLE, lambda words: {w: i + 1 for i, w in enumerate(words)}, "One too many"),
        (TABLE, lambda words: {words[0]: 0}, "as if words were its first element alone"),
        (TWO, lambda a, b: b - 2 * a, "a and b are swapped"),
        (TWO, lambda a, b: b - 2 * b, "b is used where a belongs"),
        (LEARNED, lambda x: (2 * x).detach(), "It is detached"),
    ],
)
def test_a_slip_is_named(exercise, answer, english):
    result = diagnose(answer, exercise)
    assert result.passed is False and english in result.en, result.en
    assert re.search("[가-힣]", result.ko)


def test_places_and_what_stands_there():
    table = ["나는", "파리", "갔다"]
    words = Exercise(lambda ids, table: [table[i] for i in ids], [([2], table), ([1, 0], table)], [])
    assert "These are places in table" in diagnose(lambda ids, table: [int(i) for i in ids], words).en
    ids = Exercise(lambda words, table: [table.index(word) for word in words], [(["갔다"], table)], [])
    assert "These are what stands in table" in diagnose(lambda words, table: [*words], ids).en


def test_a_slip_that_explains_only_some_of_the_wrong_cases_is_not_named():
    def sometimes_negated(x):
        return -(x * 3 + 1) if len(x) == 2 else x * x * x

    assert diagnose(sometimes_negated, MATRIX).en == "The values differ."


def test_how_many_cases_are_right_is_said():
    def wrong_at_last(x):
        return x * 3 + 1 if len(x) < 4 else x * x * x

    assert diagnose(wrong_at_last, MATRIX).en == "The values differ. The first 2 cases are right."


def test_a_listed_mistake_goes_before_a_slip():
    listed = [lambda x: -(x * 3 + 1), "그 실수입니다.", "That mistake."]
    assert diagnose(lambda x: -1 - x * 3, Exercise(MATRIX.spec, TENSORS, listed)).en == "That mistake."


def test_every_slip_speaks_both_languages():
    for ko, en, *_ in SLIPS:
        assert re.search("[가-힣]", ko) and not re.search("[가-힣]", en)
        assert ko.count("{}") == en.count("{}")


def of_its_own(x):
    y = x * 2
    return y.no_such_thing


def test_an_error_is_shown_with_the_readers_own_line():
    line = of_its_own.__code__.co_firstlineno + 2
    assert diagnose(of_its_own, MATRIX).example.endswith(f"\n    line {line}: return y.no_such_thing")


def changes_later(results=[]):  # noqa: B006
    results.append(len(results))
    return results


def test_a_result_is_kept_as_it_was_returned():
    assert diagnose(changes_later, Exercise(lambda: [0], [(), ()], [])).en.startswith("There are more")
    steps = iter(([0], [0, 1]))
    assert diagnose(changes_later, Exercise(lambda: next(steps), [(), ()], [])).passed is False
