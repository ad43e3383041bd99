"""Answers to the exercises of chapter 03."""

import math

import torch

from wrong_answers import also, right, wrong


@right
def shift_matrix(offset, d_model):
    m = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset / 10000 ** (i / d_model)
        m[i, i] = m[i + 1, i + 1] = math.cos(a)
        m[i, i + 1], m[i + 1, i] = math.sin(a), -math.sin(a)
    return m


shifted = shift_matrix
also(
    "shift_matrix",
    ("It is transposed", lambda offset, d_model: shifted(-offset, d_model)),
    ("as if offset were always 1", lambda offset, d_model: shifted(1, d_model)),
    ("as if offset were always 0", lambda offset, d_model: torch.eye(d_model)),
    ("as if offset were larger by 1", lambda offset, d_model: shifted(offset + 1, d_model)),
    (
        "as if offset were doubled",
        lambda offset, d_model: shifted(offset, d_model) @ shifted(offset, d_model),
    ),
)


@wrong("changes its arguments")
def add_positions(x, table):
    x += table[: x.size(1)]
    return x


also(
    "add_positions",
    ("as if x were 0", lambda x, table: table[: x.size(1)].repeat(x.size(0), 1, 1)),
    ("multiplied, not added", lambda x, table: x * table[: x.size(1)]),
    ("the sign of table were changed", lambda x, table: x - table[: x.size(1)]),
)
