"""Answers to the exercises of chapter 13, right ones and wrong ones that no exercise lists."""

import math

import torch

from wrong_answers import also, right, wrong

also(
    "entropy",
    (None, lambda weights: torch.special.entr(weights).sum(-1)),
    (None, lambda weights: -(weights * (weights + 1e-12).log()).sum(-1)),
    ("The sign is reversed", lambda weights: torch.xlogy(weights, weights).sum(-1)),
    ("a mean, not a sum", lambda weights: -torch.xlogy(weights, weights).mean(-1)),
    ("to base 2", lambda weights: -torch.xlogy(weights, weights).sum(-1) / math.log(2)),
    ("sum ran along axis 0", lambda weights: -torch.xlogy(weights, weights).sum(0)),
    ("The values differ", lambda weights: torch.special.entr(weights * (weights > 0.005)).sum(-1)),
)


def pairs(weights, source, written, threshold):
    rows = zip(written, weights.mean(0))
    return [(word, source[row.argmax()]) for word, row in rows if row.max() >= threshold]


also(
    "align",
    (None, pairs),
    ("It is sorted", lambda *given: sorted(pairs(*given))),
    ("The order is reversed", lambda *given: pairs(*given)[::-1]),
    ("inside each element", lambda *given: [pair[::-1] for pair in pairs(*given)]),
    ("the mean were a sum", lambda weights, *given: pairs(weights.sum(0, keepdim=True), *given)),
    ("It returns dict; return list", lambda *given: dict(pairs(*given))),
)


def shares(weights, values, w_o):
    columns = w_o.split(values.size(2), dim=1)
    return [w @ v @ part.T for w, v, part in zip(weights, values, columns)]


also(
    "shares_of_heads",
    (None, lambda *given: torch.stack(shares(*given))),
    ("w_o were transposed", lambda weights, values, w_o: torch.stack(shares(weights, values, w_o.T))),
    ("It is summed over axis 0", lambda *given: sum(shares(*given))),
    ("the order of its axes is (1, 0, 2)", lambda *given: torch.stack(shares(*given), 1)),
    ("It returns list; return Tensor", shares),
    ("is one to be transposed?", lambda weights, *given: torch.stack(shares(weights.mT, *given))),
)


@right
def head_confidence(weights, real):
    largest = weights.amax(-1) * real[:, None]
    return largest.sum((0, 2)) / real.sum()


@wrong("divided by weights.size(0)")
def head_confidence(weights, real):
    largest = weights.amax(-1) * real[:, None]
    return largest.sum((0, 2)) / len(real)


also(
    "head_confidence",
    ("Everything is averaged", lambda weights, real: weights.amax(-1).transpose(1, 2)[real].mean()),
    ("the mean were a sum", lambda weights, real: weights.amax(-1).transpose(1, 2)[real].sum(0)),
    ("weights were transposed", lambda weights, real: weights.amax(-2).transpose(1, 2)[real].mean(0)),
    ("real were inverted", lambda weights, real: weights.amax(-1).transpose(1, 2)[~real].mean(0)),
)
