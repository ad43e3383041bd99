"""The exercises of chapter 13."""

import operator
from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()

query_of_zero = Prediction(
    answer=0.2,
    near=0.02,
    why=(
        "쿼리가 0이면 스코어가 모두 0으로 같고, 소프트맥스는 다섯 단어에 1/5씩 줍니다.",
        "With a query of 0 all scores are 0, and the softmax gives 1/5 to each of the five words.",
    ),
    hints=[
        "0인 벡터와 키의 내적은 얼마인가요?",
        "What is the dot product of a vector of zeros with a key?",
        "스코어가 모두 같을 때 소프트맥스는 무엇을 내나요?",
        "What does the softmax give where all scores are equal?",
        "원문은 다섯 단어이고, 크로스 어텐션에서는 모두 볼 수 있습니다.",
        "The source has five words, and cross-attention may look at all of them.",
    ],
    slips=[
        0,
        "스코어가 모두 0이어도 가중치의 합은 1입니다.",
        "Even if all scores are 0, the weights sum to 1.",
        1 / 9,
        "키는 번역문이 아니라 원문의 단어입니다.",
        "The keys are the words of the source, not of the translation.",
    ],
)


def _align(weights, source, written, threshold, pool=torch.mean, keep=operator.ge):
    best, places = pool(weights, dim=0).max(dim=-1)
    rows = zip(written, best.tolist(), places.tolist(), strict=True)
    return [(word, source[place]) for word, weight, place in rows if keep(weight, threshold)]


def _all_above(weights, source, written, threshold):
    rows = zip(written, weights.mean(dim=0).tolist(), strict=True)
    return [
        (word, key)
        for word, row in rows
        for key, weight in zip(source, row, strict=True)
        if weight >= threshold
    ]


def _columns(weights, source, written, threshold):
    pairs = _align(weights.mT, written, source, threshold)
    return [pair[::-1] for pair in pairs]


_few = torch.tensor([[[0.9, 0.1, 0.0]], [[0.0, 0.5, 0.5]], [[0.0, 0.6, 0.4]]])
_one = torch.tensor([[[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]]])
_two = torch.tensor([[[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]], [[0.0, 0.9, 0.1], [0.3, 0.1, 0.6]]])
align = Exercise(
    spec=_align,
    cases=[
        (_one, ["나는", "갔다"], ["I", "went", "."], 0.7),
        (_two, ["나는", "파리", "갔다"], ["Paris", "went"], 0.5),
        (_two, ["나는", "파리", "갔다"], ["Paris", "went"], 0.62),
        (_one, ["나는", "갔다"], ["I", "went", "."], 0.3),
        (torch.tensor([[[0.25, 0.75]]]), ["나는", "갔다"], ["went"], 0.75),
        (_few, ["나는", "파리", "갔다"], ["Paris"], 0.35),
        (torch.tensor([[[0.5, 0.4, 0.1]]]), ["나는", "파리", "갔다"], ["Paris"], 0.3),
        (torch.tensor([[[0.9, 0.1], [0.2, 0.8]]]), ["나는", "갔다"], ["went", "went"], 0.3),
    ],
    by_hand=3,
    mistakes=[
        partial(_align, pool=torch.amax),
        "헤드마다의 가중치 가운데 가장 큰 것을 썼습니다. 평균을 쓰세요.",
        "This takes the largest weight of the heads; take their mean.",
        partial(_align, keep=operator.gt),
        "기준값과 같은 짝도 남겨야 합니다. 기준값보다 작은 것만 빼세요.",
        "A pair exactly at the threshold stays; leave out only what is below.",
        _all_above,
        "한 단어에 짝이 여럿입니다. 행마다 가장 큰 것 하나만 고르세요.",
        "A word has several partners; choose only the largest of each row.",
        _columns,
        "원문 단어마다 짝을 찾았습니다. 쓰는 단어마다, 즉 행마다 찾으세요.",
        "This finds a partner for each source word; find one for each written word, each row.",
    ],
    hints=[
        "먼저 헤드의 축을 평균하면 (T_tgt, T_src)가 됩니다.",
        "First take the mean over the axis of the heads, which gives (T_tgt, T_src).",
        "행마다 max를 쓰면 가장 큰 가중치와 그 열이 함께 나옵니다.",
        "max along a row gives its largest weight and in which column that is.",
        "zip(written, 가장 큰 가중치, 열)로 돌면서 기준값보다 작은 행만 건너뛰세요.",
        "Loop over zip(written, largest weights, columns) and skip the rows below the threshold.",
    ],
)


