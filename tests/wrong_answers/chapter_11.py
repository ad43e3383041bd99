"""Wrong answers to the exercises of chapter 11."""

import torch
from torch.nn import functional as F

from wrong_answers import wrong


@wrong("share of real tokens")
def padding_share(lengths, batches):
    return sum(lengths) / sum(len(b) * max(lengths[i] for i in b) for b in batches)


@wrong("padded to the longest sentence of all")
def padding_share(lengths, batches):
    return 1 - sum(lengths) / (len(lengths) * max(lengths))


@wrong("averages over batches")
def padding_share(lengths, batches):
    rates = []
    for b in batches:
        inside = [lengths[i] for i in b]
        rates.append(1 - sum(inside) / (len(inside) * max(inside)))
    return sum(rates) / len(rates)


@wrong("It returns int; return float")
def padding_share(lengths, batches):
    return 0


@wrong("does not sum to 1")
def smooth(answers, vocab_size, smoothing):
    p = torch.full((len(answers), vocab_size), smoothing / vocab_size)
    p[torch.arange(len(answers)), answers] = 1 - smoothing
    return p


@wrong("over the wrong words only")
def smooth(answers, vocab_size, smoothing):
    p = torch.full((len(answers), vocab_size), smoothing / (vocab_size - 1))
    p[torch.arange(len(answers)), answers] = 1 - smoothing
    return p


@wrong("no smoothing")
def smooth(answers, vocab_size, smoothing):
    return F.one_hot(answers, vocab_size) * 1.0


@wrong("The dtype is torch.int64")
def smooth(answers, vocab_size, smoothing):
    return F.one_hot(answers, vocab_size)


@wrong("counts real tokens only")
def token_batches(lengths, max_tokens):
    out, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and sum(lengths[j] for j in batch) + lengths[i] > max_tokens:
            out.append(batch)
            batch = []
        batch.append(i)
    return out + [batch]


@wrong("last batch is missing")
def token_batches(lengths, max_tokens):
    out, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and lengths[i] * (len(batch) + 1) > max_tokens:
            out.append(batch)
            batch = []
        batch.append(i)
    return out


@wrong("exactly max_tokens is fine")
def token_batches(lengths, max_tokens):
    out, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and lengths[i] * (len(batch) + 1) >= max_tokens:
            out.append(batch)
            batch = []
        batch.append(i)
    return out + [batch]


@wrong("not sorted by length")
def token_batches(lengths, max_tokens):
    out, batch = [], []
    for i in range(len(lengths)):
        longest = max(lengths[j] for j in [*batch, i])
        if batch and longest * (len(batch) + 1) > max_tokens:
            out.append(batch)
            batch = []
        batch.append(i)
    return out + [batch]
