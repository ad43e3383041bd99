"""Wrong answers to the exercises of chapter 06."""

import torch

from wrong_answers import wrong


@wrong("It is inverted")
def mask_from_lengths(lengths, length):
    return (torch.arange(length) >= lengths[:, None])[:, None, None]


@wrong("One too many")
def mask_from_lengths(lengths, length):
    return (torch.arange(length) <= lengths[:, None])[:, None, None]


@wrong("One too few")
def mask_from_lengths(lengths, length):
    return (torch.arange(1, length + 1) < lengths[:, None])[:, None, None]


@wrong("as long as the longest sentence")
def mask_from_lengths(lengths, length):
    return (torch.arange(lengths.max()) < lengths[:, None])[:, None, None]


@wrong("In an empty sentence")
def mask_from_lengths(lengths, length):
    last = (lengths - 1).clamp(min=0)
    return (torch.arange(length) <= last[:, None])[:, None, None]


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


@wrong("one key too few")
def window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril().triu(2 - window)


@wrong("sees the future")
def window_mask(length, window):
    i = torch.arange(length)
    return (i[:, None] - i).abs() < window


@wrong("itself is hidden")
def window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril(-1).triu(1 - window)


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


@wrong("smaller number")
def packed_mask(sentence):
    return (sentence[:, :, None] >= sentence[:, None]).tril()[:, None]


@wrong("must see itself too")
def packed_mask(sentence):
    return (sentence[:, :, None] == sentence[:, None]).tril(-1)[:, None]


@wrong("axis of the heads is missing")
def packed_mask(sentence):
    return (sentence[:, :, None] == sentence[:, None]).tril()


@wrong("past hidden")
def packed_mask(sentence):
    return (sentence[:, :, None] == sentence[:, None]).triu()[:, None]


@wrong("Everything is visible")
def mask_of_last_queries(T_q, T_k):
    return torch.ones(T_q, T_k).bool()


@wrong("off by one to the right")
def mask_of_last_queries(T_q, T_k):
    return torch.ones(T_q, T_k, dtype=torch.bool).tril(T_k - T_q + 1)


@wrong("One key too few")
def mask_of_last_queries(T_q, T_k):
    return torch.ones(T_q, T_k, dtype=torch.bool).tril(T_k - T_q - 1)


@wrong("the other way")
def mask_of_last_queries(T_q, T_k):
    return torch.ones(T_q, T_k, dtype=torch.bool).tril(T_q - T_k)


@wrong("keep only the last")
def mask_of_last_queries(T_q, T_k):
    return torch.ones(T_k, T_k, dtype=torch.bool).tril()


@wrong("the past hidden")
def mask_of_last_queries(T_q, T_k):
    return torch.ones(T_k, T_k, dtype=torch.bool).triu()[-T_q:]
