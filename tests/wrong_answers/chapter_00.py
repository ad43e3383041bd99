"""Answers to the exercises of chapter 00."""

import torch
from torch.nn import functional as F

from wrong_answers import also, right, wrong

also(
    "count_words",
    ("It returns str; return int", lambda text: str(len(text.split()))),
    ("It returns list; return int", lambda text: text.split()),
    ("It prints its result", lambda text: print(len(text.split()))),
    ("Return instead of calling exit", lambda text: exit(len(text.split()))),
)
also("kept_weights", (None, (4.0, 3.0)), (None, [4, 3]), ("comes out differently", (3.0, 3.0)))

also(
    "center_rows",
    (None, lambda x: torch.stack([row - row.mean() for row in x])),
    ("as if mean ran along axis 0", lambda x: x - x.mean(dim=0, keepdim=True)),
    ("as if the mean were a sum", lambda x: x - x.sum(1)[:, None]),
    ("The sign is reversed", lambda x: x.mean(1, True) - x),
    ("as if it were divided, not subtracted", lambda x: torch.stack([row / row.mean() for row in x])),
    ("only the second of the two of sub", lambda x: x.mean(-1, keepdim=True)),
    ("is a keepdim or an unsqueeze missing", lambda x: x - x.mean(1)[:1].T.expand(7)),
)


@wrong("divided by x.size(0)")
def center_rows(x):  # len(x) is the number of rows
    return x - x.sum(1, keepdim=True) / len(x)


also(
    "all_dot_products",
    ("order of its axes is (1, 0)", lambda query, key: torch.stack([(query * k).sum(-1) for k in key])),
    ("It is divided by key.size(1)", lambda query, key: (query[:, None] * key).mean(-1)),
    ("Only the first along axis 0", lambda query, key: torch.stack([query[0] @ k for k in key])[None]),
    ("Shapes are aligned from the right", lambda query, key: query * key),
    ("is one to be transposed", lambda query, key: query @ key),
)

also(
    "apply_linear",
    ("is one to be transposed", lambda x, weight, bias: x @ weight + bias),
    ("is one to be transposed", lambda x, weight, bias: x.T @ weight + bias),
    ("to be solved without linear", lambda x, weight, bias: F.linear(x, weight, bias)),
    ("as if bias were 0", lambda x, weight, bias: x.matmul(weight.T)),
    ("as if the sign of bias were changed", lambda x, weight, bias: x @ weight.T - bias),
    ("negative numbers have become 0", lambda x, weight, bias: torch.relu(x @ weight.mT + bias)),
    ("multiplied, not added", lambda x, weight, bias: (x @ weight.T) * bias),
    ("as if bias were its sum", lambda x, weight, bias: x @ weight.T + bias.sum()),
    (None, lambda x, weight, bias: (x.unsqueeze(-2) * weight).sum(-1) + bias),
)


@right
def mean_loss(logits, targets):  # a float
    rows = zip(logits, targets, strict=True)
    return sum(-row.log_softmax(0)[target].item() for row, target in rows) / len(targets)


def of_rows(log_p, logits, targets):
    return torch.stack([log_p(row)[target] for row, target in zip(logits, targets, strict=True)])


also(
    "mean_loss",
    ("a sum, not a mean", lambda x, targets: -of_rows(lambda row: row.log_softmax(0), x, targets).sum()),
    ("The sign is reversed", lambda x, targets: of_rows(lambda row: row.log_softmax(0), x, targets).mean()),
    (
        "the logarithm were missing",
        lambda x, targets: -of_rows(lambda row: row.softmax(0), x, targets).mean(),
    ),
    ("ran along axis 0", lambda x, targets: -of_rows(lambda row: row, x.log_softmax(0), targets).mean()),
    ("gather were left out", lambda x, targets: -x.softmax(-1).log().mean()),
    ("log_softmax were left out", lambda x, targets: -x.gather(1, targets[:, None]).mean()),
    ("base 10", lambda x, targets: -of_rows(lambda row: row.softmax(0).log10(), x, targets).mean()),
    ("only where logits.size(0) > 1", lambda x, targets: -x[0].log_softmax(-1)[targets[0]]),
)
