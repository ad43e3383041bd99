"""Answers to the exercises of chapter 14, right ones and wrong ones that no exercise lists."""

import math

import torch
from torch.nn import functional as F

from wrong_answers import also, right, wrong


@right
def read_from_source(model, src, tgt, vocab_size):
    T = src.size(1)
    changed = src.repeat(T, 1)
    changed[range(T), range(T)] = (src[0] + 1) % vocab_size
    moved = model(changed, tgt.expand(T, -1)) - model(src, tgt)
    return moved.abs().amax((1, 2))


@wrong("changes its arguments (src)")
def read_from_source(model, src, tgt, vocab_size):
    before, found = model(src, tgt), []
    for i in range(src.size(1)):
        src[0, i] = (src[0, i] + 1) % vocab_size
        found.append((model(src, tgt) - before).abs().max())
    return torch.stack(found)


def moves(model, src, tgt, vocab_size, step=1, reduce=lambda moved: moved.abs().max()):
    found = []
    for i in range(src.size(1)):
        changed = src.clone()
        changed[:, i] = (changed[:, i] + step) % vocab_size
        found.append(reduce(model(changed, tgt) - model(src, tgt)))
    return found


also(
    "read_from_source",
    ("abs were left out", lambda *given: torch.stack(moves(*given, reduce=torch.max))),
    ("src were smaller by 1", lambda *given: torch.stack(moves(*given, step=-1))),
    ("It returns list; return Tensor", moves),
    ("It returns a single one of the numbers", lambda *given: max(moves(*given))),
)


@wrong("reshaped, not transposed: swap the axes of position and dimension. The scores are divided by")
def attend(q, k, v, mask):
    scores = q @ k.reshape(k.mT.shape) / math.sqrt(k.size(-2))
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num(0.0) @ v


def attended(q, k, v, mask, divisor=None, dim=-1, hidden=-math.inf):
    scores = (q @ k.mT / (divisor or k.size(-1) ** 0.5)).masked_fill(~mask, hidden)
    return scores.softmax(dim=dim).nan_to_num(0.0) @ v


also(
    "attend",
    (None, attended),
    ("the divisor were squared", lambda *given: attended(*given, divisor=given[1].size(-1))),
    ("the division were left out", lambda *given: attended(*given, divisor=1)),
    ("softmax ran along axis 1", lambda *given: attended(*given, dim=1)),
    ("masked_fill wrote 0", lambda *given: attended(*given, hidden=0.0)),
    ("mask were inverted", lambda q, k, v, mask: attended(q, k, v, ~mask)),
    ("mask were True everywhere", lambda q, k, v, mask: attended(q, k, v, torch.ones_like(mask))),
    (
        "use the root of d_head. Softmax runs along the wrong axis",
        lambda *given: attended(*given, divisor=given[1].size(-2) ** 0.5, dim=-2),
    ),
)


def loss(logits, labels, pad_id, **options):
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=pad_id, **options)


also(
    "loss_of_target",
    (None, lambda logits, tgt, pad_id: loss(logits, tgt[:, 1:], pad_id)),
    (None, lambda logits, tgt, pad_id: loss(logits, tgt[:, 1:], pad_id).item()),
    ("gone through a softmax", lambda logits, tgt, pad_id: loss(logits.softmax(-1), tgt[:, 1:], pad_id)),
    ("pad_id were always 0", lambda logits, tgt, pad_id: loss(logits, tgt[:, 1:], 0)),
    ("division were left out", lambda logits, tgt, pad: loss(logits, tgt[:, 1:], pad, reduction="sum")),
    ("reshape stood", lambda logits, tgt, pad: loss(logits.reshape(logits.mT.shape).mT, tgt[:, 1:], pad)),
    ("The sign is reversed", lambda logits, tgt, pad_id: -loss(logits, tgt[:, 1:], pad_id)),
)
