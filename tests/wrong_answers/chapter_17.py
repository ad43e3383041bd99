"""Wrong answers to the exercises of chapter 17."""

import math
from collections import Counter

from wrong_answers import wrong


def grams(text, n):
    return [text[i : i + n] for i in range(len(text) - n + 1)]


@wrong("Spaces count as characters")
def character_f(translation, reference, n):
    ours, theirs = Counter(grams(translation, n)), Counter(grams(reference, n))
    matches = sum((ours & theirs).values())
    if not matches:
        return 0.0
    p, r = matches / sum(ours.values()), matches / sum(theirs.values())
    return 5 * p * r / (4 * p + r)


@wrong("distinct n-grams")
def character_f(translation, reference, n):
    ours, theirs = (set(grams(text.replace(" ", ""), n)) for text in (translation, reference))
    matches = len(ours & theirs)
    return 0.0 if not matches else 5 * matches / (4 * len(theirs) + len(ours))


@wrong("take the smaller count")
def character_f(translation, reference, n):
    ours, theirs = (grams(text.replace(" ", ""), n) for text in (translation, reference))
    matches = sum(gram in theirs for gram in ours)
    if not matches:
        return 0.0
    p, r = matches / len(ours), matches / len(theirs)
    return 5 * p * r / (4 * p + r)


@wrong("swapped")
def character_f(translation, reference, n):
    ours, theirs = (Counter(grams(text.replace(" ", ""), n)) for text in (translation, reference))
    matches = (ours & theirs).total()
    if not matches:
        return 0.0
    r, p = matches / ours.total(), matches / theirs.total()
    return 5 * p * r / (4 * p + r)


@wrong("β², not β")
def character_f(translation, reference, n):
    ours, theirs = (Counter(grams(text.replace(" ", ""), n)) for text in (translation, reference))
    matches = (ours & theirs).total()
    if not matches:
        return 0.0
    p, r = matches / ours.total(), matches / theirs.total()
    return 3 * p * r / (2 * p + r)


@wrong("equal weight")
def character_f(translation, reference, n):
    ours, theirs = (Counter(grams(text.replace(" ", ""), n)) for text in (translation, reference))
    matches = (ours & theirs).total()
    return 2 * matches / (ours.total() + theirs.total()) if matches else 0.0


@wrong("nobody has the last rows")
def rows_of_process(n_rows, rank, world_size):
    size = n_rows // world_size
    return rank * size, rank * size + size


@wrong("takes all of the rest")
def rows_of_process(n_rows, rank, world_size):
    size = n_rows // world_size
    if rank == world_size - 1:
        return rank * size, n_rows
    return rank * size, (rank + 1) * size


@wrong("spread over the processes")
def rows_of_process(n_rows, rank, world_size):
    return rank * n_rows // world_size, (rank + 1) * n_rows // world_size


@wrong("spread evenly")
def rows_of_process(n_rows, rank, world_size):
    sizes = [n_rows // world_size + (i < n_rows % world_size) for i in range(world_size)]
    return sum(sizes[:rank]), sum(sizes[: rank + 1])


@wrong("The end goes beyond")
def rows_of_process(n_rows, rank, world_size):
    size = math.ceil(n_rows / world_size)
    return rank * size, rank * size + size


@wrong("the start goes beyond")
def rows_of_process(n_rows, rank, world_size):
    size = -(-n_rows // world_size)
    return rank * size, min(rank * size + size, n_rows)


@wrong("the row after the last")
def rows_of_process(n_rows, rank, world_size):
    size = math.ceil(n_rows / world_size)
    start = min(rank * size, n_rows)
    return start, min(start + size, n_rows) - 1


@wrong("averages the shares")
def score_of_draw(matches, totals, rows):
    shares = [matches[row] / totals[row] for row in rows]
    return sum(shares) / len(shares)


@wrong("drawn twice counts once")
def score_of_draw(matches, totals, rows):
    drawn = set(rows)
    return sum(matches[row] for row in drawn) / sum(totals[row] for row in drawn)


@wrong("adds up all sentences")
def score_of_draw(matches, totals, rows):
    return sum(matches[row] for row in rows) / sum(totals)


@wrong("before any draw")
def score_of_draw(matches, totals, rows):
    return sum(matches) / sum(totals)


@wrong("number of sentences")
def score_of_draw(matches, totals, rows):
    return sum(matches[row] for row in rows) / len(rows)


@wrong("The last n-gram is missing")
def character_f(translation, reference, n):
    ours, theirs = (text.replace(" ", "") for text in (translation, reference))
    ours, theirs = Counter(grams(ours, n)[:-1]), Counter(grams(theirs, n)[:-1])
    matches = (ours & theirs).total()
    return 5 * matches / (4 * theirs.total() + ours.total()) if matches else 0.0


@wrong("shorter than n count as well")
def character_f(translation, reference, n):
    ours, theirs = (text.replace(" ", "") for text in (translation, reference))
    ours, theirs = (Counter(text[i : i + n] for i, _ in enumerate(text)) for text in (ours, theirs))
    matches = (ours & theirs).total()
    return 5 * matches / (4 * theirs.total() + ours.total()) if matches else 0.0


@wrong("by the number of characters")
def character_f(translation, reference, n):
    ours, theirs = (text.replace(" ", "") for text in (translation, reference))
    matches = (Counter(grams(ours, n)) & Counter(grams(theirs, n))).total()
    return 5 * matches / (4 * len(theirs) + len(ours)) if matches else 0.0


@wrong("rounded to the nearest")
def rows_of_process(n_rows, rank, world_size):
    size = round(n_rows / world_size)
    start = min(n_rows, size * rank)
    return start, min(n_rows, start + size)


@wrong("the size is one too large")
def rows_of_process(n_rows, rank, world_size):
    start = rank * (n_rows // world_size + 1)
    return min(start, n_rows), min(start + n_rows // world_size + 1, n_rows)


@wrong("counted from 1")
def rows_of_process(n_rows, rank, world_size):
    stop = rank * math.ceil(n_rows / world_size)
    return min(stop - math.ceil(n_rows / world_size), n_rows), min(stop, n_rows)


@wrong("by the number of different ones")
def score_of_draw(matches, totals, rows):
    total = 0.0
    for row in rows:
        total += matches[row] / totals[row]
    return total / len(set(rows))


@wrong("counted from 1")
def score_of_draw(matches, totals, rows):
    found = [(matches[row - 1], totals[row - 1]) for row in rows]
    return sum(match for match, _ in found) / sum(total for _, total in found)
