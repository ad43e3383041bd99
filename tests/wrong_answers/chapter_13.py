"""Answers to the exercises of chapter 13, right ones and wrong ones that no exercise lists."""

from wrong_answers import also, right, wrong


def pairs(weights, source, written, threshold):
    rows = zip(written, weights.mean(0))
    return [(word, source[row.argmax()]) for word, row in rows if row.max() >= threshold]


also(
    "align",
    (None, pairs),
    ("It is sorted", lambda *given: sorted(pairs(*given))),
    ("The order is reversed", lambda *given: pairs(*given)[::-1]),
    ("inside each element", lambda *given: [pair[::-1] for pair in pairs(*given)]),
    ("the mean were a sum", lambda weights, *given: pairs(weights.sum(0, keepdim=True), *given)),
    ("It returns dict; return list", lambda *given: dict(pairs(*given))),
)


@right
def head_confidence(weights, real):
    largest = weights.amax(-1) * real[:, None]
    return largest.sum((0, 2)) / real.sum()


@wrong("divided by weights.size(0)")
def head_confidence(weights, real):
    largest = weights.amax(-1) * real[:, None]
    return largest.sum((0, 2)) / len(real)


also(
    "head_confidence",
    ("Everything is averaged", lambda weights, real: weights.amax(-1).transpose(1, 2)[real].mean()),
    ("the mean were a sum", lambda weights, real: weights.amax(-1).transpose(1, 2)[real].sum(0)),
    ("weights were transposed", lambda weights, real: weights.amax(-2).transpose(1, 2)[real].mean(0)),
    ("real were inverted", lambda weights, real: weights.amax(-1).transpose(1, 2)[~real].mean(0)),
)
