"""The usual slips in numbers and tensors, as in `helpers.exercises.slips`."""

import functools
import itertools
import math

import torch

from helpers.exercises import slips


def slip(ko, en, evidence=1, vague=False):
    """As `slips.slip`, for functions of results that are numbers or tensors.

    Args:
        ko, en, evidence, vague: as there.

    Returns:
        A decorator; the function gets both results as tensors of doubles.
    """

    def keep(function):
        @functools.wraps(function)
        def of_tensors(got, wanted, arguments):
            got, wanted = as_tensor(got), as_tensor(wanted)
            if got is None or wanted is None or same(got, wanted):
                return set()
            return function(got, wanted, arguments)

        return slips.slip(ko, en, evidence, vague)(of_tensors)

    return keep


def as_tensor(value):
    """Numbers as a tensor of doubles.

    Args:
        value: tensor, array, number, or list of equally long lists of numbers.

    Returns:
        Tensor, or None for what holds other things than numbers.
    """
    try:
        return torch.as_tensor(value).detach().double()
    except (TypeError, ValueError, RuntimeError):
        return None


def same(one, other):
    """Whether two tensors hold the same numbers.

    Args:
        one, other: tensors.

    Returns:
        bool.
    """
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-4, atol=1e-5, equal_nan=True)


def axes(tensor):
    """All axes, counted from the start and from the end: which count fits, further cases tell.

    Args:
        tensor: any.

    Returns:
        range.
    """
    return range(-tensor.dim(), tensor.dim())


def sizes(arguments):
    """What may be counted in arguments.

    Args:
        arguments: {name: value}.

    Returns:
        {"x.size(-1)": 3, "len(text)": 5, "n_heads": 2}, those above 1.
    """
    found = {}
    for name, value in arguments.items():
        if isinstance(value, torch.Tensor):
            found.update({f"{name}.size({axis})": size for axis, size in enumerate(value.shape)})
            found.update({f"{name}.size({axis})": value.size(axis) for axis in range(-value.dim(), 0)})
            found[f"{name}.numel()"] = value.numel()
        elif isinstance(value, list | tuple | str | dict):
            found[f"len({name})"] = len(value)
        elif isinstance(value, int | float):
            found[name] = value
    return {text: size for text, size in found.items() if size > 1}


def _ratio(got, wanted):
    """The number by which all of wanted is multiplied in got, or None."""
    if got.shape != wanted.shape or not wanted.any():
        return None
    place = wanted.abs().nan_to_num(posinf=0).argmax()
    ratio = (got.flatten()[place] / wanted.flatten()[place]).item()
    return ratio if math.isfinite(ratio) and ratio != 0 and same(got, ratio * wanted) else None


@slip("부호가 반대입니다.", "The sign is reversed.")
def _negated(got, wanted, arguments):
    return wanted.any() and same(got, -wanted)


@slip("참과 거짓이 뒤집혔습니다.", "True and False are inverted.")
def _complement(got, wanted, arguments):
    inverted = _bits(wanted) and same(got, 1 - wanted)
    return None if got.numel() == 1 and inverted else inverted


@slip("전치되어 있습니다. 축의 순서: {}.", "It is transposed: the order of its axes is {}.")
def _transposed(got, wanted, arguments):
    if got.dim() != wanted.dim() or not 2 <= wanted.dim() <= 4 or got.numel() == 1:
        return set()
    orders = list(itertools.permutations(range(wanted.dim())))[1:]
    return {str(order) for order in orders if same(got, wanted.permute(order))}


@slip("밑이 {}인 로그입니다. 자연로그여야 합니다.", "The logarithm is to base {}; the natural one is wanted.")
def _other_base(got, wanted, arguments):
    return {base for base in (2, 10) if _is(_ratio(got, wanted), 1 / math.log(base))}


@slip("{}배입니다. 평균이 아니라 합입니다.", "It is {} times too large: a sum, not a mean.", evidence=2)
def _sum_for_mean(got, wanted, arguments):
    return _sizes_like(_ratio(got, wanted), arguments, lambda size: size)


@slip("{}로 나뉘었습니다. 합이 아니라 평균입니다.", "It is divided by {}: a mean, not a sum.", evidence=2)
def _mean_for_sum(got, wanted, arguments):
    return _sizes_like(_ratio(got, wanted), arguments, lambda size: 1 / size)


