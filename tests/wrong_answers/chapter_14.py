"""Answers to the exercises of chapter 14, right ones and wrong ones that no exercise lists."""

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


@right
def read_from_source(model, src, tgt, vocab_size):
    changed = (src + torch.eye(src.size(1), dtype=torch.long)) % vocab_size  # all changes as one batch
    return (model(changed, tgt) - model(src, tgt)).abs().amax((1, 2))


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
