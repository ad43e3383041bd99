"""What `check` says to an answer: which mistake it is, and where it differs; no result is too odd for it."""

import functools
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import numpy
import pytest
import torch

from helpers.exercises import checking, progress, time_limit
from helpers.exercises.checking import diagnose
from helpers.exercises.kinds import Exercise
from helpers.lesson import check

HALF = Exercise(
    spec=lambda x: x / 2,
    cases=[(torch.tensor([2.0]),), (torch.tensor([2.0, 6.0]),)],
    mistakes=[lambda x: x * 2, "두 배입니다.", "That is double."],
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
    mistake = [lambda: wanted if isinstance(wanted, str) else [wanted], "실수", "A mistake."]
    check(lambda: result, Exercise(lambda: wanted, [()], mistake))
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
    double = [lambda x: x @ torch.ones(9, 9), "두 배입니다.", "That is double."]
    exercise = Exercise(HALF.spec, HALF.cases, double)
    assert diagnose(raises, exercise).en == "It raises an error (RuntimeError)."


def refuses(x):
    if not len(x):
        raise ValueError("x: empty")
    return x / 2


def test_an_error_that_the_specification_raises_too():
    double = [lambda x: refuses(x) * 4, "두 배입니다.", "That is double."]
    exercise = Exercise(refuses, [*HALF.cases, (torch.ones(0),)], double)
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


class OwnError(BaseException):
    pass


class Lying:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = object.__hash__


class BrokenNames:
    """Callable, but its attributes raise errors."""

    def __call__(self, x):
        return x * 3

    @property
    def __name__(self):
        raise ZeroDivisionError

    @property
    def __code__(self):
        raise ZeroDivisionError


def raises_its_own(x):
    raise OwnError("mine")


def test_what_ends_more_than_a_function_ends_only_the_answer():
    assert "Return instead of calling exit" in diagnose(lambda x: sys.exit(), HALF).en
    assert diagnose(raises_its_own, HALF).en == "It raises an error (OwnError)."
    assert diagnose(BrokenNames(), HALF).passed is False
    assert diagnose(functools.partial(torch.mul, 0.5), HALF).passed is True


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        ([mock.ANY, mock.ANY], [1, 2]),
        ([Lying(), Lying()], ["a", "b"]),
        ((Lying(), torch.ones(2)), (torch.ones(2), torch.ones(2))),
        ({Lying(): 1}, {"a": 1}),
        ({"a": mock.ANY}, {"a": [1]}),
    ],
    ids=["any", "in a list", "in a tuple", "as a key", "as a value"],
)
def test_what_says_that_it_is_equal_to_everything_does_not_pass(got, wanted):
    assert said(got, wanted).passed is False


def test_huge_results_are_refused_before_they_are_copied():
    exercise = Exercise(lambda: torch.zeros(2, 2), [()], [])
    tensor = diagnose(lambda: torch.zeros(1).expand(1_000_000, 1_000_000), exercise)
    assert tensor.en == "The result is too large: tensor(1000000, 1000000)"
    assert "too large" in diagnose(lambda: [0] * 10**7, exercise).en


def in_a_thread(function):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def never_ends(x):
    while True:
        x = x + 1


def catches_everything(x):
    while True:
        try:
            never_ends(x)
        except:  # noqa: E722
            pass


@pytest.mark.parametrize("answer", [never_ends, catches_everything])
@pytest.mark.parametrize("call", [lambda f: f(), in_a_thread], ids=["main thread", "another thread"])
def test_an_answer_that_never_ends_is_stopped(answer, call, monkeypatch):
    monkeypatch.setattr(checking, "SECONDS", 0.3)
    before = threading.active_count()
    result = call(lambda: diagnose(answer, HALF))
    assert "is there a loop that never ends?" in result.en and result.passed is False
    assert "line " in result.example and threading.active_count() <= before + 1


def test_a_long_step_outside_of_python_says_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr(checking, "SECONDS", 0.1)
    monkeypatch.setattr(time_limit, "PATIENCE", 0.1)
    result = diagnose(lambda x: time.sleep(1), HALF)
    assert "is there a loop that never ends?" in result.en
    assert "Interrupt the kernel" in capsys.readouterr().out


def test_the_readers_own_interruption_is_no_mistake():
    with pytest.raises(KeyboardInterrupt):
        diagnose(lambda x: (_ for _ in ()).throw(KeyboardInterrupt), HALF)


def test_the_function_itself_is_wanted():
    for answer in (torch.ones(2), None, 3):
        result = diagnose(answer, HALF)
        assert result.passed is None and "pass the function itself" in result.en


def test_none_among_several_values_is_no_missing_return():
    three = Exercise(lambda: (1, 2, 3), [()], [])
    assert diagnose(lambda: (1, 2, None), three).en == "One of the values is None."
    two = Exercise(lambda: (1, 2), [()], [])
    assert "It returns 3 values, not 2." in diagnose(lambda: (1, 2, None), two).en


