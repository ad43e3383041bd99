"""Answers to the exercises of chapter 16, right ones and wrong ones that no exercise lists."""

import math

import torch

from helpers.modern import rotate
from wrong_answers import also, right, wrong


@right
def attend_in_groups(q, k, v):
    group, out = q.size(1) // k.size(1), torch.empty_like(q)
    for h in range(q.size(1)):
        scores = q[:, h] @ k[:, h // group].mT / math.sqrt(q.size(-1))
        out[:, h] = scores.softmax(-1) @ v[:, h // group]
    return out


@wrong("to be solved without repeat_interleave")
def attend_in_groups(q, k, v):
    k, v = (x.repeat_interleave(q.size(1) // x.size(1), dim=1) for x in (k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


def grouped(q, k, v, root=None):
    q = q.unflatten(1, (k.size(1), -1))
    scores = q @ k.unsqueeze(2).mT / (root or math.sqrt(q.size(-1)))
    return (scores.softmax(dim=-1) @ v.unsqueeze(2)).flatten(1, 2)


also(
    "attend_in_groups",
    (None, grouped),
    ("the division were left out", lambda q, k, v: grouped(q, k, v, root=1)),
    ("sqrt were left out", lambda q, k, v: grouped(q, k, v, root=q.size(-1))),
    ("divided by √k.size(2)", lambda q, k, v: grouped(q, k, v, root=k.size(2) ** 0.5)),
    ("The shape is (1, 1, 8), not (1, 4, 1, 2)", lambda *given: grouped(*given).transpose(1, 2).flatten(2)),
    ("k is used where v belongs", lambda q, k, v: grouped(q, k, k)),
)


def reordered(weight, n_heads, places=lambda d: [*range(0, d, 2), *range(1, d, 2)]):
    return torch.cat([head[places(len(head))] for head in weight.chunk(n_heads)])


also(
    "to_halves",
    (None, reordered),
    (None, lambda weight, n: weight.view(n, -1, 2, weight.size(1)).transpose(1, 2).reshape(weight.shape)),
    ("It returns weight unchanged", lambda weight, n_heads: weight),
    ("the shape is not", lambda weight, n: reordered(weight, n).unflatten(0, (n, -1))),
    ("in another order", lambda *given: reordered(*given, lambda d: [*range(d // 2, d), *range(d // 2)])),
    ("The shape is (2, 1), not (4, 1)", lambda *given: reordered(*given, lambda d: [*range(0, d, 2)])),
)


def scores(query, keys, cos, sin, root=None):
    T = len(keys)
    turned = rotate(keys, cos[:T], sin[:T]) @ rotate(query, cos[T - 1], sin[T - 1])
    return turned / (root or math.sqrt(len(query)))


also(
    "scores_of_newest",
    (None, scores),
    ("the division were left out", lambda *given: scores(*given, root=1)),
    ("sqrt were left out", lambda *given: scores(*given, root=len(given[0]))),
    ("divided by √keys.size(0)", lambda *given: scores(*given, root=len(given[1]) ** 0.5)),
    ("There is a softmax too many, along axis 0", lambda *given: scores(*given).softmax(0)),
    ("It returns a single one of the numbers", lambda *given: scores(*given)[-1]),
)
