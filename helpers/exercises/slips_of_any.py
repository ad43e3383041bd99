"""The usual slips in results of any type, as in `helpers.exercises.slips`."""

import types

from helpers.exercises.comparing import difference, plain, show
from helpers.exercises.slips import slip


def equal(one, other):
    """Whether two results, or parts of results, count as equal.

    Args:
        one, other: anything.

    Returns:
        bool.
    """
    return not difference(one, other, inside=True)


@slip("아직 계산되지 않은 것입니다. list(…)로 감싸세요.", "It is not computed yet; wrap it in list(…).")
def _lazy(got, wanted, arguments):
    kinds = types.GeneratorType | map | filter | zip | reversed | enumerate | range
    return isinstance(got, kinds)


@slip(
    "함수 {} 자체를 돌려주었습니다. 괄호를 붙여 부르세요.",
    "It returns the function {} itself; call it with ().",
)
def _not_called(got, wanted, arguments):
    return {show(got)} if callable(got) and not callable(wanted) else set()


@slip(
    "값 하나가 튜플에 들어 있습니다. 쉼표를 지우세요.",
    "The value stands in a tuple of one; take the comma away.",
)
def _tuple_of_one(got, wanted, arguments):
    return isinstance(got, list | tuple) and len(got) == 1 and not difference(got[0], wanted)


@slip("값은 맞지만 타입이 다릅니다.", "The values are right, their types are not.")
def _other_type(got, wanted, arguments):
    return equal(plain(got), plain(wanted)) or (type(got) is str and got == str(wanted))


@slip("번호가 아니라 {} 안의 자리입니다.", "These are places in {}, not what stands there.")
def _places(got, wanted, arguments):
    return _looked_up(got, wanted, arguments)


@slip("{} 안의 자리가 아니라 거기 있는 값입니다.", "These are what stands in {}, not the places.")
def _not_places(got, wanted, arguments):
    return _looked_up(wanted, got, arguments)


def _looked_up(places, values, arguments):
    """The arguments in which these values stand at these places."""
    places, values = plain(places), plain(values)
    if not isinstance(places, list):
        places, values = [places], [values]
    if not places or not all(type(place) is int for place in places):
        return set()
    tables = {name: plain(table) for name, table in arguments.items()}
    lists = {name: table for name, table in tables.items() if isinstance(table, list | str)}
    return {
        name
        for name, table in lists.items()
        if max(places) < len(table) and equal([table[place] for place in places], values)
    }


@slip("인자 {}를 그대로 돌려주었습니다.", "It returns {} unchanged.")
def _unchanged(got, wanted, arguments):
    return {name for name, value in arguments.items() if not difference(got, value)}


def _sequences(got, wanted):
    both = isinstance(got, list | tuple) and isinstance(wanted, list | tuple)
    return both or (isinstance(got, str) and isinstance(wanted, str))


def _is_part(shorter, longer):
    """Whether all of a sequence comes, in order, in a longer one."""
    rest = iter(longer)
    return len(shorter) < len(longer) and all(any(equal(one, other) for other in rest) for one in shorter)


def _others(sequence, part):
    return [other for other in sequence if other != part]


