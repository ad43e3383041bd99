"""The exercises of chapter 02."""

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Mistake, random_tensors

_random = random_tensors()


def _one_hot(ids, vocab_size):
    result = torch.zeros(len(ids), vocab_size)
    for row, id in enumerate(ids):
        result[row, id] = 1.0
    return result


one_hot = Exercise(
    spec=_one_hot,
    cases=[
        (torch.tensor([0]), 2),
        (torch.tensor([1]), 2),
        (torch.tensor([2, 0]), 3),
        (torch.tensor([1, 1, 3]), 5),
        (torch.tensor([4, 0, 2, 4]), 6),
    ],
    mistakes=[
        Mistake(
            lambda ids, vocab_size: _one_hot(ids, vocab_size).T,
            "행과 열이 바뀌었습니다. 행은 토큰, 열은 어휘 사전입니다.",
            "Rows and columns are swapped: one row per token, one column per entry of the vocabulary.",
        ),
        Mistake(
            lambda ids, vocab_size: _one_hot(ids, vocab_size).long(),
            "정수 텐서입니다. 가중치와 곱하려면 실수(float)여야 합니다.",
            "The tensor holds integers; to be multiplied by the weights it must hold floats.",
        ),
        Mistake(
            lambda ids, vocab_size: _one_hot(ids, vocab_size).sum(0),
            "토큰마다 한 줄이 있어야 하는데 모두 한 줄에 합쳐졌습니다.",
            "All tokens are summed into one row; each token needs a row of its own.",
        ),
        Mistake(
            lambda ids, vocab_size: _one_hot((ids - 1) % vocab_size, vocab_size),
            "번호를 1부터 셌습니다. 번호 0은 맨 앞 열입니다.",
            "Ids are counted from 1; id 0 is the very first column.",
        ),
    ],
    forbidden=("one_hot",),
)


def _ranked(closeness, id):
    return [other for other in closeness.argsort(descending=True).tolist() if other != id]


def _cosine(weight, id):
    return F.cosine_similarity(weight, weight[id], dim=-1)


nearest = Exercise(
    spec=lambda weight, id, k: _ranked(_cosine(weight, id), id)[:k],
    cases=[
        (torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), 0, 1),
        (torch.tensor([[1.0, 0.0], [5.0, 5.0], [2.0, 0.5], [0.1, 0.2]]), 0, 1),
        (torch.tensor([[1.0, 0.0], [9.0, 1.0], [0.5, 0.5], [-1.0, 0.1]]), 0, 2),
        (_random(6, 3), 2, 3),
        (_random(20, 4), 7, 5),
    ],
    mistakes=[
        Mistake(
            lambda weight, id, k: _cosine(weight, id).argsort(descending=True).tolist()[:k],
            "자기 자신이 끼어 있습니다. 자기 자신과의 코사인은 늘 1입니다.",
            "The word itself is among its neighbors: its cosine with itself is always 1.",
        ),
        Mistake(
            lambda weight, id, k: _ranked(weight @ weight[id], id)[:k],
            "내적을 썼습니다. 긴 벡터가 유리해지니 길이로 나누어 코사인을 쓰세요.",
            "This ranks by dot product, which favors long vectors; divide by the lengths to get the cosine.",
        ),
        Mistake(
            lambda weight, id, k: _ranked(-(weight - weight[id]).norm(dim=-1), id)[:k],
            "거리를 썼습니다. 방향만 비교하는 코사인을 쓰세요.",
            "This ranks by distance; use the cosine, which compares directions only.",
        ),
        Mistake(
            lambda weight, id, k: _ranked(-_cosine(weight, id), id)[:k],
            "가장 먼 단어를 골랐습니다. 코사인이 큰 것부터입니다.",
            "These are the farthest words; the largest cosine comes first.",
        ),
    ],
)


def _gradient(ids, grad, vocab_size):
    result = torch.zeros(vocab_size, grad.size(-1))
    for row, id in zip(grad, ids, strict=True):
        result[id] += row
    return result


def _overwritten(ids, grad, vocab_size):
    result = torch.zeros(vocab_size, grad.size(-1))
    for row, id in zip(grad, ids, strict=True):
        result[id] = row
    return result


def _averaged(ids, grad, vocab_size):
    counts = torch.bincount(ids, minlength=vocab_size).clamp(min=1).unsqueeze(1)
    return _gradient(ids, grad, vocab_size) / counts


embedding_gradient = Exercise(
    spec=_gradient,
    cases=[
        (torch.tensor([1]), torch.tensor([[2.0]]), 3),
        (torch.tensor([0, 2]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]), 3),
        (torch.tensor([1, 1]), torch.tensor([[1.0], [3.0]]), 2),
        (torch.tensor([3, 0, 3, 3]), _random(4, 2), 5),
        (torch.arange(12) % 5, _random(12, 3), 7),
    ],
    mistakes=[
        Mistake(
            _overwritten,
            "같은 번호가 또 나오면 앞의 그래디언트를 덮어씁니다. 더해야 합니다.",
            "A repeated id overwrites the earlier gradient; add them up.",
        ),
        Mistake(
            _averaged,
            "같은 번호의 그래디언트를 평균했습니다. 합이어야 합니다.",
            "Gradients of a repeated id are averaged; they are summed.",
        ),
        Mistake(
            lambda ids, grad, vocab_size: grad,
            "토큰 순서 그대로입니다. 표의 줄마다 한 줄이 있어야 합니다.",
            "This is still one row per token; there should be one per row of the table.",
        ),
        Mistake(
            lambda ids, grad, vocab_size: _gradient(ids, grad, vocab_size) / len(ids),
            "토큰 수로 나누었습니다. 나누지 말고 더하기만 하세요.",
            "The sum is divided by the number of tokens; only add up.",
        ),
    ],
)
