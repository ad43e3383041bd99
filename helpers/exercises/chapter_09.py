"""The exercises of chapter 09."""

from functools import partial

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors
from helpers.masking import causal_mask

_random = random_tensors()

counted_labels = Prediction(
    answer=16,
    why=(
        "레이블은 단어와 <eos>이고 <bos>는 아닙니다: 8 + 5 + 3 = 16. 나머지 8개는 <pad>입니다.",
        "The targets are the words and <eos>, not <bos>: 8 + 5 + 3 = 16. The other 8 are <pad>.",
    ),
    hints=[
        "labels는 tgt에서 첫 열을 뺀 것입니다. 한 행에 무엇이 남나요?",
        "labels is tgt without its first column. What is left in a row?",
        "단어 2개짜리 문장의 labels는 단어 2개와 <eos>, 그 뒤는 <pad>입니다.",
        "For the sentence of 2 words, labels holds the 2 words, <eos>, and then <pad>.",
    ],
    slips=[
        13,
        "<eos>도 맞혀야 할 레이블입니다.",
        "<eos> is a label, too.",
        19,
        "<bos>는 레이블이 아닙니다.",
        "<bos> is no label.",
        24,
        "패딩은 평균에서 빠집니다.",
        "Padding is left out of the mean.",
    ],
)


def _rows(sentences, pad_id, before=(), after=()):
    """The sentences between these ids, padded at the end."""
    rows = [[*before, *sentence, *after] for sentence in sentences]
    longest = max(map(len, rows))
    return torch.tensor([row + [pad_id] * (longest - len(row)) for row in rows])


def _make_batch(
    sentences, bos_id, eos_id, pad_id, begins=True, ends=True, given=slice(-1), wanted=slice(1, None)
):
    tgt = _rows(sentences, pad_id, [bos_id] * begins, [eos_id] * ends)
    return tgt[:, given], tgt[:, wanted]


def _without_eos_in_input(sentences, bos_id, eos_id, pad_id):
    return _rows(sentences, pad_id, before=[bos_id]), _rows(sentences, pad_id, after=[eos_id])


def _eos_last(sentences, bos_id, eos_id, pad_id):
    return _make_batch(_rows(sentences, pad_id).long().tolist(), bos_id, eos_id, pad_id)


make_batch = Exercise(
    spec=_make_batch,
    cases=[
        ([[7, 8]], 2, 3, 0),
        ([[7, 8, 9], [5]], 2, 3, 0),
        ([[5], [6, 7, 8], []], 1, 2, 9),
        ([[]], 2, 3, 0),
        ([[4, 5], [6, 4], [4, 4]], 0, 1, 3),
    ],
    by_hand=([[7], []], 2, 3, 0),
    mistakes=[
        _without_eos_in_input,
        "짧은 행의 입력에서 <eos>를 뺐습니다. tgt[:, :-1]은 마지막 열만 빼므로 <eos>는 남아 있어야 합니다.",
        "You removed <eos> from the input of shorter rows; tgt[:, :-1] drops only the last column, so "
        "it should stay.",
        partial(_make_batch, given=slice(1, None), wanted=slice(-1)),
        "입력과 정답이 바뀌었습니다. 입력이 <bos>로 시작합니다.",
        "Input and labels are swapped: the input starts with <bos>.",
        partial(_make_batch, given=slice(None), wanted=slice(None)),
        "밀지 않았습니다. 입력에서는 마지막 열을, 정답에서는 첫 열을 빼세요.",
        "Nothing is shifted: drop the last column for the input and the first for the labels.",
        _eos_last,
        "<eos>를 패딩 뒤에 붙였습니다. 문장 바로 뒤에 붙이고 나서 패딩하세요.",
        "<eos> comes after the padding; put it right after the sentence, then pad.",
        partial(_make_batch, ends=False),
        "<eos>가 빠졌습니다.",
        "<eos> is missing.",
        partial(_make_batch, begins=False),
        "<bos>가 빠졌습니다.",
        "<bos> is missing.",
    ],
    hints=[
        "먼저 행마다 [bos, …, eos]를 만들고, 가장 긴 행에 맞춰 뒤를 채우세요.",
        "First make [bos, …, eos] for each row, then pad at the end up to the longest row.",
        (
            "모자란 수는 가장 긴 문장의 길이에서 그 문장의 길이를 뺀 것이고, [pad_id] * 수가 그만큼의 "
            "리스트입니다."
        ),
        "A row is short by the longest length minus its own; [pad_id] * count makes that many.",
        "tgt = torch.tensor(rows)를 만들어 tgt[:, :-1], tgt[:, 1:]을 돌려주세요.",
        "Make tgt = torch.tensor(rows) and return tgt[:, :-1], tgt[:, 1:].",
    ],
)


