"""The exercises of chapter 12."""

import math
from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Mistake, random_tensors


def _likeliest(probabilities, p):
    kept, total = [], 0.0
    for id in probabilities.argsort(descending=True).tolist():
        if total >= p:
            break
        kept.append(id)
        total += probabilities[id].item()
    return kept


def _one_too_few(probabilities, p):
    order = probabilities.argsort(descending=True)
    return order[probabilities[order].cumsum(dim=0) <= p].tolist()


def _by_id(probabilities, p):
    return sorted(_likeliest(probabilities, p))


def _each_above(probabilities, p):
    order = probabilities.argsort(descending=True)
    return order[probabilities[order] >= p].tolist()


likeliest = Exercise(
    spec=_likeliest,
    cases=[
        (torch.tensor([0.1, 0.7, 0.2]), 0.5),
        (torch.tensor([0.1, 0.7, 0.2]), 0.8),
        (torch.tensor([0.0625, 0.25, 0.5, 0.125, 0.0625]), 0.75),
        (torch.tensor([0.3, 0.05, 0.4, 0.25]), 0.98),
        (torch.tensor([0.3, 0.05, 0.4, 0.25]), 0.1),
    ],
    mistakes=[
        Mistake(
            _one_too_few,
            "합이 p를 넘게 하는 마지막 토큰을 빠뜨렸습니다. 합이 p에 이를 때까지 담으세요.",
            "The token that brings the sum up to p is left out; keep on until p is reached.",
        ),
        Mistake(
            _each_above,
            "토큰 하나하나의 확률을 p와 비교했습니다. 확률의 합을 p와 비교하세요.",
            "Each probability is compared with p by itself; compare their sum.",
        ),
        Mistake(
            _by_id,
            "고른 토큰은 맞지만 순서가 다릅니다. 확률이 큰 것부터 돌려주세요.",
            "The right tokens in the wrong order; return the likeliest first.",
        ),
    ],
)


def _attend_with_cache(keys, values, query, key, value):
    keys = torch.cat([keys, key.unsqueeze(0)])  # (T + 1, d)
    values = torch.cat([values, value.unsqueeze(0)])
    weights = (keys @ query / math.sqrt(len(query))).softmax(dim=0)  # (T + 1)
    return weights @ values, keys, values


def _only_the_past(keys, values, query, key, value):
    output, longer_keys, longer_values = _attend_with_cache(keys, values, query, key, value)
    if len(keys):
        output = (keys @ query / math.sqrt(len(query))).softmax(dim=0) @ values
    return output, longer_keys, longer_values


def _not_kept(keys, values, query, key, value):
    return _attend_with_cache(keys, values, query, key, value)[0], keys, values


def _not_scaled(keys, values, query, key, value):
    return _attend_with_cache(keys, values, query * math.sqrt(len(query)), key, value)


def _newest_first(keys, values, query, key, value):
    output, *_ = _attend_with_cache(keys, values, query, key, value)
    return output, torch.cat([key.unsqueeze(0), keys]), torch.cat([value.unsqueeze(0), values])


_random = random_tensors()
attend_with_cache = Exercise(
    spec=_attend_with_cache,
    cases=[
        (torch.empty(0, 2), torch.empty(0, 2), *_random(3, 2).unbind()),
        (_random(1, 2), _random(1, 2), *_random(3, 2).unbind()),
        (_random(4, 3), _random(4, 3), *_random(3, 3).unbind()),
    ],
    mistakes=[
        Mistake(
            _only_the_past,
            "새 토큰 자신의 키와 값이 어텐션에 빠졌습니다. 먼저 캐시에 붙인 다음 보게 하세요.",
            "The newest token does not see itself; append its key and value before attending.",
        ),
        Mistake(
            _not_kept,
            "새 키와 값이 캐시에 남지 않습니다. 붙인 캐시를 돌려주세요.",
            "The new key and value are not kept; return the cache with them in it.",
        ),
        Mistake(_not_scaled, "스코어를 √d로 나누지 않았습니다.", "The scores are not divided by √d."),
        Mistake(
            _newest_first,
            "새 키와 값을 캐시의 앞에 붙였습니다. 문장의 순서대로 뒤에 붙이세요.",
            "The new key and value come first in the cache; append them in the order of the sentence.",
        ),
    ],
)


def _search(go_on, chances, width, max_len):
    """The search with a right or a wrong way to go on from a text and its chance."""
    beams = [("", 1.0)]
    for _ in range(max_len):
        longer = [beam for text, chance in beams for beam in go_on(chances, text, chance)]
        beams = sorted(longer, key=lambda beam: -beam[1])[:width]
    return [text for text, _ in beams]


def _all_tokens(chances, text, chance):
    return [(text + token, chance * p) for token, p in chances(text).items()]


def _all_but_ended(chances, text, chance):
    return [(text, chance)] if text.endswith(".") else _all_tokens(chances, text, chance)


def _drop_ended(chances, text, chance):
    return [] if text.endswith(".") else _all_tokens(chances, text, chance)


def _last_chance(chances, text, chance):
    return [(text, chance)] if text.endswith(".") else _all_tokens(chances, text, 1.0)


def pushed_out(text):
    """An ended text that two others push out of the beam."""
    return {"": {"A": 0.75, ".": 0.25}, "A": {"B": 0.6, "C": 0.4}}.get(text, {".": 1.0})


def garden_path(text):
    """The likelier beginning has only unlikely continuations."""
    table = {"": {"A": 0.6, "B": 0.4}, "A": {"C": 0.4, "D": 0.35, ".": 0.25}, "B": {"C": 0.9, ".": 0.1}}
    return table.get(text, {".": 1.0})


def short_or_long(text):
    """A short sentence that is likelier than the long one."""
    table = {"": {"A": 0.7, "B": 0.3}, "A": {".": 0.55, "C": 0.45}, "AC": {".": 0.8, "D": 0.2}}
    return table.get(text, {".": 0.9, "E": 0.1})


beam = Exercise(
    spec=partial(_search, _all_but_ended),
    cases=[
        (garden_path, 1, 3),
        (garden_path, 2, 3),
        (short_or_long, 2, 3),
        (short_or_long, 3, 4),
        (garden_path, 4, 3),
        (short_or_long, 20, 3),
        (pushed_out, 2, 2),
    ],
    mistakes=[
        Mistake(
            lambda chances, width, max_len: _search(_all_but_ended, chances, 1, max_len),
            "늘 하나만 남깁니다. 가장 그럴듯한 앞부분을 width개 남기세요.",
            "Only one beginning is kept; keep `width` of them.",
        ),
        Mistake(
            partial(_search, _drop_ended),
            "끝난 문장이 사라집니다. 마침표로 끝난 것도 확률 그대로 다음 걸음의 후보입니다.",
            "Sentences that have ended are lost; they are candidates of the next step, as they are.",
        ),
        Mistake(
            partial(_search, _all_tokens),
            "마침표로 끝난 글도 계속 늘어납니다. 끝난 글은 그대로 두세요.",
            'A text goes on after it has ended; leave those that end in "." as they are.',
        ),
        Mistake(
            partial(_search, _last_chance),
            "마지막 토큰의 확률만 비교했습니다. 앞부분의 확률에 곱하세요.",
            "Only the newest token's probability is compared; multiply it by that of the beginning.",
        ),
    ],
)
