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


def scores(query, keys, cos, sin, root=None):
    T = len(keys)
    turned = rotate(keys, cos[:T], sin[:T]) @ rotate(query, cos[T - 1], sin[T - 1])
    return turned / (root or math.sqrt(len(query)))


also(
    "scores_of_newest",
    (None, scores),
    ("sqrt were left out", lambda *given: scores(*given, root=len(given[0]))),
    ("divided by √keys.size(0)", lambda *given: scores(*given, root=len(given[1]) ** 0.5)),
    ("There is a softmax too many, along axis 0", lambda *given: scores(*given).softmax(0)),
    ("It returns a single one of the numbers", lambda *given: scores(*given)[-1]),
)
