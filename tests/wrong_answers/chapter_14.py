"""Wrong answers to the exercises of chapter 14."""

import math

import torch
from torch.nn import functional as F

from wrong_answers import wrong


@wrong("Tokens changed before stay changed")
def read_from_source(model, src, tgt, vocab_size):
    before, changed, found = model(src, tgt), src.clone(), []
    for i in range(src.size(1)):
        changed[:, i] = (changed[:, i] + 1) % vocab_size
        found.append((model(changed, tgt) - before).abs().max())
    return torch.stack(found)


@wrong("take the absolute value")
def read_from_source(model, src, tgt, vocab_size):
    found = []
    for i in range(src.size(1)):
        changed = src.clone()
        changed[:, i] = (changed[:, i] + 1) % vocab_size
        found.append((model(changed, tgt) - model(src, tgt)).max())
    return torch.stack(found)


@wrong("This is the mean")
def read_from_source(model, src, tgt, vocab_size):
    found = []
    for i in range(src.size(1)):
        changed = src.clone()
        changed[:, i] = (changed[:, i] + 1) % vocab_size
        found.append((model(changed, tgt) - model(src, tgt)).abs().mean())
    return torch.stack(found)


@wrong("change those of the source")
def read_from_source(model, src, tgt, vocab_size):
    found = torch.zeros(src.size(1))
    for i in range(min(src.size(1), tgt.size(1))):
        changed = tgt.clone()
        changed[:, i] = (changed[:, i] + 1) % vocab_size
        found[i] = (model(src, changed) - model(src, tgt)).abs().max()
    return found


@wrong("last position only")
def read_from_source(model, src, tgt, vocab_size):
    found = []
    for i in range(src.size(1)):
        changed = src.clone()
        changed[:, i] = (changed[:, i] + 1) % vocab_size
        found.append((model(changed, tgt) - model(src, tgt))[0, -1].abs().max())
    return torch.stack(found)


@wrong("reshaped, not transposed")
def attend(q, k, v, mask):
    scores = q @ k.reshape(k.mT.shape) / math.sqrt(k.size(-1))
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num(0.0) @ v


@wrong("root of the number of keys")
def attend(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(k.size(-2))
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num(0.0) @ v


@wrong("along the wrong axis")
def attend(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(k.size(-1))
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-2).nan_to_num(0.0) @ v


@wrong("root of d_model")
def attend(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(k.size(-1) * k.size(-3))
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num(0.0) @ v


@wrong("mask is inverted")
def attend(q, k, v, mask):
    scores = (q @ k.mT / math.sqrt(k.size(-1))).masked_fill(mask, -math.inf)
    return scores.softmax(dim=-1).nan_to_num(0.0) @ v


@wrong("the token that was just read")
def loss_of_target(logits, tgt, pad_id):
    labels = tgt[:, :-1].flatten()
    real = labels != pad_id
    return F.cross_entropy(logits.flatten(0, 1)[real], labels[real])


@wrong("padding included")
def loss_of_target(logits, tgt, pad_id):
    labels = tgt[:, 1:].flatten()
    losses = F.cross_entropy(logits.flatten(0, 1), labels, reduction="none")
    return (losses * (labels != pad_id)).sum() / labels.numel()


@wrong("Padding counts as a label")
def loss_of_target(logits, tgt, pad_id):
    return F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:])


@wrong("within each sentence first")
def loss_of_target(logits, tgt, pad_id):
    rows = zip(logits, tgt[:, 1:], strict=True)
    return torch.stack([F.cross_entropy(a, b, ignore_index=pad_id) for a, b in rows]).mean()


@wrong("The logits are shifted as well")
def loss_of_target(logits, tgt, pad_id):
    return F.cross_entropy(logits[:, 1:].transpose(1, 2), tgt[:, 1:-1], ignore_index=pad_id)


@wrong("The mask comes after softmax")
def attend(q, k, v, mask):
    weights = (q @ k.mT / math.sqrt(k.size(-1))).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0) @ v


@wrong("is given probabilities")
def loss_of_target(logits, tgt, pad_id):
    probabilities = logits.softmax(dim=-1).flatten(0, 1)
    return F.cross_entropy(probabilities, tgt[:, 1:].flatten(), ignore_index=pad_id)
