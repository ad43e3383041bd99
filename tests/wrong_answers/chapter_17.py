"""Answers to the exercises of chapter 17, right ones and wrong ones that no exercise lists."""

import math
from collections import Counter

from wrong_answers import also, right, wrong

also("small_batches", ("It comes out differently", 62), ("It comes out differently", 64))


def grams(text, n):
    text = text.replace(" ", "")
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


def f_score(translation, reference, n):
    ours, theirs = grams(translation, n), grams(reference, n)
    matches = (ours & theirs).total()
    return 5 * matches / (4 * theirs.total() + ours.total()) if matches else 0.0


@wrong("It raises an error (ZeroDivisionError)")
def character_f(translation, reference, n):
    ours, theirs = grams(translation, n), grams(reference, n)
    matches = (ours & theirs).total()
    p, r = matches / ours.total(), matches / theirs.total()
    return 5 * p * r / (4 * p + r)


also(
    "character_f",
    (None, f_score),
    ("This is a percentage", lambda *given: 100 * f_score(*given)),
    ("It is rounded to 2 digits", lambda *given: round(f_score(*given), 2)),
    ("n were always 1", lambda translation, reference, n: f_score(translation, reference, 1)),
    ("n were larger by 1", lambda translation, reference, n: f_score(translation, reference, n + 1)),
)


@right
def rows_of_process(n_rows, rank, world_size):
    starts = [*range(0, n_rows, -(-n_rows // world_size))]
    starts += [n_rows] * (world_size + 1 - len(starts))
    return starts[rank], starts[rank + 1]


def rows(n_rows, rank, world_size):
    size = math.ceil(n_rows / world_size)
    return min(rank * size, n_rows), min(rank * size + size, n_rows)


also(
    "rows_of_process",
    ("rank were smaller by 1", lambda n_rows, rank, world_size: rows(n_rows, rank - 1, world_size)),
    ("One too few", lambda *given: (rows(*given)[0], rows(*given)[1] - 1)),
    ("Only value 2 of 2 differs", lambda *given: (rows(*given)[0], rows(*given)[1] - rows(*given)[0])),
    ("It returns list; return tuple", lambda *given: list(rows(*given))),
)


def precision(matches, totals, rows):
    return sum(matches[row] for row in rows) / sum(totals[row] for row in rows)


@wrong("It is wrong only where rows repeats an element")
def score_of_draw(matches, totals, rows):
    return precision(matches, totals, [row - 1 for row in rows])


also(
    "score_of_draw",
    (None, precision),
    ("This is a percentage", lambda *given: 100 * precision(*given)),
    ("matches and totals are swapped", lambda *given: 1 / precision(*given)),
    ("rows lacked its last element", lambda matches, totals, rows: precision(matches, totals, rows[:-1])),
)
