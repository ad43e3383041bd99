"""Mutants: a right function with one thing changed, in what goes into it or in what it does.

A wrong answer that behaves like a mutant has been told what is wrong, without anyone having foreseen it.
Each mutant is a `Mistake`, found in the function itself: nothing about an exercise stands here.
"""

import contextlib
import copy
import itertools
import operator

import torch
from torch.overrides import TorchFunctionMode

from helpers.exercises.comparing import named
from helpers.exercises.kinds import Mistake
from helpers.exercises.slips_of_numbers import sizes


def mutants(function, arguments):
    """All mutants of a function that can be told from one call of it.

    Args:
        function, arguments: as in `run`.

    Yields:
        `Mistake`.
    """
    yield from _of_arguments(function, arguments)
    yield from _of_operations(function, arguments)


def _mutant(answer, ko, en):
    return Mistake(answer, f"결과가 {ko} 것과 같습니다.", f"It comes out as if {en}.")


# What goes in: {} is the name of an argument.
SEQUENCE = [
    ("{} 대신 거꾸로 한 것을 쓴", "{} were reversed", lambda x: x[::-1]),
    ("{} 대신 정렬한 것을 쓴", "{} were sorted", lambda x: _like(x, sorted(x))),
    ("{}에서 되풀이를 뺀", "{} had no repeats", lambda x: _like(x, dict.fromkeys(x))),
    ("{} 대신 빈 것을 쓴", "{} were empty", lambda x: x[:0]),
    ("{}의 첫 원소만 쓴", "{} were its first element alone", lambda x: x[:1]),
    ("{}의 첫 원소를 뺀", "{} lacked its first element", lambda x: x[1:]),
    ("{}의 끝 원소를 뺀", "{} lacked its last element", lambda x: x[:-1]),
]
INTEGER = [
    *((f"{{}} 대신 늘 {n}을 쓴", f"{{}} were always {n}", lambda x, n=n: n) for n in (0, 1, 2, 3)),
    ("{} 대신 1 큰 수를 쓴", "{} were larger by 1", lambda x: x + 1),
    ("{} 대신 1 작은 수를 쓴", "{} were smaller by 1", lambda x: x - 1),
    ("{}의 부호를 바꾼", "the sign of {} were changed", lambda x: -x),
    ("{} 대신 두 배를 쓴", "{} were doubled", lambda x: 2 * x),
]
FLOAT = [
    ("{} 대신 0을 쓴", "{} were 0", lambda x: 0 * x),
    ("{} 대신 1을 쓴", "{} were 1", lambda x: 0 * x + 1),
    ("{}의 부호를 바꾼", "the sign of {} were changed", lambda x: -x),
    ("{} 대신 제곱을 쓴", "{} were squared", lambda x: x**2),
    ("{} 대신 제곱근을 쓴", "{} were √{}", lambda x: x**0.5),
    ("{} 대신 역수를 쓴", "{} were 1/{}", lambda x: 1 / x),
    ("{} 대신 1 - {}를 쓴", "{} were 1 - {}", lambda x: 1 - x),
    ("{} 대신 exp({})를 쓴", "{} were exp({})", lambda x: torch.as_tensor(x).exp()),
    ("{} 대신 log({})를 쓴", "{} were log({})", lambda x: torch.as_tensor(x).log()),
]


def _transpose(x):
    return x.mT


