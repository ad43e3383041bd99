"""The exercises of chapter 13."""

import torch

from helpers.exercises.kinds import Exercise, Mistake, random_tensors

_random = random_tensors()
_weights = [_random(*shape).softmax(dim=-1) for shape in ((2, 3), (2, 2, 4))]


def _entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)


entropy = Exercise(
    spec=_entropy,
    cases=[
        (torch.tensor([[0.5, 0.5]]),),
        (torch.tensor([[0.0, 1.0, 0.0], [0.25, 0.25, 0.5]]),),
        *((weights,) for weights in _weights),
    ],
    mistakes=[
        Mistake(
            lambda weights: -(weights * weights.log()).sum(dim=-1),
            "0인 가중치에서 log가 -∞가 되어 NaN이 나옵니다. 0의 몫은 0입니다.",
            "The log of a weight of 0 is -∞ and gives NaN; a weight of 0 adds 0.",
        ),
        Mistake(
            lambda weights: -_entropy(weights),
            "부호가 반대입니다. 엔트로피는 0보다 작지 않습니다.",
            "The sign is wrong; an entropy is never below 0.",
        ),
        Mistake(
            lambda weights: -torch.xlogy(weights, weights).mean(dim=-1),
            "더하지 않고 평균했습니다.",
            "This takes the mean instead of the sum.",
        ),
        Mistake(
            lambda weights: -torch.xlogy(weights, weights).sum(dim=-2),
            "열을 따라 더했습니다. 행마다, 곧 마지막 축을 따라 더하세요.",
            "This sums along columns; sum every row, the last axis.",
        ),
        Mistake(
            lambda weights: -(weights * weights.clamp(min=1e-9).log2()).sum(dim=-1),
            "밑이 2인 로그를 썼습니다. 자연로그를 쓰세요.",
            "The logarithm is to base 2; use the natural one.",
        ),
    ],
)


def _align(weights, source, written, threshold):
    best, places = weights.mean(dim=0).max(dim=-1)
    rows = zip(written, best.tolist(), places.tolist(), strict=True)
    return [(word, source[place]) for word, weight, place in rows if weight >= threshold]


def _first_head(weights, source, written, threshold):
    return _align(weights[:1], source, written, threshold)


def _largest_of_heads(weights, source, written, threshold):
    return _align(weights.max(dim=0, keepdim=True).values, source, written, threshold)


def _columns(weights, source, written, threshold):
    best, places = weights.mean(dim=0).max(dim=0)
    rows = zip(source, best.tolist(), places.tolist(), strict=True)
    return [(written[place], word) for word, weight, place in rows if weight >= threshold]


_one = torch.tensor([[[0.1, 0.9], [0.8, 0.2], [0.5, 0.5]]])
_two = torch.tensor([[[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]], [[0.0, 0.9, 0.1], [0.3, 0.1, 0.6]]])
align = Exercise(
    spec=_align,
    cases=[
        (_one, ["나는", "갔다"], ["went", "I", "."], 0.7),
        (_two, ["나는", "파리", "갔다"], ["Paris", "went"], 0.5),
        (_two, ["나는", "파리", "갔다"], ["Paris", "went"], 0.62),
        (_one, ["나는", "갔다"], ["went", "I", "."], 0.8),
        (torch.tensor([[[0.25, 0.75]]]), ["나는", "갔다"], ["went"], 0.75),
    ],
    mistakes=[
        Mistake(
            _first_head,
            "헤드 하나만 보았습니다. 모든 헤드를 평균하세요.",
            "Only one head is used; take the mean of all.",
        ),
        Mistake(
            _largest_of_heads,
            "헤드마다의 가중치 가운데 가장 큰 것을 썼습니다. 평균을 쓰세요.",
            "This takes the largest weight of the heads; take their mean.",
        ),
        Mistake(
            lambda *case: _align(*case[:3], 0.0),
            "threshold보다 작은 짝이 남아 있습니다.",
            "Pairs below the threshold are still there.",
        ),
        Mistake(
            _columns,
            "원문 단어마다 짝을 찾았습니다. 쓰는 단어마다, 곧 행마다 찾으세요.",
            "This finds a partner for each source word; find one for each written word, each row.",
        ),
        Mistake(
            lambda *case: [pair[::-1] for pair in _align(*case)],
            "짝의 순서가 반대입니다. (쓰는 단어, 원문 단어)로 돌려주세요.",
            "The pairs are the wrong way round; return (written word, source word).",
        ),
    ],
)


def _shares_of_heads(weights, values, w_o):
    columns = w_o.unflatten(1, (values.size(0), values.size(2)))  # (d_model, n_heads, d_head)
    return torch.einsum("hqd,ohd->hqo", weights @ values, columns)


def _rows(weights, values, w_o):
    return _shares_of_heads(weights, values, w_o.T)


def _whole(weights, values, w_o):
    return _shares_of_heads(weights, values, w_o).sum(dim=0)


def _interleaved(weights, values, w_o):
    columns = w_o.unflatten(1, (values.size(2), values.size(0)))  # (d_model, d_head, n_heads)
    return torch.einsum("hqd,odh->hqo", weights @ values, columns)


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
        Mistake(
            _rows,
            "W_O의 열이 아니라 행을 나누었습니다. nn.Linear는 x @ W.T를 계산합니다.",
            "This cuts the rows of W_O, not its columns; nn.Linear computes x @ W.T.",
        ),
        Mistake(
            _whole,
            "헤드를 다 더했습니다. 헤드마다 따로 돌려주세요.",
            "The heads are summed; return each by itself.",
        ),
        Mistake(
            _interleaved,
            "헤드마다 이웃한 d_head개의 열을 가집니다. 열을 번갈아 나누었습니다.",
            "A head owns d_head neighboring columns; this deals them out in turn.",
        ),
        Mistake(
            lambda weights, values, w_o: _shares_of_heads(
                torch.eye(values.size(1)).expand(values.size(0), -1, -1)[:, : weights.size(1)], values, w_o
            ),
            "가중치로 값을 평균하지 않았습니다.",
            "The values are not averaged by the weights.",
        ),
    ],
)
