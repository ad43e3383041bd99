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


@wrong("enlarges gradients that are within the limit")
def clip(gradients, max_norm):
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    return [gradient * max_norm / (norm + 1e-12) for gradient in gradients]


@wrong("adds the norms of the tensors")
def clip(gradients, max_norm):
    norm = sum(gradient.norm() for gradient in gradients)
    return [gradient * min(1.0, max_norm / (norm.item() + 1e-12)) for gradient in gradients]


@wrong("norm of the largest tensor")
def clip(gradients, max_norm):
    norm = max(gradient.norm().item() for gradient in gradients)
    return [gradient * (max_norm / norm) if norm > max_norm else gradient.clone() for gradient in gradients]


@wrong("each value on its own")
def clip(gradients, max_norm):
    return [gradient.clamp(min=-max_norm, max=max_norm) for gradient in gradients]


@wrong("root of the sum of squares is missing")
def clip(gradients, max_norm):
    norm = sum((gradient**2).sum().item() for gradient in gradients)
    return [gradient * (max_norm / norm) if norm > max_norm else gradient.clone() for gradient in gradients]


@wrong("There is an empty batch")
def token_batches(lengths, max_tokens):
    batches, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if lengths[i] * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    return batches + [batch]


@wrong("begins with the longest")
def token_batches(lengths, max_tokens):
    batches, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and lengths[batch[0]] * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    return batches + [batch]
