"""Wrong answers to the exercises of chapter 10."""

import torch
from torch.nn import functional as F

from helpers.masking import causal_mask, padding_mask
from wrong_answers import wrong


@wrong("does not stop at eos_id")
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids = torch.full((batch_size, 1), bos_id)
    for _ in range(max_len):
        ids = torch.cat([ids, step(ids)[:, -1].argmax(-1, keepdim=True)], 1)
    return ids[:, 1:]


@wrong("go on writing")
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids = torch.full((batch_size, 1), bos_id)
    for _ in range(max_len):
        ids = torch.cat([ids, step(ids)[:, -1].argmax(-1, keepdim=True)], 1)
        if (ids == eos_id).any(1).all():
            break
    return ids[:, 1:]


@wrong("When one row stops")
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids = torch.full((batch_size, 1), bos_id)
    for _ in range(max_len):
        ids = torch.cat([ids, step(ids)[:, -1].argmax(-1, keepdim=True)], 1)
        if (ids[:, -1] == eos_id).any():
            break
    return ids[:, 1:]


@wrong("bos_id is still there")
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids = torch.full((batch_size, 1), bos_id)
    done = torch.zeros(batch_size, 1).bool()
    while ids.size(1) <= max_len and not done.all():
        new = step(ids)[:, -1].argmax(-1, keepdim=True).masked_fill(done, pad_id)
        done |= new == eos_id
        ids = torch.cat([ids, new], 1)
    return ids


@wrong("Only the first position counts")
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids, written = torch.full((batch_size, 1), bos_id), []
    done = torch.zeros(batch_size).bool()
    while len(written) < max_len and not done.all():
        new = step(ids)[:, -1].argmax(-1).masked_fill(done, pad_id)
        done |= new == eos_id
        written.append(new)
    return torch.stack(written, 1)


@wrong("only the last token")
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    last, written = torch.full((batch_size, 1), bos_id), []
    done = torch.zeros(batch_size, 1).bool()
    while len(written) < max_len and not done.all():
        last = step(last)[:, -1].argmax(-1, keepdim=True).masked_fill(done, pad_id)
        done |= last == eos_id
        written.append(last)
    return torch.cat(written, 1)


@wrong("Padding is counted")
def sentence_log_probs(logits, labels, pad_id):
    return logits.log_softmax(-1).gather(2, labels[..., None])[..., 0].sum(1)


@wrong("Raw logits")
def sentence_log_probs(logits, labels, pad_id):
    return logits.gather(2, labels[..., None])[..., 0].masked_fill(labels == pad_id, 0).sum(1)


@wrong("The sign is wrong")
def sentence_log_probs(logits, labels, pad_id):
    logits = logits.transpose(1, 2)
    return F.cross_entropy(logits, labels, ignore_index=pad_id, reduction="none").sum(1)


@wrong("gives NaN")
def sentence_log_probs(logits, labels, pad_id):
    picked = logits.log_softmax(-1).gather(2, labels[..., None])[..., 0]
    return (picked * (labels != pad_id)).sum(1)


@wrong("The shape is ()")
def sentence_log_probs(logits, labels, pad_id):
    x = logits.log_softmax(-1).gather(2, labels[..., None])[..., 0]
    return x.masked_fill(labels == pad_id, 0).sum()


@wrong("hides padding as a query too")
def masks_of(src, tgt, src_pad_id, tgt_pad_id):
    memory_mask = padding_mask(src, src_pad_id)
    tgt_mask = padding_mask(tgt, tgt_pad_id) & causal_mask(tgt.size(1))
    return memory_mask & memory_mask.transpose(-2, -1), tgt_mask, memory_mask


@wrong("has no mask")
def masks_of(src, tgt, src_pad_id, tgt_pad_id):
    tgt_mask = padding_mask(tgt, tgt_pad_id) & causal_mask(tgt.size(1))
    return None, tgt_mask, padding_mask(src, src_pad_id)


@wrong("add axes for heads and queries")
def masks_of(src, tgt, src_pad_id, tgt_pad_id):
    tgt_mask = padding_mask(tgt, tgt_pad_id) & causal_mask(tgt.size(1))
    return src != src_pad_id, tgt_mask, padding_mask(src, src_pad_id)


@wrong("is inverted")
def masks_of(src, tgt, src_pad_id, tgt_pad_id):
    tgt_mask = padding_mask(tgt, tgt_pad_id) & causal_mask(tgt.size(1))
    return (src == src_pad_id)[:, None, None, :], tgt_mask, padding_mask(src, src_pad_id)


@wrong("sees the future")
def masks_of(src, tgt, src_pad_id, tgt_pad_id):
    src_mask = padding_mask(src, src_pad_id)
    return src_mask, padding_mask(tgt, tgt_pad_id), src_mask


@wrong("still transposed")
def masks_of(src, tgt, src_pad_id, tgt_pad_id):
    src_mask = padding_mask(src, src_pad_id)
    tgt_mask = padding_mask(tgt, tgt_pad_id) & causal_mask(tgt.size(1))
    return src_mask, tgt_mask, src_mask.transpose(2, 3)
