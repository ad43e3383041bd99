"""The exercises of chapter 12."""

import math
from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Mistake, Prediction, random_tensors

bleu_cut_short = Prediction(
    answer=100 * math.exp(1 - 10 / 5),
    near=0.02,
    why=(
        "모든 n-그램이 정답에 있으니 정밀도는 모두 1이고, 짧은 번역 벌점 e^(1 − 10/5) = 0.368만 남습니다.",
        "Every n-gram is in the reference, so all precisions are 1 and only the brevity penalty is left, "
        "e^(1 − 10/5) = 0.368.",
    ),
    hints=[
        (
            "n-그램마다 정답에 있나요? 그러면 p1, p2, p3, p4는 얼마인가요?",
            "Is every n-gram in the reference? Then what are p1, p2, p3 and p4?",
        ),
        (
            "짧은 번역 벌점의 식에 c = 5, r = 10을 넣으세요.",
            "Put c = 5 and r = 10 into the brevity penalty.",
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


def _scaled_by_d(keys, values, query, key, value):
    return _attend_with_cache(keys, values, query / math.sqrt(len(query)), key, value)


def _looked_up_by_value(keys, values, query, key, value):
    output, longer_values, longer_keys = _attend_with_cache(values, keys, query, value, key)
    return output, longer_keys, longer_values


def _key_kept_twice(keys, values, query, key, value):
    return _attend_with_cache(keys, values, query, key, key)


def _without_softmax(keys, values, query, key, value):
    _, keys, values = _attend_with_cache(keys, values, query, key, value)
    return (keys @ query / math.sqrt(len(query))) @ values, keys, values


def _scaled_by_length(keys, values, query, key, value):
    d_over_length = math.sqrt(len(query) / (len(keys) + 1))
    return _attend_with_cache(keys, values, query * d_over_length, key, value)


def _scaled_after_softmax(keys, values, query, key, value):
    keys, values = torch.cat([keys, key.unsqueeze(0)]), torch.cat([values, value.unsqueeze(0)])
    return (keys @ query).softmax(dim=0) / math.sqrt(len(query)) @ values, keys, values


def _not_normalized(keys, values, query, key, value):
    _, keys, values = _attend_with_cache(keys, values, query, key, value)
    return (keys @ query / math.sqrt(len(query))).exp() @ values, keys, values


def _returned_in_another_order(keys, values, query, key, value):
    output, keys, values = _attend_with_cache(keys, values, query, key, value)
    return output, values, keys


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
            _scaled_by_d,
            "d로 나누었습니다. √d로 나누세요.",
            "This divides by d; divide by √d.",
        ),
        Mistake(
            _scaled_by_length,
            "토큰 수의 제곱근으로 나누었습니다. d는 벡터 하나의 차원입니다.",
            "This divides by the root of the number of tokens; d is the dimension of one vector.",
        ),
        Mistake(
            _without_softmax,
            "소프트맥스가 빠졌습니다. 가중치의 합은 1입니다.",
            "The softmax is missing; the weights sum to 1.",
        ),
        Mistake(
            _scaled_after_softmax,
            "소프트맥스를 취한 다음 √d로 나누었습니다. 스코어를 먼저 나누세요.",
            "The weights are divided by √d after the softmax; divide the scores before it.",
        ),
        Mistake(
            _not_normalized,
            "가중치의 합이 1이 아닙니다. exp를 취한 값을 그 합으로 나누어야 소프트맥스입니다.",
            "The weights do not sum to 1; a softmax divides the exp of the scores by their sum.",
        ),
        Mistake(
            _returned_in_another_order,
            "출력은 맞는데 keys와 values를 바꾸어 돌려주었습니다.",
            "The output is right, but keys and values come back in each other's place.",
        ),
        Mistake(
            _looked_up_by_value,
            "쿼리를 값과 곱했습니다. 스코어는 쿼리와 키의 내적이고, 가중치는 값에 씁니다.",
            "The query is multiplied with the values; scores are query · key, the weights go to the values.",
        ),
        Mistake(
            _key_kept_twice,
            "새 토큰의 값 대신 키를 값의 캐시에 붙였습니다.",
            "The key is appended to the values; append the value there.",
        ),
        Mistake(
            _newest_first,
            "새 키와 값을 캐시의 앞에 붙였습니다. 문장의 순서대로 뒤에 붙이세요.",
            "The new key and value come first in the cache; append them in the order of the sentence.",
        ),
    ],
    hints=[
        (
            "먼저 새 키와 값을 캐시 뒤에 붙이세요. key의 형태 (d)를 (1, d)로 만들어야 합니다.",
            "First append the new key and value to the cache; the shape (d) of key must become (1, d).",
        ),
        (
            "길어진 keys (T + 1, d)와 query (d)의 곱이 스코어 (T + 1)입니다.",
            "The longer keys (T + 1, d) times query (d) are the scores (T + 1).",
        ),
        (
            "스코어를 √d로 나누고 소프트맥스를 취해, 길어진 values에 곱하세요.",
            "Divide the scores by √d, take the softmax, and multiply with the longer values.",
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


def _summed_chances(chances, text, chance):
    if text.endswith("."):
        return [(text, chance)]
    return [(text + token, chance + p) for token, p in chances(text).items()]


def _apart(chances, width, max_len):
    """The beam of the chapter: what has ended takes no place."""
    beams, ended = [("", 1.0)], []
    for _ in range(max_len):
        longer = [beam for text, chance in beams for beam in _all_tokens(chances, text, chance)]
        ended += [beam for beam in longer if beam[0].endswith(".")]
        beams = sorted((beam for beam in longer if beam not in ended), key=lambda beam: -beam[1])[:width]
    return [text for text, _ in sorted(ended + beams, key=lambda beam: -beam[1])[:width]]


def _ended_only(chances, width, max_len):
    """The beam of the chapter, which returns finished texts only."""
    beams, ended = [("", 1.0)], []
    for _ in range(max_len):
        longer = [beam for text, chance in beams for beam in _all_tokens(chances, text, chance)]
        longer = sorted(longer, key=lambda beam: -beam[1])
        ended += [beam for beam in longer[:width] if beam[0].endswith(".")]
        beams = [beam for beam in longer if not beam[0].endswith(".")][:width]
    return [text for text, _ in sorted(ended, key=lambda beam: -beam[1])[:width]]


def _with_chances(chances, width, max_len):
    texts, beams = _search(_all_but_ended, chances, width, max_len), [("", 1.0)]
    for _ in range(max_len):
        beams = [beam for text, chance in beams for beam in _all_but_ended(chances, text, chance)]
    return [(text, dict(beams)[text]) for text in texts]


def _least_first(chances, width, max_len):
    return _search(_all_but_ended, chances, width, max_len)[::-1]


def _least_likely(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        longer = [beam for text, chance in beams for beam in _all_but_ended(chances, text, chance)]
        beams = sorted(longer, key=lambda beam: beam[1])[:width]
    return [text for text, _ in beams]


def _by_text(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        longer = [beam for text, chance in beams for beam in _all_but_ended(chances, text, chance)]
        beams = sorted(longer, reverse=True)[:width]
    return [text for text, _ in beams]


def _until(stop, chances, width, max_len):
    """The right search, which ends too early."""
    for steps in range(1, max_len + 1):
        texts = _search(_all_but_ended, chances, width, steps)
        if stop(text.endswith(".") for text in texts):
            break
    return texts


def _never_pushed_out(chances, width, max_len):
    beams = [("", 1.0)]
    for _ in range(max_len):
        ended = [beam for beam in beams if beam[0].endswith(".")]
        longer = [beam for text, chance in beams for beam in _drop_ended(chances, text, chance)]
        beams = ended + sorted(longer, key=lambda beam: -beam[1])[: width - len(ended)]
    return [text for text, _ in sorted(beams, key=lambda beam: -beam[1])]


def _last_chance(chances, text, chance):
    return [(text, chance)] if text.endswith(".") else _all_tokens(chances, text, 1.0)


def pushed_out(text):
    """An ended text that two others push out of the beam."""
    return {"": {"A": 0.75, ".": 0.25}, "A": {"B": 0.6, "C": 0.4}}.get(text, {".": 1.0})


def garden_path(text):
    """The likelier prefix has only unlikely continuations."""
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
            "늘 하나만 남깁니다. 가장 그럴듯한 미완성 가설을 width개 남기세요.",
            "Only one hypothesis is kept; keep `width` of them.",
        ),
        Mistake(
            partial(_search, _drop_ended),
            "끝난 문장이 사라집니다. 마침표로 끝난 것도 확률 그대로 다음 단계의 후보입니다.",
            "Sentences that have ended are lost; they are candidates of the next step, as they are.",
        ),
        Mistake(
            partial(_search, _all_tokens),
            "마침표로 끝난 글도 계속 늘어납니다. 끝난 글은 그대로 두세요.",
            'A text goes on after it has ended; leave those that end in "." as they are.',
        ),
        Mistake(
            partial(_search, _last_chance),
            "마지막 토큰의 확률만 비교했습니다. 지금까지의 확률에 곱하세요.",
            "Only the newest token's probability is compared; multiply it by the probability so far.",
        ),
        Mistake(
            partial(_search, _summed_chances),
            "확률을 더했습니다. 글의 확률은 곱한 것입니다.",
            "The probabilities are added; that of a text is their product.",
        ),
        Mistake(
            _apart,
            "끝난 글을 따로 모았습니다. 이 연습에서는 끝난 글도 같은 자리를 놓고 겨룹니다.",
            "Ended texts are set apart; in this exercise they compete for the same places.",
        ),
        Mistake(
            _ended_only,
            "끝난 글을 따로 모아 그것만 돌려주었습니다. 이 연습에서는 모두 같은 자리를 놓고 겨룹니다.",
            "Ended texts are collected apart and only they come back; here all compete for the same places.",
        ),
        Mistake(
            _least_likely,
            "확률이 가장 작은 것을 남겼습니다. sorted는 작은 것부터 늘어놓습니다.",
            "The least likely texts are kept; sorted puts the smallest first.",
        ),
        Mistake(
            _by_text,
            "글자의 순서로 정렬했습니다. 튜플은 첫 원소부터 비교하니, 확률로 정렬하세요.",
            "The texts are sorted by their letters, the first element of the tuple; sort by probability.",
        ),
        Mistake(
            partial(_until, any),
            "글 하나가 끝나자 멈췄습니다. 다른 글은 계속 늘려 max_len단계를 모두 가세요.",
            "This stops when one text has ended; the others go on for all max_len steps.",
        ),
        Mistake(
            partial(_until, lambda ended: next(ended)),
            "가장 좋은 글이 끝나자 멈췄습니다. 다른 글은 계속 늘려 max_len단계를 모두 가세요.",
            "This stops when the best text has ended; the others go on for all max_len steps.",
        ),
        Mistake(
            _never_pushed_out,
            "끝난 글이 늘 자리를 지킵니다. 확률이 더 큰 글이 있으면 밀려나야 합니다.",
            "An ended text keeps its place for ever; likelier ones may push it out.",
        ),
        Mistake(
            lambda *arguments: [text.rstrip(".") for text in _search(_all_but_ended, *arguments)],
            "끝의 마침표를 지웠습니다. 글을 그대로 돌려주세요.",
            "The final period is taken off; return the texts as they are.",
        ),
        Mistake(
            _with_chances,
            "글과 확률의 쌍을 돌려주었습니다. 글만 돌려주세요.",
            "These are pairs of a text and its probability; return the texts alone.",
        ),
        Mistake(
            _least_first,
            "글은 맞지만 순서가 거꾸로입니다. 확률이 큰 것부터 돌려주세요.",
            "The right texts in the wrong order; return the likeliest first.",
        ),
        Mistake(
            lambda chances, width, max_len: _search(_all_but_ended, chances, width, max_len + 1),
            "한 단계 더 갔습니다. max_len단계만 가세요.",
            "That is one step too many; take max_len steps.",
        ),
        Mistake(
            lambda chances, width, max_len: _search(_all_but_ended, chances, width, max_len - 1),
            "한 단계 모자랍니다. max_len단계를 가세요.",
            "That is one step too few; take max_len steps.",
        ),
        Mistake(
            lambda chances, width, max_len: _search(_all_but_ended, chances, width + 1, max_len)[:width],
            "단계마다 하나를 더 남겼다가 마지막에 뺐습니다. 단계마다 width개만 남기세요.",
            "One text too many is kept until the end; keep only `width` at each step.",
        ),
        Mistake(
            lambda chances, width, max_len: _search(_all_but_ended, chances, 10**6, max_len)[:width],
            "끝까지 모든 글을 남겼다가 마지막에 골랐습니다. 단계마다 width개만 남기세요.",
            "All texts are kept until the end; keep only `width` at each step.",
        ),
    ],
    hints=[
        (
            "12.4절의 simple_beam에서 시작하세요. 끝난 글은 어디에 두어야 하나요?",
            "Start from simple_beam of section 12.4. Where does a text that has ended belong?",
        ),
        (
            "끝난 글은 자기 자신 하나만 후보로 내놓고, 다른 글은 글자마다 후보를 하나씩 내놓습니다.",
            "A text that has ended gives one candidate, itself; any other gives one per letter.",
        ),
        (
            "후보를 확률이 큰 순서로 세워 width개만 남기는 일을 max_len번 되풀이하세요.",
            "Sort the candidates by probability and keep `width`; do this max_len times.",
        ),
    ],
)


def _kept_by_top_p(probabilities, p):
    kept, total = [], 0.0
    for id in probabilities.argsort(descending=True).tolist():
        if total >= p:
            break
        kept.append(id)
        total += probabilities[id].item()
    return kept


def _sum_with_itself_below(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(dim=0) < p].tolist()


def _sum_with_itself_up_to(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(dim=0) <= p].tolist()


def _at_least_the_first(probabilities, p):
    return _sum_with_itself_below(probabilities, p) or [probabilities.argmax().item()]


def _before_up_to(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(dim=0) - values <= p].tolist()


def _each_above(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values >= p].tolist()


def _the_tail(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(dim=0) >= p].tolist()


def _least_likely_first(probabilities, p):
    values, ids = probabilities.sort()
    return ids[values.cumsum(dim=0) - values < p].tolist()


def _in_the_order_given(probabilities, p):
    ids = torch.arange(len(probabilities))
    return ids[probabilities.cumsum(dim=0) - probabilities < p].tolist()


def _up_to_the_rest(probabilities, p):
    values, ids = probabilities.sort(descending=True)
    return ids[values.cumsum(dim=0) - values < 1 - p].tolist()


def _all_rather_than_none(probabilities, p):
    return _sum_with_itself_below(probabilities, p) or probabilities.argsort(descending=True).tolist()


kept_by_top_p = Exercise(
    spec=_kept_by_top_p,
    start=_sum_with_itself_below,
    cases=[
        (torch.tensor([0.125, 0.75, 0.125]), 0.5),
        (torch.tensor([0.0625, 0.25, 0.5, 0.125, 0.0625]), 0.75),
        (torch.tensor([0.25, 0.625, 0.125]), 0.8),
        (torch.tensor([0.3, 0.05, 0.4, 0.25]), 0.98),
        (torch.tensor([0.3, 0.05, 0.4, 0.25]), 0.1),
        (torch.tensor([0.25, 0.5, 0.25]), 1.0),
    ],
    mistakes=[
        Mistake(
            _sum_with_itself_up_to,
            "합이 p를 넘게 하는 토큰이 아직 빠집니다. 자신 앞의 합을 p와 비교하세요.",
            "The token that takes the sum beyond p is still left out; compare the sum before it with p.",
        ),
        Mistake(
            _at_least_the_first,
            "리스트가 비는 일만 막았습니다. 다른 때에도 마지막 토큰이 하나 모자랍니다.",
            "This only keeps the list from being empty; elsewhere the last token is still missing.",
        ),
        Mistake(
            _before_up_to,
            "합이 정확히 p에 이르면 멈춰야 하는데 하나를 더 담았습니다.",
            "When the sum is exactly p, it is enough; this takes one more.",
        ),
        Mistake(
            lambda probabilities, p: sorted(_kept_by_top_p(probabilities, p)),
            "고른 토큰은 맞지만 순서가 다릅니다. 확률이 큰 것부터 돌려주세요.",
            "The right tokens in the wrong order; return the likeliest first.",
        ),
        Mistake(
            lambda probabilities, p: list(range(len(_kept_by_top_p(probabilities, p)))),
            "순위를 돌려주었습니다. 토큰의 번호를 돌려주세요.",
            "These are ranks; return the ids of the tokens.",
        ),
        Mistake(
            _the_tail,
            "꼬리를 남겼습니다. 합이 p에 이르기 전까지의 토큰을 남기세요.",
            "The tail is kept; keep the tokens before the sum has reached p.",
        ),
        Mistake(
            _least_likely_first,
            "확률이 작은 것부터 담았습니다. 큰 것부터 담으세요.",
            "This takes the least likely first; begin with the likeliest.",
        ),
        Mistake(
            _in_the_order_given,
            "번호의 순서대로 더했습니다. 먼저 확률이 큰 것부터 정렬하세요.",
            "The sum is taken in the order of the ids; sort by probability first.",
        ),
        Mistake(
            _up_to_the_rest,
            "합을 1 − p와 비교했습니다. p는 남길 확률입니다.",
            "The sum is compared with 1 − p; p is the probability to keep.",
        ),
        Mistake(
            _all_rather_than_none,
            "비면 모두 돌려주게 했을 뿐입니다. 합이 p에 이르게 하는 토큰이 여전히 빠집니다.",
            "An empty list becomes all ids, but the token that brings the sum up to p is still missing.",
        ),
        Mistake(
            _each_above,
            "토큰 하나하나의 확률을 p와 비교했습니다. 합을 비교하세요.",
            "Each probability is compared with p by itself; compare the sum.",
        ),
    ],
    hints=[
        (
            "확률이 0.75인 토큰이 하나 있고 p가 0.5라고 해 보세요. 무엇이 남아야 하나요?",
            "Say one token has 0.75 and p is 0.5. What should stay?",
        ),
        (
            "cumsum은 자신까지 더한 합입니다. 어떤 합이 p에 이르면 그만 담나요?",
            "cumsum includes the token itself. Which sum must have reached p for a token to be left out?",
        ),
        (
            "values.cumsum(dim=0)에서 values를 빼면 자신 앞의 합입니다. 12.9절의 before입니다.",
            "values.cumsum(dim=0) minus values is the sum before the token: `before` of section 12.9.",
        ),
    ],
)

longer_by_alpha = Exploration(
    look_for=(
        "alpha가 0에서 2이면 13–15토큰으로 정답의 17.6보다 짧습니다. 3에서는 29–33으로 뛰고 5에서는 "
        "거의 max_len인 60이며, BLEU는 52–67에서 30–35로, 다시 16–18로 떨어집니다. 벌점은 순서를 바꿀 뿐, "
        "빠진 내용을 채우지 않습니다.",
        "With an alpha from 0 to 2 there are 13–15 tokens, below the 17.6 of the references. With 3 they "
        "jump to 29–33, with 5 nearly to max_len, 60, and BLEU falls from 52–67 to 30–35 and 16–18. The "
        "penalty only reorders hypotheses and does not supply what is missing.",
    ),
    hints=[
        (
            "beam_search(model, hard_src[:100], *ends, 60, alpha=alpha)에서 문장마다 첫 가설을 쓰세요.",
            "From beam_search(model, hard_src[:100], *ends, 60, alpha=alpha) take each first hypothesis.",
        ),
        (
            "정답의 토큰 수는 len(english.encode(target))입니다. BLEU는 12.10절의 bleu로 재세요.",
            "The tokens of a reference are len(english.encode(target)); BLEU is `bleu` of section 12.10.",
        ),
    ],
)