ROWS = [
    ("{} 대신 전치한 것을 쓴", "{} were transposed", _transpose),
    ("{}의 첫 행을 모든 행에 쓴", "every row of {} were the first", lambda x: x[:1].expand_as(x)),
    ("{}의 행을 거꾸로 한", "the rows of {} were reversed", lambda x: x.flip(0)),
    ("{}의 마지막 축을 거꾸로 한", "the last axis of {} were reversed", lambda x: x.flip(-1)),
]
VARIANTS = {  # of an argument, by what it is
    bool: [
        ("{} 대신 그 반대를 쓴", "{} were its opposite", lambda x: not x),
        ("{} 대신 늘 True를 쓴", "{} were always True", lambda x: True),
        ("{} 대신 늘 False를 쓴", "{} were always False", lambda x: False),
    ],
    int: INTEGER,
    float: FLOAT,
    str: [*SEQUENCE, ("{} 대신 소문자를 쓴", "{} were in lower case", str.lower)],
    list: SEQUENCE,
    tuple: SEQUENCE,
    set: [("{} 대신 빈 집합을 쓴", "{} were empty", lambda x: set())],
    dict: [("{} 대신 빈 사전을 쓴", "{} were empty", lambda x: {})],
    torch.bool: [
        ("{} 대신 뒤집은 것을 쓴", "{} were inverted", lambda x: ~x),
        ("{} 대신 모두 True인 것을 쓴", "{} were True everywhere", torch.ones_like),
        ("{} 대신 모두 False인 것을 쓴", "{} were False everywhere", torch.zeros_like),
        ("{}에 대각선을 더한", "{} had its diagonal, too", lambda x: x | torch.eye(x.size(-1)).bool()),
        *ROWS,
    ],
    torch.int64: [
        *INTEGER[4:],
        ("{} 대신 정렬한 것을 쓴", "{} were sorted", lambda x: x.sort(dim=-1).values),
        *ROWS,
    ],
    torch.float32: [
        ("{} 대신 단위행렬을 쓴", "{} were the identity matrix", lambda x: torch.eye(*x.shape)),
        *FLOAT,
        ("{} 대신 그 합을 쓴", "{} were its sum", lambda x: x.sum()),
        ("{} 대신 그 평균을 쓴", "{} were its mean", lambda x: x.mean()),
        ("{} 대신 softmax를 한 것을 쓴", "{} had gone through a softmax", lambda x: x.softmax(-1)),
        *ROWS,
    ],
    "function": [
        ("{} 없이 계산한", "{} did nothing", lambda f: lambda x, *rest: x),
        ("{} 대신 늘 0인 것을 쓴", "{} were always 0", lambda f: lambda x, *rest: 0 * x),
        ("{}를 두 번 한", "{} were done twice", lambda f: lambda x, *rest: f(f(x, *rest), *rest)),
    ],
}


def _like(sequence, parts):
    return "".join(parts) if isinstance(sequence, str) else type(sequence)(parts)


def _variants(value):
    kind = value.dtype if isinstance(value, torch.Tensor) else "function" if callable(value) else type(value)
    return VARIANTS.get(kind, [])


def _of_arguments(function, arguments):
    given = named(function, arguments)
    kinds = {
        name: value.dtype if isinstance(value, torch.Tensor) else type(value) for name, value in given.items()
    }
    for a, b in itertools.combinations(given, 2):
        if kinds[a] == kinds[b]:
            take_a, take_b = operator.itemgetter(a), operator.itemgetter(b)
            ko, en = f"{a}, {b}의 자리가 서로 바뀌었습니다.", f"{a} and {b} are swapped."
            yield Mistake(_with(function, {a: take_b, b: take_a}), ko, en)
            for name, other, take in ((a, b, take_b), (b, a, take_a)):
                ko, en = f"{name}의 자리에 쓴 것은 {other}입니다.", f"{other} is used where {name} belongs."
                yield Mistake(_with(function, {name: take}), ko, en)
    tensors = [name for name, value in given.items() if isinstance(value, torch.Tensor) and value.dim()]
    several = (names for n in range(2, 5) for names in itertools.combinations(tensors, n))
    for names in [*((name,) for name in given), *several]:
        if len({kinds[name] for name in names}) > 1:
            continue
        for ko, en, change in _variants(given[names[0]]):
            text = ", ".join(names)
            if len(names) == 1 or change is _transpose or len(names) == 2 and len(tensors) < 5:
                yield _mutant(_changed(function, names, change), ko.format(text, text), en.format(text, text))


def _changed(function, names, change):
    return _with(function, {name: lambda known, name=name: change(known[name]) for name in names})


def _with(function, changes):
    def answer(*arguments):
        known = named(function, arguments)
        return function(*(changes[name](known) if name in changes else known[name] for name in known))

    return answer


# What it does: a change takes the function of torch, its positional and its named arguments, and `sizes`.
def _left(f, a, k, s):
    return a[0]


def _right(f, a, k, s):
    return a[1]


def _as(name):
    return lambda f, a, k, s: getattr(torch, name)(*a, **k)


def _along(axis):
    def change(f, a, k, s):
        return f(a[0], **(k | {"dim": axis})) if "dim" in k or len(a) < 2 else f(a[0], axis, *a[2:], **k)

    return change


