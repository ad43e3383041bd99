"""Answers to the exercises of chapter 06."""

import math

import torch

from wrong_answers import also


def real(lengths, length, end=0):
    return (torch.arange(length) < lengths[:, None] + end)[:, None, None]


also(
    "mask_from_lengths",
    (None, real),
    ("True and False are inverted", lambda lengths, length: ~real(lengths, length)),
    ("lengths were larger by 1", lambda lengths, length: real(lengths, length, 1)),
    ("lengths were smaller by 1", lambda lengths, length: real(lengths, length, -1)),
    ("An axis of size 1 is missing", lambda lengths, length: real(lengths, length)[:, 0, 0]),
    ("axes is (0, 1, 3, 2)", lambda lengths, length: real(lengths, length).mT),
    ("The dtype is torch.float32", lambda lengths, length: real(lengths, length).float()),
    ("a mask to add", lambda lengths, length: torch.zeros(1).masked_fill(~real(lengths, length), -math.inf)),
    (
        "as if every row of lengths were the first",
        lambda lengths, length: real(lengths[:1].expand_as(lengths), length),
    ),
)


def ones(*shape):
    return torch.ones(*shape, dtype=torch.bool)


also(
    "mask_of_last_queries",
    (None, lambda T_q, T_k: ones(T_k, T_k).tril()[-T_q:]),
    ("tril were left out", lambda T_q, T_k: ones(T_q, T_k)),
    ("the diagonal were one higher", lambda T_q, T_k: ones(T_q, T_k).tril(T_k - T_q + 1)),
    ("the diagonal were one lower", lambda T_q, T_k: ones(T_q, T_k).tril(T_k - T_q - 1)),
    ("T_k is used where T_q belongs", lambda T_q, T_k: ones(T_k, T_k).tril()),
    ("triu stood in place of tril", lambda T_q, T_k: ones(T_k, T_k).triu()[-T_q:]),
    ("It is transposed", lambda T_q, T_k: ones(T_k, T_k).tril()[-T_q:].T),
)