OF_SEQUENCES = {  # of two lists or texts as lists
    ("한 원소 안의 순서가 반대입니다.", "What stands inside each element is the wrong way round."): (
        lambda got, wanted: equal([part[::-1] for part in got], wanted)
    ),
    ("정렬되어 있습니다. 원래 순서여야 합니다.", "It is sorted; the order should be kept."): (
        lambda got, wanted: got in (sorted(wanted), sorted(wanted, reverse=True))
    ),
    ("순서가 거꾸로입니다.", "The order is reversed."): lambda got, wanted: equal(got[::-1], wanted),
    ("되풀이되는 원소가 한 번만 들어 있습니다.", "What repeats is there only once."): (
        lambda got, wanted: equal(got, list(dict.fromkeys(wanted)))
    ),
    ("같은 원소가 여러 번 들어 있습니다.", "Some elements are there more than once."): (
        lambda got, wanted: equal(list(dict.fromkeys(got)), wanted)
    ),
}
VAGUELY = {
    ("원소는 맞지만 순서가 다릅니다.", "The elements are right, in another order."): (
        lambda got, wanted: sorted(map(show, got)) == sorted(map(show, wanted))
    ),
    ("끝에서 원소가 빠졌습니다.", "Elements are missing at the end."): (
        lambda got, wanted: len(got) < len(wanted) and equal(wanted[: len(got)], got)
    ),
    ("앞에서 원소가 빠졌습니다.", "Elements are missing at the start."): (
        lambda got, wanted: len(got) < len(wanted) and equal(wanted[len(wanted) - len(got) :], got)
    ),
    ("끝에 원소가 더 있습니다.", "There are more elements at the end."): (
        lambda got, wanted: len(got) > len(wanted) and equal(got[: len(wanted)], wanted)
    ),
    ("앞에 원소가 더 있습니다.", "There are more elements at the start."): (
        lambda got, wanted: len(got) > len(wanted) and equal(got[len(got) - len(wanted) :], wanted)
    ),
    ("빠진 원소가 있습니다: {}.", "Every {} is missing."): (
        lambda got, wanted: {show(part) for part in wanted if got == _others(wanted, part)}
    ),
    ("{}의 자리에 다른 것이 있습니다.", "Something else stands where {} should."): (
        lambda got, wanted: {
            show(there)
            for here, there in zip(got, wanted, strict=True)
            if here != there and isinstance(there, str)
        }
    ),
    ("원소 일부가 빠졌습니다.", "Some elements are missing."): _is_part,
    ("없어야 할 원소가 섞여 있습니다.", "There are elements that should not be there."): (
        lambda got, wanted: _is_part(wanted, got)
    ),
}
for _table in (OF_SEQUENCES, VAGUELY):
    for (_ko, _en), _test in _table.items():
        slip(_ko, _en, vague=_table is VAGUELY)(
            lambda got, wanted, arguments, test=_test: (
                _sequences(got, wanted) and test(list(got), list(wanted))
            )
        )


@slip("글은 맞지만 빈칸이 다릅니다.", "The text is right but for its spaces.", vague=True)
def _spaces(got, wanted, arguments):
    return isinstance(got, str) and "".join(got.split()) == "".join(wanted.split())


@slip("조각이 하나의 글로 합쳐졌습니다.", "The pieces are joined into one text.")
def _joined(got, wanted, arguments):
    return isinstance(got, str) and "".join(got.split()) == "".join("".join(wanted).split())


@slip(
    "조각의 경계가 다릅니다. 이어 붙이면 같은 글입니다.",
    "The pieces are cut elsewhere; joined they are the same text.",
    vague=True,
)
def _cut_elsewhere(got, wanted, arguments):
    return isinstance(got, list) and "".join(got) == "".join(wanted)


@slip("키와 값이 바뀌었습니다.", "Keys and values are swapped.")
def _inverted(got, wanted, arguments):
    return equal({value: key for key, value in got.items()}, wanted)


@slip("사전에 키 {}가 없습니다.", "The dictionary lacks the key {}.", vague=True)
def _keys_missing(got, wanted, arguments):
    return {show(key) for key in wanted if key not in got} if isinstance(got, dict) else set()


@slip("사전에 없어야 할 키가 있습니다.", "The dictionary has keys that should not be there.", vague=True)
def _keys_more(got, wanted, arguments):
    return isinstance(got, dict) and got.keys() > wanted.keys()


@slip("자리가 하나씩 밀렸습니다.", "Everything is shifted by one place.")
def _shifted(got, wanted, arguments):
    if not isinstance(wanted, list) or len(got) != len(wanted) or len(wanted) < 3:
        return False
    return equal(list(got)[1:], wanted[:-1]) or equal(list(got)[:-1], wanted[1:])


@slip("시작은 맞지만 뒤에서 달라집니다.", "It begins right and goes wrong later.", vague=True)
def _right_at_first(got, wanted, arguments):
    return isinstance(wanted, list | str) and len(wanted) > 1 and equal(got[0], wanted[0])


@slip("리스트가 아니라 그 원소 하나입니다.", "This is one element, not the list.", vague=True)
def _one_element(got, wanted, arguments):
    return isinstance(wanted, list | tuple) and any(equal(got, part) for part in wanted)
