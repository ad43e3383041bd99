"""The exercises of chapter 13."""

import operator
from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()

left_padding = Prediction(
    answer=1.0,
    near=0.02,
    why=(
        "위치 5의 정답은 첫 숫자이고, 첫 숫자는 보이는 키 가운데 언제나 위치가 가장 작습니다. 길이를 몰라도 "
        "찾을 수 있어 1.00까지 가능합니다.",
        "The target at position 5 is the first digit, always the smallest position among the visible keys. "
        "It can be found without the length, so up to 1.00 is possible.",
    ),
    hints=[
        "위치 5에 쓸 숫자는 행의 어디에 있나요?",
        "Where in the row is the digit to be written at position 5?",
        "13.4절의 위치 0에서는 길이를 몰라도 정답을 찾을 수 있었습니다. 이유가 무엇이었나요?",
        "At position 0 in section 13.4 the target could be found without the length. Why?",
        "패딩은 보이지 않습니다. 보이는 키 가운데 위치가 가장 작은 것은 무엇인가요?",
        "Padding is not visible. Which of the visible keys has the smallest position?",
    ],
)


def _entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)


entropy = Exercise(
    spec=_entropy,
    cases=[
        (torch.tensor([[0.5, 0.5]]),),
        (torch.tensor([[0.0, 1.0, 0.0], [0.25, 0.25, 0.5]]),),
        (torch.tensor([[0.99, 0.006, 0.004]]),),
        ((4 * _random(2, 3)).softmax(dim=-1),),
        ((2 * _random(2, 2, 4)).softmax(dim=-1),),
    ],
    mistakes=[
        lambda weights: -(weights * weights.log()).sum(dim=-1),
        "0인 가중치에서 log가 -∞가 되어 NaN이 나옵니다. 0인 가중치는 0을 더합니다.",
        "The log of a weight of 0 is -∞ and gives NaN; a weight of 0 adds 0.",
        lambda weights: _entropy(weights.masked_fill(weights < 0.01, 0.0)),
        "작은 가중치를 뺐습니다. 0인 가중치만 0을 더합니다.",
        "Small weights are left out; only a weight of 0 adds 0.",
        lambda weights: _entropy(weights) / torch.tensor(weights.size(-1)).log(),
        "가장 큰 엔트로피로 나누었습니다. 나누지 마세요.",
        "This divides by the largest possible entropy; do not divide.",
    ],
    hints=[
        "가중치가 0인 항을 따로 다루어야 합니다. 0 · log 0을 계산하면 무엇이 나오나요?",
        "A weight of 0 needs care: what does 0 · log 0 give in PyTorch?",
        "torch.xlogy(a, b)는 a · log b이고, a가 0이면 0입니다.",
        "torch.xlogy(a, b) is a · log b, and 0 where a is 0.",
        "마지막 축을 따라 더하고 부호를 바꾸세요.",
        "Sum along the last axis and change the sign.",
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
        "max along a row gives its largest weight and the column of it.",
        "zip(written, 가장 큰 가중치, 열)로 돌면서 기준값보다 작은 행만 건너뛰세요.",
        "Loop over zip(written, largest weights, columns) and skip the rows below the threshold.",
    ],
)


def _shares_of_heads(weights, values, w_o, dealt_out=False):
    n_heads, _, d_head = values.shape
    columns = w_o.unflatten(1, (d_head, n_heads) if dealt_out else (n_heads, d_head))
    return torch.einsum("hqd,odh->hqo" if dealt_out else "hqd,ohd->hqo", weights @ values, columns)


def _case(n_heads, t_q, t_k, d_head):
    d_model = n_heads * d_head
    return (
        _random(n_heads, t_q, t_k).softmax(dim=-1),
        _random(n_heads, t_k, d_head),
        _random(d_model, d_model),
    )


shares_of_heads = Exercise(
    spec=_shares_of_heads,
    cases=[_case(1, 1, 2, 2), _case(2, 2, 3, 2), _case(4, 3, 5, 2)],
    mistakes=[
        partial(_shares_of_heads, dealt_out=True),
        "헤드마다 이웃한 d_head개의 열을 가집니다. 열을 번갈아 나누었습니다.",
        "A head owns d_head neighboring columns; this deals them out in turn.",
        lambda weights, values, w_o: _shares_of_heads(torch.eye(*weights.shape[1:]), values, w_o),
        "가중치로 밸류를 평균하지 않았습니다.",
        "The values are not averaged by the weights.",
    ],
    hints=[
        "헤드마다 weights @ values는 무엇이고 형태는 어떤가요?",
        "What is weights @ values of each head, and what is its shape?",
        "헤드 h의 몫은 W_O에서 그 헤드의 d_head개 열만 씁니다. nn.Linear는 x @ W.T를 계산합니다.",
        "What head h adds uses only its d_head columns of W_O; nn.Linear computes x @ W.T.",
        "heads[h] @ w_o[:, h * d_head : (h + 1) * d_head].T를 헤드마다 쌓으세요.",
        "Stack heads[h] @ w_o[:, h * d_head : (h + 1) * d_head].T over the heads.",
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
        "첫 사례에서 둘째 행은 무엇의 행인가요?",
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
        "For some heads what goes wrong is what their weights suggest, for others it is not. In the "
        "translator of this page many question marks became periods without head 1 of cross 1; in one "
        "that was trained again they did not. What one model of one seed shows is not a property of a "
        "head's number.",
    ),
    hints=[
        "뷰어에서 문장 둘을 보고, 헤드 하나가 늘 무엇을 보는지 먼저 적으세요.",
        "Look at two sentences in the viewer and first write down what one head always looks at.",
        "show_mistakes((어텐션의 이름, 헤드), ablate_head, n=10)으로 틀린 문장을 읽으세요.",
        "Read the wrong sentences with show_mistakes((name of the attention, head), ablate_head, n=10).",
        "look_evenly로도 해 보세요. 같은 문장이 틀리나요?",
        "Try look_evenly as well: are the same sentences wrong?",
    ],
)
