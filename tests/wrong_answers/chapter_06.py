"""Wrong answers to the exercises of chapter 06."""

import torch

from wrong_answers import wrong


@wrong("It is inverted")
def mask_from_lengths(lengths, length):
    return (torch.arange(length) >= lengths[:, None])[:, None, None]


@wrong("One too many")
def mask_from_lengths(lengths, length):
    return (torch.arange(length) <= lengths[:, None])[:, None, None]


@wrong("The shape is (B, T)")
def mask_from_lengths(lengths, length):
    return torch.arange(length) < lengths[:, None]


@wrong("masks queries")
def mask_from_lengths(lengths, length):
    return (torch.arange(length) < lengths[:, None])[:, None, :, None]


@wrong("sees the whole past")
def window_mask(length, window):
    return torch.ones(length, length).tril().bool()


@wrong("one key too far")
def window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril().triu(-window)


@wrong("sees the future")
def window_mask(length, window):
    i = torch.arange(length)
    return (i[:, None] - i).abs() < window


@wrong("swapped")
def window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).triu().tril(window - 1)


@wrong("future of the same sentence")
def packed_mask(sentence):
    return (sentence[:, :, None] == sentence[:, None])[:, None]


@wrong("Earlier sentences")
def packed_mask(sentence):
    b, t = sentence.shape
    return torch.ones(b, 1, t, t, dtype=torch.bool).tril()


@wrong("axis of the heads is missing")
def packed_mask(sentence):
    return (sentence[:, :, None] == sentence[:, None]).tril()


@wrong("past hidden")
def packed_mask(sentence):
    return (sentence[:, :, None] == sentence[:, None]).triu()[:, None]
