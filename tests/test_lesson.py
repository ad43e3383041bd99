"""What `check` says to an answer: which mistake it is, and where it differs; no result is too odd for it."""

import numpy
import pytest
import torch

from helpers.exercises.checking import diagnose
from helpers.exercises.kinds import Exercise, Mistake
from helpers.lesson import check

HALF = Exercise(
    spec=lambda x: x / 2,
    cases=[(torch.tensor([2.0]),), (torch.tensor([2.0, 6.0]),)],
    mistakes=[Mistake(lambda x: x * 2, "두 배입니다.", "That is double.")],
)


@pytest.mark.parametrize(
    ("answer", "passed", "english"),
    [
        (lambda x: None, None, "Not yet"),
        (lambda x: x * 0.5, True, "All 2 cases pass"),
        (lambda x: (x / 2).double(), True, "All 2 cases pass"),
        (lambda x: x + x, False, "That is double"),
        (lambda x: x * 0.51, False, "Every number is 1.02 times"),
        (lambda x: x.sum() / 2, False, "The shape is (), not (1,)"),
        (lambda x: (x / 2).long(), False, "The dtype is torch.int64, not torch.float32"),
        (lambda x: (x / 2).tolist(), False, "It returns list; return Tensor"),
        (lambda x: x / 2 * float("nan"), False, "holds NaN"),
        (lambda x: x.no_such_method(), False, "It raises an error (AttributeError)"),
        (lambda x: x.div_(2), False, "changes its arguments (x)"),
    ],
)
def test_diagnose(answer, passed, english):
    result = diagnose(answer, HALF)
    assert result.passed is passed and english in result.en


TWO = Exercise(spec=lambda x: (x, 2 * x), cases=[(torch.tensor([1.0]),)], mistakes=[])


@pytest.mark.parametrize(
    ("answer", "passed", "english"),
    [
        (lambda x: (x, x + x), True, "All 1 cases pass"),
        (lambda x: (x, x * 3), False, "One too many"),
        (lambda x: (x, 2 * x, x), False, "It returns 3 values, not 2"),
        (lambda x: [x, 2 * x], False, "It returns list; return tuple"),
    ],
)
def test_diagnose_several_values(answer, passed, english):
    result = diagnose(answer, TWO)
    assert result.passed is passed and english in result.en


def test_check_prints_both_languages_and_the_smallest_case(capsys):
    def half(x):
        return x if len(x) > 1 else x / 2  # wrong only on the second case

    check(half, HALF)
    assert capsys.readouterr().out.splitlines() == [
        "✗ 인자 x를 그대로 돌려주었습니다.",
        "✗ It returns x unchanged.",
        "    half(tensor([2.0, 6.0]))",
        "    expected: tensor([1.0, 3.0])",
        "    got:      tensor([2.0, 6.0])",
    ]


class Odd:
    """An object that raises whatever is asked of it."""

    def __eq__(self, other):
        raise ZeroDivisionError

    def __repr__(self):
        raise ZeroDivisionError


class OddText(str):
    def __eq__(self, other):
        return numpy.array([True, False])

    __hash__ = str.__hash__


def itself():
    result = []
    result.append(result)
    return result


RESULTS = {
    "an object": Odd(),
    "a class": Odd,
    "a module": torch.nn.Linear(2, 2),
    "a generator": (number for number in range(3)),
    "an iterator": iter([1, 2]),
    "an array": numpy.arange(3),
    "an array of objects": numpy.array([Odd(), None]),
    "a numpy number": numpy.int64(3),
    "a tensor on meta": torch.empty(2, 2, device="meta"),
    "a sparse tensor": torch.eye(2).to_sparse(),
    "a complex tensor": torch.ones(2, 2, dtype=torch.complex64),
    "NaN": float("nan"),
    "NaN in a tensor": torch.full((2, 2), torch.nan),
    "an error": ValueError("returned, not raised"),
    "a text of its own": OddText("b"),
    "a list of tensors": [torch.ones(2), torch.ones(3)],
    "a list of odd things": [Odd(), float("nan"), {}],
    "a list in itself": itself(),
    "a dictionary": {"a": torch.ones(2), Odd: Odd()},
    "None in places": (None, None),
}
WANTED = [True, 1, 0.5, "a", [1, 2], ["a", "b"], (1, 2.0), {"a": 1}, torch.eye(2), [torch.eye(2)] * 2]


@pytest.mark.parametrize("wanted", WANTED, ids=str)
@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_check_survives_every_result(result, wanted, capsys):
    mistake = Mistake(lambda: wanted if isinstance(wanted, str) else [wanted], "실수", "A mistake.")
    check(lambda: result, Exercise(lambda: wanted, [()], [mistake]))
    assert capsys.readouterr().out.startswith("✗ ")