def _real_rows(largest, real):
    return largest.transpose(1, 2)[real].mean(dim=0)


def _head_confidence(weights, real, rows=_real_rows, columns=False):
    weights = weights * real[:, None, None] if columns else weights
    return rows(weights.amax(dim=-1), real)  # (B, n_heads, T_q) -> (n_heads)


def _all_rows(largest, real):
    return largest.mean(dim=(0, 2))


def _mean_of_means(largest, real):
    means = [row[:, kept].mean(dim=-1) for row, kept in zip(largest, real, strict=True)]
    return torch.stack(means).mean(dim=0)


def _padded_batch(n_heads, lengths, t_q, t_k):
    real = torch.arange(t_q) < torch.tensor(lengths)[:, None]  # (B, T_q)
    return _random(len(lengths), n_heads, t_q, t_k).softmax(dim=-1), real


_first = torch.tensor([[[[1.0, 0.0], [0.5, 0.5]]]]), torch.tensor([[True, False]])
head_confidence = Exercise(
    spec=_head_confidence,
    cases=[
        _first,
        _padded_batch(2, [3, 2], 3, 3),
        _padded_batch(2, [4, 1, 2], 4, 3),
        _padded_batch(3, [5, 5], 5, 2),
        _padded_batch(4, [6, 2, 3], 6, 6),
    ],
    by_hand=(torch.tensor([[[[0.6, 0.4], [0.5, 0.5], [0.9, 0.1]]]]), torch.tensor([[True, True, False]])),
    start=partial(_head_confidence, rows=_all_rows),
    mistakes=[
        partial(_head_confidence, rows=lambda largest, real: _all_rows(largest * real[:, None], real)),
        "패딩의 행을 0으로 두고도 그 행까지 세어 나누었습니다. 진짜 행의 수로 나누세요.",
        "The rows of padding are set to 0 but still counted; divide by the number of real rows.",
        partial(_head_confidence, rows=_mean_of_means),
        "문장마다 평균한 다음 다시 평균했습니다. 진짜 행 모두를 한 번에 평균하세요.",
        "This averages the sentences' means; take one mean over all real rows.",
        *(
            part
            for rows in (_real_rows, _all_rows)
            for part in (
                partial(_head_confidence, rows=rows, columns=True),
                "패딩의 열을 가렸습니다. real은 쿼리, 즉 행에 대해 말합니다.",
                "The columns of padding are hidden; real speaks of queries, the rows.",
            )
        ),
    ],
    hints=[
        "같은 문장에 패딩을 더 붙이면 이 숫자가 달라져야 할까요?",
        "Should this number change when the same sentences get more padding?",
        "첫 사례에서 두 번째 행은 무엇의 행인가요?",
        "In the first case, whose row is the second one?",
        "가장 큰 가중치를 (B, T_q, n_heads)로 돌려놓고 real로 골라 평균하세요.",
        "Bring the largest weights to (B, T_q, n_heads), pick with real, and take the mean.",
    ],
)

a_head_of_your_own = Exploration(
    look_for=(
        "가중치에서 짐작한 일과 실제로 틀리는 것이 맞는 헤드도 있고 어긋나는 헤드도 있습니다. 이 "
        "페이지를 만든 번역기에서는 cross 1의 헤드 1을 없애면 물음표가 마침표가 되는 문장이 많았는데, 다시 "
        "학습시킨 번역기에서는 그렇지 않았습니다. 한 모델, 한 시드에서 본 것이 헤드 번호의 성질은 아닙니다.",
        "For some heads what goes wrong is what their weights suggest, for others it isn't. In the "
        "translator of this page many question marks became periods without head 1 of cross 1; in one "
        "that was trained again they didn't. What one model of one seed shows isn't a property of a "
        "head's number.",
    ),
    hints=[
        "뷰어에서 문장 둘을 보고, 헤드 하나가 늘 무엇을 보는지 먼저 적으세요.",
        "Look at two sentences in the viewer and first write down what one head always looks at.",
        "show_mistakes(어텐션의 이름, 헤드, n=10)으로 틀린 문장을 읽으세요.",
        "Read the wrong sentences with show_mistakes(name of the attention, head, n=10).",
        "연습 1처럼 쿼리만 0으로 만들어 보세요. 같은 문장이 틀리나요?",
        "Set only its query to 0, as in exercise 1: are the same sentences wrong?",
    ],
)
