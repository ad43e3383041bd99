"""Wrong answers to the exercises of chapter 15."""

import torch

from wrong_answers import wrong


@wrong("on the given parts as well")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    row = ids[:start] + [suffix_id] + ids[end:] + [middle_id] + ids[start:end] + [eos_id]
    return row[:-1], row[1:]


@wrong("The labels are not shifted")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = ids[:start] + [suffix_id] + ids[end:] + [middle_id]
    middle = ids[start:end] + [eos_id]
    return given + middle, [pad_id for _ in given] + middle


@wrong("predicted at the position of middle_id")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = ids[:start] + [suffix_id] + ids[end:] + [middle_id]
    row = given + ids[start:end] + [eos_id]
    return row[:-1], [pad_id] * len(given) + row[len(given) + 1 :]


@wrong("middle_id is a label, too")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = ids[:start] + [suffix_id] + ids[end:]
    row = given + [middle_id] + ids[start:end] + [eos_id]
    return row[:-1], [pad_id] * (len(given) - 1) + row[len(given) :]


@wrong("eos_id is missing")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = ids[:start] + [suffix_id] + ids[end:] + [middle_id]
    row = given + ids[start:end]
    return row[:-1], [pad_id] * (len(given) - 1) + ids[start:end]


@wrong("The label eos_id is hidden")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = ids[:start] + [suffix_id] + ids[end:] + [middle_id]
    return given + ids[start:end], [pad_id] * (len(given) - 1) + ids[start:end] + [pad_id]


@wrong("begin with what comes before it")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = [suffix_id] + ids[end:] + ids[:start] + [middle_id]
    return given + ids[start:end], [pad_id] * (len(given) - 1) + ids[start:end] + [eos_id]


@wrong("it stops before it")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = ids[:start] + [suffix_id] + ids[end + 1 :] + [middle_id]
    middle = ids[start : end + 1]
    return given + middle, [pad_id] * (len(given) - 1) + middle + [eos_id]


@wrong("probability 0 again")
def next_probabilities(counts):
    return counts / counts.sum()


@wrong("belongs into the divisor")
def next_probabilities(counts):
    return (counts + 1) / counts.sum()


@wrong("does not keep the ratio")
def next_probabilities(counts):
    return (counts + 1).float().softmax(dim=0)


@wrong("Only the divisor has grown")
def next_probabilities(counts):
    return counts / (counts.sum() + counts.numel())


@wrong("1/V more, not one")
def next_probabilities(counts):
    return (counts + 1 / len(counts)) / (counts.sum() + 1)


@wrong("counts the tokens seen only")
def next_probabilities(counts):
    return (counts + 1) / (counts.sum() + counts.count_nonzero())


@wrong("eos_id is missing")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    given = ids[:start] + [suffix_id] + ids[end:] + [middle_id]
    middle = ids[start:end]
    return given + middle, [pad_id] * (len(given) - 1) + middle


@wrong("eos_id is missing")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    inputs = ids[:start] + [suffix_id] + ids[end:] + [middle_id]
    labels = [pad_id] * (len(inputs) - 1) + ids[start:end]
    return inputs + ids[start : max(start, end - 1)], labels


@wrong("The inputs hold eos_id")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    row = ids[:start] + [suffix_id] + ids[end:] + [middle_id] + ids[start:end] + [eos_id]
    n_labels = end - start + 1
    return row, [pad_id] * (len(row) - n_labels - 1) + row[-n_labels:]


@wrong("hidden by their ids")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    row = ids[:start] + [suffix_id] + ids[end:] + [middle_id] + ids[start:end] + [eos_id]
    wanted = {eos_id, *ids[start:end]}
    return row[:-1], [token if token in wanted else pad_id for token in row[1:]]


@wrong("hidden by their ids")
def fill_in_the_middle(ids, start, end, suffix_id, middle_id, eos_id, pad_id):
    hidden = {suffix_id, middle_id, *ids[:start], *ids[end:]}
    row = ids[:start] + [suffix_id] + ids[end:] + [middle_id] + ids[start:end] + [eos_id]
    return row[:-1], [pad_id if token in hidden else token for token in row[1:]]


@wrong("Only tokens never counted")
def next_probabilities(counts):
    seen = torch.where(counts == 0, 1, counts)
    return seen / seen.sum()


@wrong("V is taken to be 2")
def next_probabilities(counts):
    return (counts + 1) / (2 + counts.sum())