WHOLE = {  # what comes of all numbers
    ("백분율입니다. 비율이 필요합니다.", "This is a percentage; a share is wanted."): lambda x: 100 * x,
    ("제곱되어 있습니다.", "It is squared."): lambda x: x**2,
    ("제곱근이 씌워져 있습니다.", "It is the square root of what is wanted."): lambda x: x.sqrt(),
    ("역수입니다.", "It is the reciprocal, 1/x."): lambda x: 1 / x,
    ("log가 빠졌거나 exp가 더 있습니다.", "A log is missing, or an exp too many."): lambda x: x.exp(),
    ("exp가 빠졌거나 log가 더 있습니다.", "An exp is missing, or a log too many."): lambda x: x.log(),
    ("부호가 사라졌습니다.", "The signs are lost."): lambda x: x.abs(),
    ("음수가 모두 0이 되었습니다.", "The negative numbers have become 0."): lambda x: x.relu(),
    ("1에서 뺀 값입니다.", "It is 1 minus what is wanted."): lambda x: 1 - x,
    ("정수로 잘렸습니다.", "It is cut down to whole numbers."): lambda x: x.floor(),
    ("정수로 반올림되었습니다.", "It is rounded to whole numbers."): lambda x: x.round(),
    ("소수 둘째 자리로 반올림되었습니다.", "It is rounded to 2 digits."): lambda x: x.round(decimals=2),
    ("소수 셋째 자리로 반올림되었습니다.", "It is rounded to 3 digits."): lambda x: x.round(decimals=3),
    ("소수 넷째 자리로 반올림되었습니다.", "It is rounded to 4 digits."): lambda x: x.round(decimals=4),
    ("모두 더해 수 하나로 만들었습니다.", "Everything is summed into one number."): lambda x: x.sum(),
    ("모두 평균해 수 하나로 만들었습니다.", "Everything is averaged into one number."): lambda x: x.mean(),
}
for (_ko, _en), _change in WHOLE.items():
    slip(_ko, _en, evidence=2, vague=True)(
        lambda got, wanted, arguments, change=_change: same(got, change(wanted))
    )


@slip("모든 값이 {}배입니다.", "Every number is {} times what it should be.", evidence=2, vague=True)
def _factor(got, wanted, arguments):
    ratio = _ratio(got, wanted)
    powers = {"{}": 1, "1/{}": -1, "√{}": 0.5, "1/√{}": -0.5}
    named = {
        text.format(size)
        for text, power in powers.items()
        for size in _sizes_like(ratio, arguments, lambda size, power=power: size**power)
    }
    return set() if ratio is None else {*named, f"{ratio:.4g}"}


def _is(one, other):
    return one is not None and math.isclose(one, other, rel_tol=1e-4)


def _sizes_like(number, arguments, function):
    """The sizes of tensors and lists of which a function is the number."""
    return {text for text, size in sizes(arguments).items() if "(" in text and _is(number, function(size))}


COUNTED = [
    (
        "1만큼 큽니다. 0이 아니라 1부터 셌을 수 있습니다.",
        "One too many; is something counted from 1, not 0?",
        1,
    ),
    ("1만큼 작습니다. 하나를 빠뜨렸을 수 있습니다.", "One too few; is something left out?", -1),
]


def _by_one(got, wanted, offset):
    if got.numel() == 1 and _bits(got) and _bits(wanted):
        return None  # perhaps these are True and False
    return (wanted == wanted.round()).all() and _offset(got, wanted) == offset  # only whole numbers count


for _ko, _en, _one in COUNTED:
    slip(_ko, _en, vague=True)(lambda got, wanted, arguments, one=_one: _by_one(got, wanted, one))


@slip(
    "모든 값이 같은 수만큼 다릅니다: {}.",
    "Every number is off by the same amount: {}.",
    evidence=2,
    vague=True,
)
def _added(got, wanted, arguments):
    offset = _offset(got, wanted)
    found = sizes(arguments).items()
    named = {f"{sign}{text}" for sign in "+-" for text, size in found if offset == float(f"{sign}{size}")}
    return set() if offset is None else {*named, f"{offset:+.4g}"}


def _offset(got, wanted):
    """The number by which all of got is larger than wanted, or None."""
    if got.shape != wanted.shape:
        return None
    offset = round((got - wanted).flatten()[0].item(), 4)
    return offset if math.isfinite(offset) and same(got, wanted + offset) else None


@slip("-∞이어야 할 자리에 다른 수가 있습니다.", "Some numbers should be -∞.", vague=True)
def _not_minus_infinity(got, wanted, arguments):
    places = got != wanted
    return got.shape == wanted.shape and places.any() and (wanted[places] == -math.inf).all()


@slip("크기가 1인 축이 모자라거나 남습니다.", "An axis of size 1 is missing or too many.")
def _axes_of_one(got, wanted, arguments):
    return got.shape != wanted.shape and same(got.squeeze(), wanted.squeeze())


