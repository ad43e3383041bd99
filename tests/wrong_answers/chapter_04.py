"""Answers to the exercises of chapter 04."""

import math

import torch
from torch.nn import functional as F

from wrong_answers import also, right

also("two_questions", ("not one half", 0.5), (None, 0.447))


@right
def softmax(scores):
    return (scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp()


@right
def softmax(scores):
    rows = [[math.exp(s - max(row)) for s in row] for row in scores.tolist()]
    return torch.tensor([[power / sum(row) for power in row] for row in rows])


def powers(scores, axis=-1):
    return (scores - scores.amax(axis, keepdim=True)).exp()


also(
    "softmax",
    ("without softmax", lambda scores: scores.softmax(-1)),
    (
        "without softmax",
        lambda scores: torch.stack([(lambda row: torch.softmax(row, 0))(row) for row in scores]),
    ),
    ("sums to 1 along the wrong axis: 0", lambda scores: powers(scores, 0) / powers(scores, 0).sum(0)),
    (
        "sums to 1 along the wrong axis: all",
        lambda scores: (
            (scores - scores.max()).flatten().exp().div((scores - scores.max()).exp().sum()).view_as(scores)
        ),
    ),
    (
        "the sign of scores were changed",
        lambda scores: powers(-scores) / powers(-scores).sum(-1, keepdim=True),
    ),
    ("as if the division were left out", powers),
    ("is a keepdim or an unsqueeze missing", lambda scores: powers(scores) / powers(scores).sum(-1)),
    ("is a keepdim or an unsqueeze missing", lambda scores: scores.exp() / scores.exp().sum(-1)),
    (
        "It returns list; return Tensor",
        lambda scores: (powers(scores) / powers(scores).sum(-1, True)).tolist(),
    ),
)


def attend(query, key, value, mask, root=None, axis=-1, hide=-math.inf):
    scores = query @ key.mT / (key.size(-1) if root is None else root) ** 0.5
    return scores.masked_fill(~mask, hide).softmax(axis) @ value


also(
    "masked_attention",
    (None, attend),
    (None, lambda q, k, v, mask: F.scaled_dot_product_attention(q, k, v, mask)),
    ("as if mask were inverted", lambda q, k, v, mask: attend(q, k, v, ~mask)),
    ("masked_fill wrote -1", lambda q, k, v, mask: attend(q, k, v, mask, hide=-1.0)),
    ("mask were True everywhere", lambda q, k, v, mask: F.scaled_dot_product_attention(q, k, v)),
    ("softmax ran along axis 0", lambda q, k, v, mask: attend(q, k, v, mask, axis=0)),
    ("the division were left out", lambda q, k, v, mask: attend(q, k, v, mask, root=1)),
    ("the divisor were squared", lambda q, k, v, mask: attend(q, k, v, mask, root=k.size(-1) ** 2)),
    ("divided by √query.size(0)", lambda q, k, v, mask: attend(q, k, v, mask, root=q.size(0))),
    ("divided by √value.size(1)", lambda q, k, v, mask: attend(q, k, v, mask, root=v.size(1))),
    ("divided by 2", lambda q, k, v, mask: attend(q, k, v, mask, root=4)),
    ("divided by 8", lambda q, k, v, mask: attend(q, k, v, mask, root=64)),
    ("multiplied, not divided", lambda q, k, v, mask: attend(q, k, v, mask, root=1 / q.size(-1))),
)
