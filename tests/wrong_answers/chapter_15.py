"""Answers to the exercises of chapter 15, right ones and wrong ones that no exercise lists."""

import torch

from wrong_answers import also, right


@right
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = ids[:start] + [suffix_id] + ids[end:] + [middle_id]
    row = given + ids[start:end] + [eos_id]
    return row[:-1], [token if i >= len(given) else pad_id for i, token in enumerate(row)][1:]


def filled(ids, start, end, suffix_id, middle_id, eos_id, pad_id, given=None):
    given = (given or ids[:start] + [suffix_id] + ids[end:]) + [middle_id]
    middle = ids[start:end] + [eos_id]
    return given + middle[:-1], [pad_id] * (len(given) - 1) + middle


@right
def fill_in_the_middle(*given):
    return filled(*given)


also(
    "fill_in_the_middle",
    ("end were larger by 1", lambda ids, start, end, *given: filled(ids, start, end + 1, *given)),
    ("pad_id were always 0", lambda *given: filled(*given[:-1], 0)),
    ("are swapped", lambda ids, start, end, s, m, *given: filled(ids, start, end, m, s, *given)),
    (
        "in another order",
        lambda *given: filled(*given, [given[3], *given[0][given[2] :], *given[0][: given[1]]]),
    ),
    ("more elements at the end", lambda *given: ([*filled(*given)[0], given[5]], filled(*given)[1])),
    (
        "pad_id is used where eos_id belongs",
        lambda *given: (filled(*given)[0], [*filled(*given)[1][:-1], given[6]]),
    ),
    ("It returns list; return tuple", lambda *given: filled(*given)[1]),
    ("their types are not", lambda *given: tuple(map(torch.tensor, filled(*given)))),
)
also(
    "next_probabilities",
    (None, lambda counts: (counts + 1) / (counts + 1).sum()),
    ("not divided by its sum", lambda counts: (counts + 1) / (counts.sum() + 2)),
    ("An exp is missing", lambda counts: ((counts + 1) / (counts + 1).sum()).log()),
    ("The dtype is torch.int64", lambda counts: (counts + 1) // (counts + 1).sum()),
    ("It returns list; return Tensor", lambda counts: ((counts + 1) / (counts + 1).sum()).tolist()),
)