@slip("수와 그 순서는 맞지만 shape가 다릅니다.", "The numbers and their order are right, the shape is not.")
def _other_shape(got, wanted, arguments):
    return got.shape != wanted.shape and same(got.flatten(), wanted.flatten())


@slip(
    "결과의 일부만, 곧 수 하나만 돌려주었습니다.",
    "It returns a single one of the numbers.",
    evidence=2,
    vague=True,
)
def _one_of_all(got, wanted, arguments):
    return got.dim() == 0 and wanted.dim() > 0 and torch.isclose(got, wanted).any()


def _first(x, axis):
    return x.narrow(axis, 0, 1)


def _last(x, axis):
    return x.narrow(axis, -1, 1)


def _without_first(x, axis):
    return x.narrow(axis, 1, x.size(axis) - 1)


def _without_last(x, axis):
    return x.narrow(axis, 0, x.size(axis) - 1)


def _share(x, axis):
    return x / x.sum(axis, keepdim=True)


ALONG = {  # what comes of it along an axis
    ("{}번 축을 따라 순서가 거꾸로입니다.", "It is reversed along axis {}."): lambda x, axis: x.flip(axis),
    ("{}번 축을 따라 누적되었습니다.", "It is summed up along axis {}."): torch.cumsum,
    ("{}번 축을 따라 정렬되었습니다.", "It is sorted along axis {}."): lambda x, axis: x.sort(axis).values,
    ("{}번 축의 첫 자리만 있습니다.", "Only the first along axis {} is there."): _first,
    ("{}번 축의 끝 자리만 있습니다.", "Only the last along axis {} is there."): _last,
    ("{}번 축의 첫 자리가 되풀이됩니다.", "The first along axis {} is repeated."): (
        lambda x, axis: _first(x, axis).expand_as(x)
    ),
    ("{}번 축을 따라 더했습니다.", "It is summed over axis {}."): torch.sum,
    ("{}번 축을 따라 평균했습니다.", "It is averaged over axis {}."): torch.mean,
    ("{}번 축에서 최댓값만 남았습니다.", "Only the largest along axis {} is left."): torch.amax,
    ("{}번 축의 첫 자리가 빠졌습니다.", "The first along axis {} is missing."): _without_first,
    ("{}번 축의 끝 자리가 빠졌습니다.", "The last along axis {} is missing."): _without_last,
    (
        "{}번 축의 소프트맥스가 하나 더 있습니다.",
        "There is a softmax too many, along axis {}.",
    ): torch.softmax,
}
NOT_ALONG = {  # what it has not gone through
    ("{}번 축의 소프트맥스가 빠졌습니다.", "The softmax along axis {} is missing."): torch.softmax,
    ("{}번 축의 합으로 나누지 않았습니다.", "It is not divided by its sum along axis {}."): _share,
    ("{}번 축을 따라 더하지 않았습니다.", "It is not summed over axis {}."): torch.sum,
    ("{}번 축을 따라 평균하지 않았습니다.", "It is not averaged over axis {}."): torch.mean,
    ("{}번 축에 첫 자리가 더 있습니다.", "There is one too many at the start of axis {}."): _without_first,
    ("{}번 축에 끝 자리가 더 있습니다.", "There is one too many at the end of axis {}."): _without_last,
}


def _axes_that(change, x, result):
    """The axes along which a change makes a result of x, but for axes of 1."""
    if x.numel() == 1:
        return None if result.numel() == 1 else set()
    return {axis for axis in axes(x) if same(change(x, axis).squeeze(), result.squeeze())}


for (_ko, _en), _change in ALONG.items():
    slip(_ko, _en, vague=True)(lambda got, wanted, arguments, change=_change: _axes_that(change, wanted, got))
for (_ko, _en), _change in NOT_ALONG.items():
    slip(_ko, _en, vague=True)(lambda got, wanted, arguments, change=_change: _axes_that(change, got, wanted))


@slip(
    "{}번 축을 따라 합이 1입니다. 다른 축이어야 합니다.", "It sums to 1 along the wrong axis: {}.", vague=True
)
def _normalized_along(got, wanted, arguments):
    if got.shape != wanted.shape or not any(_sums_to_1(wanted, axis) for axis in axes(wanted)):
        return set()
    found = {axis for axis in axes(got) if _sums_to_1(got, axis) and not _sums_to_1(wanted, axis)}
    return {
        *found,
        *([("전체", "all")] if _sums_to_1(got.flatten(), 0) > _sums_to_1(wanted.flatten(), 0) else []),
    }


def _sums_to_1(x, axis):
    total = x.sum(axis)
    return same(total, torch.ones_like(total))


