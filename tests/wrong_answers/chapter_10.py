"""Answers to the exercises of chapter 10, right ones and wrong ones that no exercise lists."""

import torch

from helpers.masking import causal_mask, padding_mask
from wrong_answers import also, right, wrong


@wrong("It raises an error (RuntimeError)")  # and not after 10 seconds
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids, stopped = torch.full((batch_size, 1), bos_id), torch.zeros(batch_size).bool()
    while not stopped.all():
        best = step(ids)[:, -1].argmax(-1).masked_fill(stopped, pad_id)
        stopped |= best == eos_id
        ids = torch.cat([ids, best[:, None]], 1)
    return ids[:, 1:]


@wrong("Rows keep writing after they stopped; after eos_id, write pad_id. It goes on to max_len")
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids = torch.full((batch_size, 1), bos_id)
    for _ in range(max_len):
        ids = torch.cat([ids, step(ids)[:, -1].argmax(-1, keepdim=True)], 1)
    return ids[:, 1:]


def written(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids, done = torch.full((batch_size, 1), bos_id), torch.zeros(batch_size, 1).bool()
    while ids.size(1) <= max_len and not done.all():
        new = step(ids)[:, -1].argmax(-1, keepdim=True).masked_fill(done, pad_id)
        done |= new == eos_id
        ids = torch.cat([ids, new], 1)
    return ids


also(
    "greedy_batch",
    (None, lambda *given: written(*given)[:, 1:]),
    ("one too many at the start of axis 1", lambda *given: written(*given)),
    ("max_len were smaller by 1", lambda *given: written(*given[:-1], given[-1] - 1)[:, 1:]),
    ("max_len were larger by 1", lambda *given: written(*given[:-1], given[-1] + 1)[:, 1:]),
    ("pad_id were always 0", lambda *given: written(*given[:4], 0, given[5])[:, 1:]),
    ("It returns list; return Tensor", lambda *given: written(*given)[:, 1:].tolist()),
)


def masks(src, tgt, src_pad_id, tgt_pad_id):
    src_mask = padding_mask(src, src_pad_id)
    return src_mask, padding_mask(tgt, tgt_pad_id) & causal_mask(tgt.size(1)), src_mask


@right
def masks_of(src, tgt, src_pad_id, tgt_pad_id):
    src_mask, tgt_mask, _ = masks(src, tgt, src_pad_id, tgt_pad_id)
    return src_mask.expand(-1, 1, src.size(1), -1), tgt_mask, src_mask.expand(-1, 1, tgt.size(1), -1)


@wrong("src_pad_id is used where tgt_pad_id belongs")
def masks_of(src, tgt, src_pad_id, tgt_pad_id):
    return masks(src, tgt, src_pad_id, src_pad_id)


also(
    "masks_of",
    ("True and False are inverted", lambda *given: (~masks(*given)[0], *masks(*given)[1:])),
    ("src_pad_id and tgt_pad_id are swapped", lambda src, tgt, *pads: masks(src, tgt, *pads[::-1])),
    ("It returns 2 values, not 3", lambda *given: masks(*given)[:2]),
    ("The dtype is torch.float32", lambda *given: tuple(mask.float() for mask in masks(*given))),
)
