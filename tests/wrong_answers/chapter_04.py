"""Wrong answers to the exercises of chapter 04."""

import math

import torch
from torch.nn import functional as F

from wrong_answers import wrong


@wrong("exp overflows")
def softmax(scores):
    return scores.exp() / scores.exp().sum(1, keepdim=True)


@wrong("wrong axis: dim=0")
def softmax(scores):
    e = (scores - scores.max(0, keepdim=True).values).exp()
    return e / e.sum(0)


@wrong("whole matrix sums to 1")
def softmax(scores):
    e = (scores - scores.max()).exp()
    return e / e.sum()


@wrong("without exp")
def softmax(scores):
    return scores / scores.sum(1, keepdim=True)


@wrong("sum of the whole matrix")
def softmax(scores):
    return scores.exp() / scores.exp().sum()


@wrong("without softmax")
def softmax(scores):
    return scores.softmax(-1)


@wrong("without softmax")
def softmax(scores):
    def of_row(row):
        return torch.softmax(row, 0)

    return torch.stack([of_row(row) for row in scores])


@wrong("without scaled_dot_product_attention")
def attention(query, key, value):
    return torch.nn.functional.scaled_dot_product_attention(query, key, value)


@wrong("wrong axis: dim=1")
def attention(query, key, value):
    s = query @ key.mT / math.sqrt(key.size(-1))
    return F.softmax(s, 1) @ value


@wrong("not divided")
def attention(query, key, value):
    return (query @ key.mT).softmax(-1) @ value


@wrong("by d_k, not by √d_k")
def attention(query, key, value):
    return torch.softmax(query @ key.mT / key.shape[-1], -1) @ value


@wrong("softmax is missing")
def attention(query, key, value):
    return query @ key.mT @ value / key.size(-1) ** 0.5


@wrong("number of tokens")
def attention(query, key, value):
    s = query @ key.mT / key.size(-2) ** 0.5
    return s.softmax(-1) @ value


@wrong("It raises an error")
def attention(query, key, value):
    return query @ key @ value


@wrong("Only the diagonal")
def softmax_jacobian(p):
    return torch.diag(p - p**2)


@wrong("The sign is wrong")
def softmax_jacobian(p):
    return torch.diag(p) + p[:, None] * p


@wrong("on the diagonal is missing")
def softmax_jacobian(p):
    return -p[:, None] * p[None]


@wrong("The shape is")
def softmax_jacobian(p):
    return p * (1 - p)
