"""Answers to the exercises of chapter 03."""

import math

import torch

from wrong_answers import also, right, wrong


@right
def packed_positions(ids, bos_id):
    result = torch.zeros_like(ids)
    for b in range(ids.size(0)):
        for t in range(1, ids.size(1)):
            result[b, t] = 0 if ids[b, t] == bos_id else result[b, t - 1] + 1
    return result


positions = packed_positions
also(
    "packed_positions",
    ("It returns ids unchanged", lambda ids, bos_id: ids),
    ("counted from 1, not 0", lambda ids, bos_id: positions(ids, bos_id) + 1),
    ("as if bos_id were always 1", lambda ids, bos_id: positions(ids, 1)),
    ("every row of ids were the first", lambda ids, bos_id: positions(ids[:1], bos_id).expand(ids.shape)),
    ("The first 8 cases are right", lambda ids, bos_id: positions(ids, bos_id) % 10),
    ("The dtype is torch.float32", lambda ids, bos_id: positions(ids, bos_id).float()),
)


@wrong("The values differ")
def packed_positions(ids, bos_id):  # a row that begins in the middle of a sentence is left at -1
    result = torch.full_like(ids, -1)
    for b in range(ids.size(0)):
        start = None
        for t in range(ids.size(1)):
            start = t if ids[b, t] == bos_id else start
            if start is not None:
                result[b, t] = t - start
    return result


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