def test_the_message_of_an_error_is_shown_once(capsys):
    check(raises, HALF)
    assert capsys.readouterr().out.count("RuntimeError: out of memory") == 1


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [
        (lambda x: x[None] @ torch.ones(7, 2), "is one to be transposed?"),
        (lambda x: torch.ones(3, 2).mean(1) + torch.ones(3, 2), "is a keepdim or an unsqueeze missing?"),
        (lambda x: torch.ones(3, 2).T.view(6), "use reshape instead of view"),
    ],
)
def test_what_an_error_of_torch_means_is_said(answer, meaning):
    assert meaning in diagnose(answer, HALF).en


def test_random_cases_follow_the_given_ones_and_the_smallest_is_shown(capsys, monkeypatch):
    exercise = Exercise(lambda n: n * n, [(2,)], draw=lambda rng: (rng.randrange(100),))
    again = Exercise(lambda n: n * n, [(2,)], draw=lambda rng: (rng.randrange(100),))
    assert exercise.cases == again.cases and len(exercise.cases) == 25 and exercise.shown == 1
    result = diagnose(lambda n: n * n if n < 50 else 0, exercise)
    assert result.passed is False and len(str(exercise.cases[result.case][0])) == 2
    assert diagnose(lambda n: n + n, exercise).passed is False


def test_the_call_is_one_short_line_and_says_how_to_get_the_case(capsys, monkeypatch):
    monkeypatch.setattr(progress, "find", lambda exercise: ("05", "twice"))
    many = Exercise(lambda a, b, c: a + b + c, [tuple(torch.rand(2, 30) for _ in range(3))])
    check(lambda a, b, c: a + b, many)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4] == "    <lambda>(tensor(2, 30), tensor(2, 30), tensor(2, 30))"
    assert lines[-1] == "    again:    twice(*exercises.twice.cases[0])"


def test_several_forms_can_be_read_as_one():
    exercise = Exercise(lambda n: [0] * n, [(2,)], read=lambda result, n: sorted(result))
    assert diagnose(lambda n: range(0) or (0, 0), exercise).passed is True
    assert diagnose(lambda n: 3, exercise).en == "It returns int; return list."


def scaled(x, by=2, plus=1):
    return x * by + plus


def test_two_listed_mistakes_at_once_are_both_said():
    mistakes = [
        functools.partial(scaled, by=3),
        "세 배입니다.",
        "This takes 3.",
        functools.partial(scaled, plus=7),
        "7을 더했습니다.",
        "This adds 7.",
    ]
    exercise = Exercise(scaled, [(1,), (2,), (5,)], mistakes)
    assert diagnose(lambda x: 3 * x + 7, exercise).en == "This takes 3. This adds 7."


def test_only_what_the_wrong_cases_have_in_common_is_said():
    cases = [(n, first) for n in (1, 2, 3) for first in (False, True)]
    exercise = Exercise(lambda n, first: n * n, cases)
    result = diagnose(lambda n, first: n**5 + 17 if first else n * n, exercise)
    assert result.en == "It is wrong only where first = True."
    both = Exercise(lambda n, first: (n, n * n), cases)
    assert diagnose(lambda n, first: (n, n**5 + n % 2), both).en == "Only value 2 of 2 differs."


def attended(q, k, mask):
    return (q @ k.mT / 2.0).masked_fill(~mask, -torch.inf).softmax(dim=-1)


MASKED = Exercise(attended, [(torch.rand(3, 4), torch.rand(3, 4), torch.ones(3, 3).tril().bool())] * 2)


@pytest.mark.parametrize(
    ("answer", "english"),
    [
        (lambda q, k, mask: attended(k, q, mask), "q and k are swapped."),
        (lambda q, k, mask: attended(q, q, mask), "q is used where k belongs."),
        (lambda q, k, mask: attended(q, k, mask | True), "as if mask were True everywhere."),
        (lambda q, k, mask: attended(2 * q, k, mask), "as if the division were left out."),
        (lambda q, k, mask: attended(q / 4, k, mask), "as if it were divided by 8."),
        (lambda q, k, mask: attended(q.exp(), k, mask), "as if q were exp(q)."),
    ],
)
def test_mutants_of_the_specification_are_named(answer, english):
    assert diagnose(answer, MASKED).en.endswith(english)


def test_what_an_answer_is_compared_with_warns_of_nothing(recwarn):
    assert diagnose(lambda q, k, mask: mask + q.sum() * 3, MASKED).passed is False
    assert not recwarn.list


def test_a_call_that_was_stopped_leaves_gradients_on():
    def leaves_them_off(x):
        torch.set_grad_enabled(False)
        raise KeyError("stopped")

    diagnose(leaves_them_off, HALF)
    assert torch.is_grad_enabled()