@slip("{}번 축을 따라 한 자리씩 밀렸습니다.", "It is shifted by one place along axis {}.", vague=True)
def _shifted(got, wanted, arguments):
    if got.shape != wanted.shape:
        return set()
    found = set()
    for axis in axes(wanted):
        for here, there in ((_without_first, _without_last), (_without_last, _without_first)):
            ours, theirs = here(got, axis), there(wanted, axis)
            if theirs.numel() and theirs.min() < theirs.max() and same(ours, theirs):
                found.add(axis)
    return found


@slip("수는 맞지만 순서가 다릅니다.", "The numbers are right, in another order.", vague=True)
def _other_order(got, wanted, arguments):
    return got.numel() > 1 and same(got.flatten().sort().values, wanted.flatten().sort().values)


@slip(
    "스코어에 더하는 마스크입니다. True(볼 수 있음)와 False를 돌려주세요.",
    "This is a mask to add to scores; return True (may attend) and False.",
    evidence=2,
)
def _mask_to_add(got, wanted, arguments):
    return _bits(wanted) and same(got, wanted.log())


def _bits(x):
    return bool(((x == 0) | (x == 1)).all())


def _bits_where(zero, other):
    """Of True and False: the regions outside of which nothing differs, if what differs is False."""
    if not (_bits(zero) and _bits(other) and _no_other(zero, other)):
        return set()
    places = _places(zero, other)
    return {name for name, region in _regions(places) if not places[~region].any()}


def _bits_somewhere(zero, other):
    return _bits(zero) and _bits(other) and _no_other(zero, other)


for _test in (_bits_where, _bits_somewhere):
    _place = ("({})", " ({})") if _test is _bits_where else ("", "")
    slip(
        f"True여야 할 자리가 False입니다{_place[0]}.",
        f"Some are False that should be True{_place[1]}.",
        evidence=2,
        vague=True,
    )(lambda got, wanted, arguments, test=_test: test(got, wanted))
    slip(
        f"False여야 할 자리가 True입니다{_place[0]}.",
        f"Some are True that should be False{_place[1]}.",
        evidence=2,
        vague=True,
    )(lambda got, wanted, arguments, test=_test: test(wanted, got))


@slip("0이 아니어야 할 자리가 0입니다.", "There are zeros where there should be other numbers.", vague=True)
def _zeros(got, wanted, arguments):
    return _no_other(got, wanted) and not _places(got, wanted).all()


@slip("0이어야 할 자리가 0이 아닙니다.", "There are other numbers where there should be zeros.", vague=True)
def _no_zeros(got, wanted, arguments):
    return _no_other(wanted, got) and not _places(got, wanted).all()


def _no_other(zero, other):
    places = _places(zero, other)
    return not zero[places].any()


def _places(got, wanted):
    if got.shape != wanted.shape:
        raise ValueError("no place of one fits the other")
    return ~torch.isclose(got, wanted, rtol=1e-4, atol=1e-5, equal_nan=True)


@slip("{}만 다릅니다.", "Only {} differs.", vague=True)
def _region(got, wanted, arguments):
    places = _places(got, wanted)
    if got.numel() == 1:
        return None
    return {name for name, region in _regions(places) if not places[~region].any() and not region.all()}


def _regions(places):
    """Parts of a tensor, as masks, from the smallest."""
    ones = torch.ones_like(places)
    for axis in axes(places):
        if places.size(axis) < 2:
            continue
        for name, at in ((("첫 자리", "the first"), 0), (("끝 자리", "the last"), -1)):
            region = torch.zeros_like(places)
            region.select(axis, at).fill_(True)
            yield (f"{axis}번 축의 {name[0]}", f"{name[1]} along axis {axis}"), region
        for name, at in (
            (("0, 2, 4, …번째 자리", "places 0, 2, 4, …"), 0),
            (("1, 3, 5, …번째 자리", "places 1, 3, 5, …"), 1),
        ):
            region = torch.zeros_like(places)
            region.transpose(0, axis)[at::2] = True
            yield (f"{axis}번 축의 {name[0]}", f"what is at {name[1]} along axis {axis}"), region
    if places.dim() > 1 and min(places.shape[-2:]) > 1:
        yield ("대각선", "the diagonal"), ones.tril() & ones.triu()
        yield ("대각선 아래", "what is below the diagonal"), ones.tril(-1)
        yield ("대각선 위", "what is above the diagonal"), ones.triu(1)


@slip("거의 맞습니다. 5% 안에서 다릅니다.", "Almost right: it differs by less than 5 %.", vague=True)
def _almost(got, wanted, arguments):
    return got.shape == wanted.shape and (got - wanted).abs().max() <= 0.05 * wanted.abs().max()
