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


@wrong("change those of the source")
def read_from_source(model, src, tgt, vocab_size):
    found = []
    for i in range(tgt.size(1)):
        changed = tgt.clone()
        changed[:, i] = (changed[:, i] + 1) % vocab_size
        found.append((model(src, changed) - model(src, tgt)).abs().max())
    return torch.stack(found)


@wrong("all tokens from the position on")
def read_from_source(model, src, tgt, vocab_size):
    next_ids, found = (src + 1) % vocab_size, []
    for i in range(src.size(1)):
        changed = torch.cat([src[:, :i], next_ids[:, i:]], dim=1)
        found.append((model(changed, tgt) - model(src, tgt)).abs().max())
    return torch.stack(found)


@wrong("compares with the change before")
def read_from_source(model, src, tgt, vocab_size):
    logits = [model(src, tgt)]
    for i in range(src.size(1)):
        changed = src.clone()
        changed[:, i] = (changed[:, i] + 1) % vocab_size
        logits.append(model(changed, tgt))
    return torch.stack([(b - a).abs().max() for a, b in zip(logits, logits[1:])])


@wrong("set to 0")
def attend(q, k, v, mask):
    return (q @ k.mT / math.sqrt(k.size(-1)) * mask).softmax(dim=-1) @ v


@wrong("gets the mean of v")
def attend(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(k.size(-1))
    return torch.where(mask, scores, torch.finfo(scores.dtype).min).softmax(dim=-1) @ v


@wrong("may attend to no key gets NaN")
def attend(q, k, v, mask):
    return F.softmax(torch.where(mask, q @ k.mT / math.sqrt(k.size(-1)), -math.inf), dim=-1) @ v


@wrong("two tokens ahead")
def loss_of_target(logits, tgt, pad_id):
    return F.cross_entropy(logits[:, :-1].mT, tgt[:, 2:], ignore_index=pad_id)


@wrong("real tokens that are read")
def loss_of_target(logits, tgt, pad_id):
    total = F.cross_entropy(logits.mT, tgt[:, 1:], ignore_index=pad_id, reduction="sum")
    return total / tgt[:, :-1].ne(pad_id).sum()


@wrong("counts bos")
def loss_of_target(logits, tgt, pad_id):
    total = F.cross_entropy(logits.mT, tgt[:, 1:], ignore_index=pad_id, reduction="sum")
    return total / tgt.ne(pad_id).sum()


@wrong("by the number of sentences")
def loss_of_target(logits, tgt, pad_id):
    losses = F.cross_entropy(logits.mT, tgt[:, 1:], ignore_index=pad_id, reduction="none")
    return losses.sum(dim=1).mean()


@wrong("The logarithm is missing")
def loss_of_target(logits, tgt, pad_id):
    labels = tgt[:, 1:]
    found = logits.softmax(dim=-1).gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    return -found[labels != pad_id].mean()


@wrong("reshaped, not transposed")
def loss_of_target(logits, tgt, pad_id):
    sentences, length, vocab_size = logits.shape
    return F.cross_entropy(logits.view(sentences, vocab_size, length), tgt[:, 1:], ignore_index=pad_id)
