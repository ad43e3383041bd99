"""Wrong answers to the exercises of chapter 10."""

import torch
from torch.nn import functional as F

from wrong_answers import wrong


@wrong("Cross-attention is missing")
def model_parameters(src, tgt, d, f, n):
    a, ff = 4 * (d * d + d), 2 * d * f + f + d
    return (src + tgt) * d + n * (2 * a + 2 * ff + 10 * d) + tgt * (d + 1)


@wrong("output layer is missing")
def model_parameters(src, tgt, d, f, n):
    a, ff = 4 * (d * d + d), 2 * d * f + f + d
    return (src + tgt) * d + n * (3 * a + 2 * ff + 10 * d)


@wrong("3 norms, not 2")
def model_parameters(src, tgt, d, f, n):
    a, ff = 4 * (d * d + d), 2 * d * f + f + d
    return (src + tgt) * d + n * (3 * a + 2 * ff + 8 * d) + tgt * (d + 1)


@wrong("biases of the output layer")
def model_parameters(src, tgt, d, f, n):
    a, ff = 4 * (d * d + d), 2 * d * f + f + d
    return (src + tgt) * d + n * (3 * a + 2 * ff + 10 * d) + tgt * d


@wrong("Padding is counted")
def sentence_log_probs(logits, tgt, pad_id):
    return logits.log_softmax(-1).gather(2, tgt[..., None])[..., 0].sum(1)


@wrong("Raw logits")
def sentence_log_probs(logits, tgt, pad_id):
    return (logits.gather(2, tgt[..., None])[..., 0] * (tgt != pad_id)).sum(1)


@wrong("The sign is wrong")
def sentence_log_probs(logits, tgt, pad_id):
    logits = logits.transpose(1, 2)
    return F.cross_entropy(logits, tgt, ignore_index=pad_id, reduction="none").sum(1)


@wrong("The shape is ()")
def sentence_log_probs(logits, tgt, pad_id):
    x = logits.log_softmax(-1).gather(2, tgt[..., None])[..., 0]
    return (x * (tgt != pad_id)).sum()


@wrong("does not stop at eos_id")
def greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids = torch.full((batch_size, 1), bos_id)
    for _ in range(max_len):
        ids = torch.cat([ids, step(ids)[:, -1].argmax(-1, keepdim=True)], 1)
    return ids[:, 1:]


@wrong("go on talking")
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
