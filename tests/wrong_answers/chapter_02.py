"""Answers to the exercises of chapter 02."""

import torch
from torch.nn import functional as F

from wrong_answers import also, right, wrong


@right
def embedding_gradient(ids, grad, vocab_size):
    out = torch.zeros(vocab_size, grad.size(1))
    for t in range(len(ids)):
        out[ids[t]] += grad[t]
    return out


@wrong("in another order")
def embedding_gradient(ids, grad, vocab_size):  # as if ids were counted from 1
    out = torch.zeros(vocab_size, grad.size(1))
    for t in range(len(ids)):
        out[ids[t] - 1] += grad[t]
    return out


@wrong("without backward")
def embedding_gradient(ids, grad, vocab_size):
    weight = torch.zeros(vocab_size, grad.size(1), requires_grad=True)
    weight[ids].backward(grad)
    return weight.grad


also(
    "embedding_gradient",
    ("It returns grad unchanged", lambda ids, grad, vocab_size: 1 * grad),
    (
        "It is divided by ids",
        lambda ids, grad, vocab_size: F.one_hot(ids, vocab_size).float().T @ grad / len(ids),
    ),
)


def cosines(vectors):
    unit = F.normalize(vectors, dim=1)
    return unit @ unit.T


also(
    "embed",
    (None, lambda weight, ids: F.one_hot(ids, len(weight)).float() @ weight),
    ("order of its axes is (1, 0, 2)", lambda weight, ids: weight[ids.T]),
    ("their order are right, the shape is not", lambda weight, ids: weight[ids].view(*ids.T.shape, -1)),
    ("their order are right, the shape is not", lambda weight, ids: weight[ids].flatten(end_dim=1)),
    ("every row of ids were the first", lambda weight, ids: weight[ids[0]].repeat(len(ids), 1, 1)),
    ("as if ids were sorted", lambda weight, ids: weight[ids.sort().values]),
)
