"""Wrong answers to the exercises of chapter 11."""

import math

from wrong_answers import wrong


@wrong("Every batch counts the same")
def perplexity(losses, counts):
    mean = sum(losses) / len(losses)
    return math.exp(mean)


@wrong("averages the perplexities")
def perplexity(losses, counts):
    return sum(math.exp(loss) for loss in losses) / len(counts)


@wrong("it is perplexities that are averaged")
def perplexity(losses, counts):
    total = 0.0
    for loss, count in zip(losses, counts, strict=True):
        total += count * math.exp(loss)
    return total / sum(counts)


@wrong("That is the loss")
def perplexity(losses, counts):
    return sum(loss * count for loss, count in zip(losses, counts, strict=True)) / sum(counts)


@wrong("a power of 2")
def perplexity(losses, counts):
    return 2 ** (sum(loss * count for loss, count in zip(losses, counts, strict=True)) / sum(counts))


@wrong("means already")
def perplexity(losses, counts):
    return math.exp(sum(losses) / sum(counts))


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


@wrong("This counts sentences")
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    return [order[start : start + max_tokens] for start in range(0, len(order), max_tokens)]


@wrong("hold lengths")
def token_batches(lengths, max_tokens):
    out, batch = [], []
    for length in sorted(lengths):
        if batch and length * (len(batch) + 1) > max_tokens:
            out.append(batch)
            batch = []
        batch.append(length)
    return out + [batch]


@wrong("Positions of padding are counted")
def token_accuracy(logits, labels, pad_id):
    return (logits.argmax(dim=-1) == labels).float().mean()


@wrong("averages over sentences")
def token_accuracy(logits, labels, pad_id):
    shares = []
    for row, label in zip(logits, labels, strict=True):
        real = label != pad_id
        shares.append((row.argmax(dim=-1) == label)[real].float().mean())
    return sum(shares) / len(shares)


@wrong("predicted padding")
def token_accuracy(logits, labels, pad_id):
    predicted = logits.argmax(dim=-1)
    return (predicted == labels)[predicted != pad_id].float().mean()


@wrong("all correct")
def token_accuracy(logits, labels, pad_id):
    predicted = logits.argmax(dim=-1)
    return ((predicted == labels) | (labels == pad_id)).all(dim=1).float().mean()


@wrong("share of wrong tokens")
def token_accuracy(logits, labels, pad_id):
    return (logits.argmax(dim=-1) != labels)[labels != pad_id].float().mean()