def said(got, wanted):
    return diagnose(lambda: got, Exercise(lambda: wanted, [()], []))


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (numpy.bool_(True), True),
        (numpy.int64(2), 2),
        ([torch.tensor(1), numpy.int32(2)], [1, 2]),
        ([1.0, 2.0], [1, 2]),
        (0.5 + 1e-7, 0.5),
        ([0.1 + 0.2], [0.3]),
        (float("nan"), float("nan")),
        ([torch.ones(2), (torch.zeros(3), "a")], [torch.ones(2), (torch.zeros(3), "a")]),
        ({"b": 1, "a": torch.ones(2)}, {"a": torch.ones(2), "b": 1}),
    ],
    ids=str,
)
def test_equal_results(got, wanted):
    assert said(got, wanted).passed is True


@pytest.mark.parametrize(
    ("got", "wanted", "english"),
    [
        (numpy.bool_(False), True, "The values differ"),
        (numpy.float32(1), 1, "It returns float; return int"),
        (torch.tensor(2), 2, "It returns Tensor; return int"),
        ([torch.tensor([1, 2])], [1], "The values differ"),
        ([[1, 2]], [(1, 2)], "The values are right, their types are not"),
        ([1, 2, 3], [1, 2], "There are more elements at the end"),
        ({"a": 1}, {"a": 2}, "One too few"),
        ({"a": 1}, {"b": 1}, "lacks the key 'b'"),
        ((torch.ones(2), torch.ones(3)), (torch.ones(2), torch.ones(4)), "The shape is (3,), not (4,)"),
        (float("nan"), 0.5, "The result holds NaN"),
        ((number for number in [1, 2]), [1, 2], "It returns generator; return list"),
        (ValueError("no"), 1, "It returns ValueError; return int"),
        (torch.empty(2, device="meta"), torch.ones(2), "The values cannot be compared"),
    ],
)
def test_different_results(got, wanted, english):
    result = said(got, wanted)
    assert result.passed is False and english in result.en


LARGE = torch.arange(96.0).reshape(2, 3, 16)
CHANGED = LARGE.clone()
CHANGED[1, 0, 2:] += 0.5


@pytest.mark.parametrize(
    ("got", "wanted", "shown_got", "shown_wanted"),
    [
        ([("a", 1)], [("a",)], "[('a', 1)]", "[('a',)]"),
        ([["a", "b"]], [("a", "b")], "[['a', 'b']]", "[('a', 'b')]"),
        (CHANGED, LARGE, "tensor(2, 3, 16); [1, 0, 2]: 50.500000", "tensor(2, 3, 16); [1, 0, 2]: 50.000000"),
        (
            ("a", CHANGED > 50),
            ("a", LARGE > 50),
            "('a', tensor(2, 3, 16)); [1, 1, 0, 2]: True",
            "('a', tensor(2, 3, 16)); [1, 1, 0, 2]: False",
        ),
        (
            torch.tensor([0.0, 2e-5]),
            torch.zeros(2),
            "tensor([0.0, 0.0]); [1]: 0.000020",
            "tensor([0.0, 0.0]); [1]: 0.000000",
        ),
        (LARGE.long(), LARGE, "tensor(2, 3, 16)", "tensor(2, 3, 16)"),
        ([2e-5], [0.0], "[0.0000]; [0]: 0.000020", "[0.0000]; [0]: 0.000000"),
        (2e-5, 0.0, "0.000020", "0.000000"),
    ],
)
def test_what_differs_is_shown(got, wanted, shown_got, shown_wanted):
    example = said(got, wanted).example
    assert example.endswith(f"expected: {shown_wanted}\n    got:      {shown_got}")


def raises(x):
    raise RuntimeError("out of memory")


def test_an_error_is_no_listed_mistake():
    double = Mistake(lambda x: x @ torch.ones(9, 9), "두 배입니다.", "That is double.")
    exercise = Exercise(HALF.spec, HALF.cases, [double])
    assert diagnose(raises, exercise).en == "It raises an error (RuntimeError)."


def refuses(x):
    if not len(x):
        raise ValueError("x: empty")
    return x / 2


def test_an_error_that_the_specification_raises_too():
    double = Mistake(lambda x: refuses(x) * 4, "두 배입니다.", "That is double.")
    exercise = Exercise(refuses, [*HALF.cases, (torch.ones(0),)], [double])
    assert diagnose(refuses, exercise).passed is True
    assert diagnose(lambda x: refuses(x) + refuses(x) * 3, exercise).en == "That is double."
    assert diagnose(lambda x: x / 2, exercise).en == "This input must raise a ValueError."
    assert diagnose(raises, exercise).en == "It raises an error (RuntimeError)."


def test_both_results_are_shown_as_they_are():
    wanted = torch.tensor([[True, True, False], [True, True, True]])
    result = diagnose(lambda: torch.ones(2, 3, dtype=torch.bool), Exercise(lambda: wanted, [()], []))
    assert result.example.splitlines()[-2:] == [
        "    expected: tensor([[True, True, False], [True, True, True]]); [0, 2]: False",
        "    got:      tensor([[True, True, True], [True, True, True]]); [0, 2]: True",
    ]
