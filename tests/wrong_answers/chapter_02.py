"""Wrong answers to the exercises of chapter 02."""

import math

import torch
from torch.nn import functional as F

from wrong_answers import wrong


@wrong("holds integers")
def one_hot(ids, vocab_size):
    return (ids[:, None] == torch.arange(vocab_size)).long()


@wrong("without one_hot")
def one_hot(ids, vocab_size):
    return F.one_hot(ids, vocab_size).float()


@wrong("swapped")
def one_hot(ids, vocab_size):
    return (ids[:, None] == torch.arange(vocab_size)).float().T


@wrong("summed into one row")
def one_hot(ids, vocab_size):
    out = torch.zeros(vocab_size)
    for i in ids:
        out[i] += 1
    return out


@wrong("counted from 1")
def one_hot(ids, vocab_size):
    return torch.eye(vocab_size)[ids - 1]


@wrong("among its neighbors")
def nearest(weight, id, k):
    c = F.cosine_similarity(weight, weight[id : id + 1])
    return c.topk(k).indices.tolist()


@wrong("favors long vectors")
def nearest(weight, id, k):
    s = weight @ weight[id]
    s[id] = -math.inf
    return s.topk(k).indices.tolist()


@wrong("ranks by distance")
def nearest(weight, id, k):
    d = ((weight - weight[id]) ** 2).sum(-1)
    d[id] = math.inf
    return d.topk(k, largest=False).indices.tolist()


@wrong("farthest")
def nearest(weight, id, k):
    u = F.normalize(weight, dim=-1)
    c = u @ u[id]
    c[id] = math.inf
    return c.topk(k, largest=False).indices.tolist()


@wrong("changes its arguments")
def nearest(weight, id, k):
    weight /= weight.norm(dim=-1, keepdim=True)
    c = weight @ weight[id]
    c[id] = -math.inf
    return c.topk(k).indices.tolist()


@wrong("overwrites")
def embedding_gradient(ids, grad, vocab_size):
    out = torch.zeros(vocab_size, grad.size(1))
    for t in range(len(ids)):
        out[ids[t]] = grad[t]
    return out


@wrong("averaged")
def embedding_gradient(ids, grad, vocab_size):
    hot = F.one_hot(ids, vocab_size).float()
    return hot.T @ grad / hot.sum(0).clamp(min=1)[:, None]


@wrong("one row per token")
def embedding_gradient(ids, grad, vocab_size):
    return 1 * grad