def _layer(
    x,
    memory,
    mask,
    memory_mask,
    attend,
    attend_memory,
    feed,
    norm,
    query="a",
    key="memory",
    value="memory",
    added="a",
    masked="memory_mask",
):
    a = norm(x + attend(x, x, x, mask))
    named = {"x": x, "a": a, "memory": memory, "mask": mask, "memory_mask": memory_mask, "no mask": None}
    query, key, value, added, masked = (named[name] for name in (query, key, value, added, masked))
    b = norm(added + attend_memory(query, key, value, masked))
    return norm(b + feed(b))


def _soft(query, key, value, mask=None):
    """Attention without projections."""
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return scores.softmax(dim=-1) @ value


def _softer(query, key, value, mask=None):
    """Another attention, so that one is not like the other."""
    return 2 * _soft(0.5 * query, key, value, mask)


def _twice_the_value(query, key, value, mask=None):
    return 2 * value


def _query_and_value(query, key, value, mask=None):
    return query + 10 * value


def _add_one(x):
    return x + 1


def _halve(x):
    return x / 2


def _norm(x):
    return F.layer_norm(x, x.shape[-1:])


def _case(length, visible):
    """Source and target of one length, so that what confuses them is told apart by its values."""
    memory_mask = torch.arange(length) < visible
    parts = (_soft, _softer, torch.sin, _norm)
    return _random(length, 4), _random(length, 4), causal_mask(length), memory_mask, *parts


decoder_layer = Exercise(
    spec=_layer,
    start=partial(_layer, query="memory", key="a", value="a"),
    cases=[_case(2, 2), _case(3, 2), _case(4, 4), _case(4, 1)],
    mistakes=[
        *(
            part
            for part in ("key", "value")
            for part in (
                partial(_layer, **{part: "a"}),
                f"크로스 어텐션의 {part}가 a입니다. 키와 밸류 모두 메모리에서 옵니다.",
                f"The {part} of cross-attention is a; both keys and values come from the memory.",
            )
        ),
        *(
            part
            for wrong in ("x", "memory")
            for part in (
                partial(_layer, query=wrong),
                f"크로스 어텐션의 쿼리가 {wrong}입니다. 셀프 어텐션을 지난 번역문인 a가 물어야 합니다.",
                f"The query of cross-attention is {wrong}; a, the target after self-attention, must ask.",
            )
        ),
        *(
            part
            for wrong in ("x", "memory")
            for part in (
                partial(_layer, added=wrong),
                f"두 번째 잔차로 {wrong}를 더했습니다. 묻는 쪽인 a를 더하세요.",
                f"The second residual is {wrong}; add a, the side that asks.",
            )
        ),
        partial(_layer, masked="no mask"),
        "크로스 어텐션에 memory_mask가 없습니다.",
        "Cross-attention lacks memory_mask.",
    ],
    by_hand=(
        torch.tensor([[2.0]]),
        torch.tensor([[5.0]]),
        None,
        None,
        _twice_the_value,
        _query_and_value,
        _add_one,
        _halve,
    ),
    hints=[
        "9.3절에서 누가 묻고 누가 답했나요?",
        "In section 9.3, who asked and who answered?",
        "메모리의 길이를 번역문과 다르게 해 보세요. 어느 줄에서 오류가 나나요?",
        "Make the memory longer than the target. Which line raises an error?",
        "크로스 어텐션의 쿼리는 a, 키와 밸류는 memory입니다.",
        "In cross-attention the query is a, the keys and values are memory.",
    ],
)

wrong_beginning = Exploration(
    look_for=(
        "맞는 앞부분 뒤에서는 거의 다 맞지만(0.99–1.00), 같은 도시를 두 번 쓴 앞부분 뒤에서는 시드에 따라 "
        "0.46–0.86만 맞습니다. 학습할 때 읽어 본 적이 없는 앞부분이기 때문입니다.",
        "After the right beginning nearly all are right (0.99–1.00); after the one with a city twice only "
        "0.46–0.86, depending on the seed, since it was never read in training.",
    ),
    hints=[
        (
            "원문은 random.sample(CITIES, 3) + [PAD]로 만든 행의 텐서입니다. start는 BOS의 열과 src[:, :1], "
            "그리고 src[:, 1:2]나 src[:, :1]을 torch.cat으로 이으면 됩니다."
        ),
        (
            "A source is a tensor of rows random.sample(CITIES, 3) + [PAD]. For start, torch.cat a column of "
            "BOS, src[:, :1], and src[:, 1:2] or src[:, :1]."
        ),
        "새로 쓴 것은 cut(write(model, src, start, steps=5)[:, 3:])입니다.",
        "What is new is cut(write(model, src, start, steps=5)[:, 3:]).",
        "앞부분이 [BOS, a, b]면 빠진 도시는 하나, [BOS, a, a]면 둘입니다. 정렬해서 비교하세요.",
        "After [BOS, a, b] one city is missing, after [BOS, a, a] two. Sort before you compare.",
    ],
)
