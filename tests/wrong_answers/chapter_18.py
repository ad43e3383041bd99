"""Answers to the exercises of chapter 18, right ones and wrong ones that no exercise lists."""

import torch
from torch.nn import functional as F

from wrong_answers import also


def quantize(weights):
    low, high = weights.aminmax()
    scale = (high - low) / 15
    return torch.tensor([round(((w - low) / scale).item()) for w in weights]).float(), scale, low


also(
    "quantize",
    (None, quantize),
    ("their types are not", lambda weights: (quantize(weights)[0].int(), *quantize(weights)[1:])),
)


def log_likelihood(logits, ids, begin):
    chosen = logits.log_softmax(-1)[range(begin - 1, len(ids) - 1), ids[begin:]]
    return -chosen.mean()


def each_token(logits, ids, begin):
    return F.cross_entropy(logits[begin - 1 : -1], ids[begin:], reduction="none")


also(
    "answer_loss",
    (None, log_likelihood),
    ("It is not averaged over axis 0", lambda *given: each_token(*given)),
    ("sign", lambda *given: -log_likelihood(*given)),
)