def _shifted(offset):
    def change(f, a, k, s):
        diagonal = k.get("diagonal", a[1] if len(a) > 1 else 0)
        return f(a[0], diagonal + offset)

    return change


def _over_all(f, a, k, s):
    return f(a[0].flatten(), dim=0).view_as(a[0])


def _times_the_divisor(f, a, k, s):
    return a[0] * a[1]


def _divided(power):
    return lambda f, a, k, s: a[0] / a[1] ** power


def _by_sizes(sizes):
    divisors = [(f"{root}{size}", size, power) for size in sizes for root, power in (("√", 0.5), ("", 1))]
    divisors += [(str(number), number, 1) for number in (2, 3, 4, 8)]
    return [
        (f"{text}{'으로' if text == '3' else '로'} 나눈", f"it were divided by {text}", _by(size, power))
        for text, size, power in divisors
    ]


def _by(size, power):
    def change(f, a, k, s):
        total = a[0] if f.__name__ == "div" else torch.sum(*a, **k)
        return total / (s.get(size, 1) if isinstance(size, str) else size) ** power

    return change


def _opposite_mask(f, a, k, s):
    return f(a[0], ~a[1], *a[2:], **k)


def _filled(value):
    return lambda f, a, k, s: a[0].masked_fill(a[1], value)


def _transposed(place):
    return lambda f, a, k, s: f(*(x.mT if i == place else x for i, x in enumerate(a)), **k)


def _reshaped(f, a, k, s):
    return a[0].reshape(f(*a, **k).shape)


def _without_keepdim(f, a, k, s):
    return f(
        *[x for x in a if x is not True], **{name: value for name, value in k.items() if name != "keepdim"}
    )


def _backwards(f, a, k, s):
    result = f(a[0][::-1], *a[1:], **k) if isinstance(a[0], list | tuple) else f(*a, **k)[::-1]
    return result


SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
NAMES = {"div": ("나눗셈", "the division"), "neg": ("부호", "the minus sign"), "__invert__": ("~", "~")}
NAMES |= {"add": ("+", "+"), "sub": ("-", "-"), "mul": ("*", "*"), "matmul": ("@", "@")}
AXES = [(f"{{}}의 축이 {n}인", f"{{}} ran along axis {n}", _along(n)) for n in (0, 1, 2, -1, -2)]
OMITTED = ("{} 없이 계산한", "{} were left out", _left)
ONE_OF_TWO = [
    ("{} 앞의 것만 있는", "only what stands before {} were there", _left),
    ("{} 뒤의 것만 있는", "only what stands after {} were there", _right),
]
CHANGES = {
    "softmax": [*AXES, OMITTED, ("전체의 합이 1인", "everything together summed to 1", _over_all)],
    "log_softmax": [*AXES, ("log가 빠진", "the logarithm were missing", _as("softmax")), OMITTED],
    "sum": [*AXES, OMITTED, ("합 대신 평균을 쓴", "the sum were a mean", _as("mean"))],
    "mean": [*AXES, OMITTED, ("평균 대신 합을 쓴", "the mean were a sum", _as("sum"))],
    "var": [
        *AXES,
        (
            "분산을 n - 1로 나눈",
            "the variance were divided by n - 1",
            lambda f, a, k, s: f(*a, **(k | {"correction": 1})),
        ),
    ],
    "div": [
        OMITTED,
        ("나누는 대신 곱한", "it were multiplied, not divided", _times_the_divisor),
        ("나누는 수를 제곱한", "the divisor were squared", _divided(2)),
        ("나누는 수에 제곱근을 씌운", "the divisor were its root", _divided(0.5)),
    ],
    "add": [
        *ONE_OF_TWO,
        ("더하는 대신 뺀", "it were subtracted, not added", _as("sub")),
        ("더하는 대신 곱한", "it were multiplied, not added", _as("mul")),
    ],
    "sub": [
        *ONE_OF_TWO,
        ("빼는 대신 더한", "it were added, not subtracted", _as("add")),
        ("빼는 대신 나눈", "it were divided, not subtracted", _as("div")),
        ("거꾸로 뺀", "it were subtracted the other way round", lambda f, a, k, s: a[1] - a[0]),
    ],
    "mul": [*ONE_OF_TWO, ("곱하는 대신 더한", "it were added, not multiplied", _as("add"))],
    "matmul": [
        ("@의 오른쪽을 전치한", "what is right of @ were transposed", _transposed(1)),
        ("@의 왼쪽을 전치한", "what is left of @ were transposed", _transposed(0)),
        *ONE_OF_TWO,
    ],
    **{
        name: [OMITTED, ("{} 대신 reshape를 쓴", "reshape stood in place of {}", _reshaped)]
        for name in ("transpose", "permute", "T", "mT")
    },
    "masked_fill": [
        OMITTED,
        ("가리는 곳을 뒤집은", "masked_fill filled the other places", _opposite_mask),
        ("masked_fill이 0을 적은", "masked_fill wrote 0", _filled(0.0)),
        ("masked_fill이 1을 적은", "masked_fill wrote 1", _filled(1.0)),
        ("masked_fill이 -1을 적은", "masked_fill wrote -1", _filled(-1.0)),
    ],
    "tril": [
        OMITTED,
        ("tril 대신 triu를 쓴", "triu stood in place of tril", _as("triu")),
        ("대각선을 한 칸 올린", "the diagonal were one higher", _shifted(1)),
        ("대각선을 한 칸 내린", "the diagonal were one lower", _shifted(-1)),
    ],
    "cat": [("순서를 뒤집은", "the order of {} were reversed", _backwards)],
    "stack": [("순서를 뒤집은", "the order of {} were reversed", _backwards)],
    "argmin": [("argmin 대신 argmax를 쓴", "argmax stood in place of argmin", _as("argmax"))],
    "argmax": [("argmax 대신 argmin을 쓴", "argmin stood in place of argmax", _as("argmin"))],
    **{name: [OMITTED] for name in "exp log sqrt square abs relu cumsum clamp neg __invert__ gather".split()},
    "norm": AXES,
    "__and__": ONE_OF_TWO,
    "__or__": ONE_OF_TWO,
    **{
        name: [
            (
                f"{SIGNS[name]} 대신 {SIGNS[other]}를 쓴",
                f"{SIGNS[other]} stood in place of {SIGNS[name]}",
                _as(other),
            )
            for other in SIGNS
            if other != name
        ]
        for name in SIGNS
    },
}
for _name in ("sum", "mean", "var"):
    CHANGES[_name].append(("keepdim=True가 빠진", "keepdim=True were missing", _without_keepdim))


