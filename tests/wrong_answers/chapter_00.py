"""Answers to the exercises of chapter 00."""

import torch

from wrong_answers import also, wrong

also(
    "count_words",
    ("It returns str; return int", lambda text: str(len(text.split()))),
    ("It returns list; return int", lambda text: text.split()),
    ("It prints its result", lambda text: print(len(text.split()))),
    ("Return instead of calling exit", lambda text: exit(len(text.split()))),
)
also(
    "center_rows",
    (None, lambda x: torch.stack([row - row.mean() for row in x])),
    ("as if mean ran along axis 0", lambda x: x - x.mean(dim=0, keepdim=True)),
    ("as if the mean were a sum", lambda x: x - x.sum(1)[:, None]),
    ("The sign is reversed", lambda x: x.mean(1, True) - x),
    ("as if it were divided, not subtracted", lambda x: torch.stack([row / row.mean() for row in x])),
    ("only what stands after - were there", lambda x: x.mean(-1, keepdim=True)),
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
