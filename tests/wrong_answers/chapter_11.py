"""Answers to the exercises of chapter 11, right ones and wrong ones that no exercise lists."""

import torch

from wrong_answers import right, wrong


@right
def token_batches(lengths, max_tokens):
    batches = []
    for length, i in sorted((length, i) for i, length in enumerate(lengths)):
        if batches and length * (len(batches[-1]) + 1) <= max_tokens:
            batches[-1].append(i)
        else:
            batches.append([i])
    return batches


@wrong("Elements are missing at the end")
def token_batches(lengths, max_tokens):
    out, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and lengths[i] * (len(batch) + 1) > max_tokens:
            out.append(batch)
            batch = []
        batch.append(i)
    return out


@wrong("The sentences aren't sorted by length. The batches hold lengths")
def token_batches(lengths, max_tokens):
    out, batch = [], []
    for length in lengths:
        if batch and max([*batch, length]) * (len(batch) + 1) > max_tokens:
            out.append(batch)
            batch = []
        batch.append(length)
    return out + [batch]


@wrong("This counts real tokens only; a batch takes up its padding as well. The batches hold lengths")
def token_batches(lengths, max_tokens):
    out, batch = [], []
    for length in sorted(lengths):
        if batch and sum(batch) + length > max_tokens:
            out.append(batch)
            batch = []
        batch.append(length)
    return out + [batch]


@right
def clip(gradients, max_norm):
    norm = torch.cat([gradient.flatten() for gradient in gradients]).norm()
    return [gradient * min(1.0, max_norm / (norm + 1e-12)) for gradient in gradients]


@wrong("enlarges gradients that are within the limit")
def clip(gradients, max_norm):
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    return [gradient * max_norm / (norm + 1e-12) for gradient in gradients]


@wrong("sqrt were left out")
def clip(gradients, max_norm):
    norm = sum((gradient**2).sum().item() for gradient in gradients)
    return [gradient * (max_norm / norm) if norm > max_norm else gradient.clone() for gradient in gradients]


@wrong("changes its arguments (gradients)")
def clip(gradients, max_norm):
    norm = sum(gradient.square().sum() for gradient in gradients).sqrt()
    for gradient in gradients:
        gradient *= min(1.0, max_norm / (norm + 1e-12))
    return gradients


@wrong("to be solved without clip_grad_norm_")
def clip(gradients, max_norm):
    torch.nn.utils.clip_grad_norm_(gradients, max_norm)
    return gradients
