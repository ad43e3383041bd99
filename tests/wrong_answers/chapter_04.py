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


@wrong("largest of the whole matrix")
def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum(-1, keepdim=True)


@wrong("largest of each column")
def softmax(scores):
    e = torch.exp(scores - scores.amax(0))
    return e / e.sum(-1, keepdim=True)


@wrong("can still overflow")
def softmax(scores):
    e = torch.exp(scores - scores.mean(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


@wrong("sign is reversed")
def softmax(scores):
    e = torch.exp(scores.amax(-1, keepdim=True) - scores)
    return e / e.sum(-1, keepdim=True)


@wrong("division by the sum is missing")
def softmax(scores):
    return torch.exp(scores - scores.amax(-1, keepdim=True))


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


@wrong("after the softmax")
def masked_attention(query, key, value, mask):
    weights = (query @ key.mT / math.sqrt(key.size(-1))).softmax(-1)
    return torch.where(mask, weights, 0.0) @ value


@wrong("mask is reversed")
def masked_attention(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(key.size(-1))
    scores[mask] = -math.inf
    return scores.softmax(-1) @ value


@wrong("not low enough")
def masked_attention(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(key.size(-1))
    return torch.where(mask, scores, -1.0).softmax(-1) @ value


@wrong("Multiplying by the mask")
def masked_attention(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(key.size(-1))
    return (scores * mask.float()).softmax(-1) @ value


@wrong("raises visible scores")
def masked_attention(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(key.size(-1))
    return (scores + mask.float()).softmax(-1) @ value


@wrong("mask is not used")
def masked_attention(query, key, value, mask):
    return F.scaled_dot_product_attention(query, key, value)


@wrong("wrong axis: dim=0")
def masked_attention(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(key.size(-1))
    return scores.masked_fill(~mask, -math.inf).softmax(0).nan_to_num() @ value


@wrong("not divided by √d_k")
def masked_attention(query, key, value, mask):
    return (query @ key.mT).masked_fill(~mask, -math.inf).softmax(-1) @ value


@wrong("Only the diagonal is there")
def softmax_jacobian(p):
    return torch.diag(p - p**2)


@wrong("The sign is wrong")
def softmax_jacobian(p):
    return torch.diag(p) + p[:, None] * p


@wrong("All signs are reversed")
def softmax_jacobian(p):
    return p[:, None] * p - torch.diag(p)


@wrong("on the diagonal is missing")
def softmax_jacobian(p):
    return -p[:, None] * p[None]


@wrong("only the diagonal, as a vector")
def softmax_jacobian(p):
    return p * (1 - p)


@wrong("Off the diagonal")
def softmax_jacobian(p):
    return torch.outer(p, 1 - p)
