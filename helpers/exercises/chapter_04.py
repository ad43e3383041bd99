"""The exercises of chapter 04."""

import math

import torch

from helpers.exercises.kinds import Exercise, Mistake, random_tensors

_random = random_tensors()


def _softmax(scores):
    result = torch.zeros_like(scores)
    for row in range(scores.size(0)):
        powers = [math.exp(score - scores[row].max().item()) for score in scores[row].tolist()]
        result[row] = torch.tensor(powers) / sum(powers)
    return result


def _over_exp_sum(powers):
    return powers / powers.sum(dim=-1, keepdim=True)


softmax = Exercise(
    spec=_softmax,
    cases=[
        (torch.tensor([[0.0, 1.0]]),),
        (torch.tensor([[1.0, 2.0], [3.0, 3.0]]),),
        (torch.tensor([[-1.0, 0.0, 1.0], [2.0, -2.0, 0.5]]),),
        (_random(4, 5),),
        (torch.tensor([[1000.0, 1001.0], [-1000.0, 0.0]]),),
    ],
    mistakes=[
        Mistake(
            lambda scores: scores.softmax(dim=0),
            "가중치의 합이 1이 되는 축이 틀렸습니다: dim=0. 행마다 합이 1이어야 합니다.",
            "Weights sum to 1 over the wrong axis: dim=0. Each row should sum to 1.",
        ),
        Mistake(
            lambda scores: _over_exp_sum(scores.exp()),
            "큰 스코어에서 exp가 무한대가 되어 NaN이 됩니다. 먼저 행의 최댓값을 빼세요.",
            "exp overflows for large scores and gives NaN; subtract the largest of the row first.",
        ),
        Mistake(
            lambda scores: _over_exp_sum((scores - scores.max()).exp()),
            "전체의 최댓값을 뺐습니다. 행마다 그 행의 최댓값을 빼야 합니다.",
            "The largest of the whole matrix is subtracted; subtract each row's own largest.",
        ),
        Mistake(
            lambda scores: scores / scores.sum(dim=-1, keepdim=True),
            "exp를 하지 않고 합으로만 나누었습니다. 음수 가중치가 생깁니다.",
            "The scores are divided by their sum without exp; weights can become negative.",
        ),
        Mistake(
            lambda scores: scores.flatten().softmax(dim=0).view_as(scores),
            "전체의 합이 1입니다. 행마다 합이 1이어야 합니다.",
            "The whole matrix sums to 1; each row should.",
        ),
        Mistake(
            lambda scores: scores.exp() / scores.exp().sum(),
            "전체의 합으로 나누었습니다. 행마다 그 행의 합으로 나누세요. 큰 스코어에서는 exp가 넘칩니다.",
            "This divides by the sum of the whole matrix; divide each row by its own. And exp overflows.",
        ),
    ],
    forbidden=("softmax", "log_softmax"),
)


def _attention(query, key, value, scale=None, dim=-1):
    scores = query @ key.transpose(-2, -1) / (scale or math.sqrt(query.size(-1)))
    return scores.softmax(dim=dim) @ value


def _attention_by_loops(query, key, value):
    output = torch.zeros(*query.shape[:2], value.size(-1))
    for b in range(query.size(0)):
        for t in range(query.size(1)):
            scores = torch.stack([query[b, t] @ k for k in key[b]]) / math.sqrt(query.size(-1))
            output[b, t] = sum(
                weight * v for weight, v in zip(_softmax(scores.unsqueeze(0))[0], value[b], strict=True)
            )
    return output


attention = Exercise(
    spec=_attention_by_loops,
    cases=[
        (torch.tensor([[[1.0]]]), torch.tensor([[[1.0], [0.0]]]), torch.tensor([[[1.0], [3.0]]])),
        (
            torch.tensor([[[1.0, 0.0], [0.0, 2.0]]]),
            torch.tensor([[[1.0, 0.0], [0.0, 2.0]]]),
            _random(1, 2, 2),
        ),
        (_random(1, 3, 4), _random(1, 5, 4), _random(1, 5, 2)),
        (_random(2, 4, 9), _random(2, 3, 9), _random(2, 3, 9)),
    ],
    mistakes=[
        Mistake(
            lambda query, key, value: _attention(query, key, value, dim=1),
            "가중치의 합이 1이 되는 축이 틀렸습니다: dim=1. 키의 축, dim=-1이어야 합니다.",
            "Weights sum to 1 over the wrong axis: dim=1. It should be the axis of the keys, dim=-1.",
        ),
        Mistake(
            lambda query, key, value: _attention(query, key, value, dim=0),
            "가중치의 합이 1이 되는 축이 틀렸습니다: dim=0. 키의 축, dim=-1이어야 합니다.",
            "Weights sum to 1 over the wrong axis: dim=0. It should be the axis of the keys, dim=-1.",
        ),
        Mistake(
            lambda query, key, value: _attention(query, key, value, scale=1.0),
            "√d_k로 나누지 않았습니다.",
            "The scores are not divided by √d_k.",
        ),
        Mistake(
            lambda query, key, value: _attention(query, key, value, scale=query.size(-1)),
            "√d_k가 아니라 d_k로 나누었습니다.",
            "The scores are divided by d_k, not by √d_k.",
        ),
        Mistake(
            lambda query, key, value: _attention(query, key, value, scale=math.sqrt(key.size(1))),
            "벡터의 크기가 아니라 토큰 수의 제곱근으로 나누었습니다.",
            "The scores are divided by the root of the number of tokens, not of the vector size.",
        ),
        Mistake(
            lambda query, key, value: query @ key.transpose(-2, -1) / math.sqrt(query.size(-1)) @ value,
            "소프트맥스가 빠졌습니다. 스코어를 그대로 값에 곱했습니다.",
            "The softmax is missing; the values are multiplied by the bare scores.",
        ),
    ],
    forbidden=("scaled_dot_product_attention",),
)


def _jacobian(p):
    return torch.tensor([[p[i] * (float(i == j) - p[j]) for j in range(len(p))] for i in range(len(p))])


softmax_jacobian = Exercise(
    spec=_jacobian,
    cases=[
        (torch.tensor([0.5, 0.5]),),
        (torch.tensor([1.0, 0.0]),),
        (torch.tensor([0.2, 0.3, 0.5]),),
        (_random(6).softmax(dim=0),),
    ],
    mistakes=[
        Mistake(
            lambda p: torch.diag(p * (1 - p)),
            "대각선만 있습니다. 스코어 하나가 커지면 다른 가중치도 줄어듭니다.",
            "Only the diagonal is there; raising one score also lowers the other weights.",
        ),
        Mistake(
            lambda p: torch.diag(p) + torch.outer(p, p),
            "부호가 틀렸습니다. 대각선 밖은 음수입니다.",
            "The sign is wrong: off the diagonal the values are negative.",
        ),
        Mistake(
            lambda p: torch.outer(p, p) - torch.diag(p),
            "부호가 모두 반대입니다. 스코어가 커지면 그 가중치도 커집니다.",
            "All signs are reversed: when a score grows, so does its weight.",
        ),
        Mistake(
            lambda p: -torch.outer(p, p),
            "대각선에 p를 더하는 것을 빠뜨렸습니다.",
            "The p on the diagonal is missing.",
        ),
    ],
)