class _Calls(TorchFunctionMode):
    """Calls of the functions of torch in `CHANGES`, in order, some of them changed."""

    def __init__(self, chosen=lambda name, rest, earlier: False, change=None):
        super().__init__()
        self.chosen, self.change, self.made = chosen, change, []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, kwargs = getattr(function, "__name__", ""), kwargs or {}
        if name == "__get__":  # of a property such as x.mT
            name = getattr(function.__self__, "__name__", "")
        if name not in CHANGES:
            return function(*args, **kwargs)
        call = (name, repr([a for a in args if isinstance(a, int | tuple)]) + repr(sorted(kwargs)))
        earlier = self.made.count(call)
        self.made.append(call)
        return (self.change if self.chosen(*call, earlier) else lambda f, a, k: f(*a, **k))(
            function, args, kwargs
        )


def _of_operations(function, arguments):
    with contextlib.suppress(Exception), _Calls() as calls:  # it may refuse these arguments
        function(*copy.deepcopy(arguments))
    known = [size for size in sizes(named(function, arguments)) if "(-" not in size]
    for name, rest in dict.fromkeys(calls.made):
        changes = [*CHANGES[name], *(_by_sizes(known) if name in ("div", "mean") else ())]
        ko_name, en_name = NAMES.get(name, (name, name))
        several = min(calls.made.count((name, rest)), 4)
        for ko, en, change in changes:
            for which in [None, *(range(several) if several > 1 else ())]:
                yield _mutant(
                    _with_calls(function, name, rest, which, change), ko.format(ko_name), en.format(en_name)
                )


def _with_calls(function, name, rest, which, change):
    def answer(*arguments):
        known = sizes(named(function, arguments))
        calls = _Calls(
            lambda its_name, its_rest, earlier: (
                (its_name, its_rest) == (name, rest) and which in (None, earlier)
            ),
            lambda f, a, k: change(f, a, k, known),
        )
        with calls:
            return function(*arguments)

    return answer
