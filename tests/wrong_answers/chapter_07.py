"""Answers to the exercises of chapter 07."""

import torch

from wrong_answers import also, right


@right
def join_sublayer(x, f, norm, dropout, norm_first):
    return x + dropout(f(norm(x))) if norm_first else norm(x + dropout(f(x)))


joined = join_sublayer
also(
    "join_sublayer",
    (
        "norm_first were its opposite",
        lambda x, f, norm, dropout, first: joined(x, f, norm, dropout, not first),
    ),
    ("norm_first were always False", lambda x, f, norm, dropout, first: norm(x + dropout(f(x)))),
    ("norm_first were always True", lambda x, f, norm, dropout, first: dropout(f(norm(x))) + x),
    ("dropout did nothing", lambda x, f, norm, dropout, first: joined(x, f, norm, lambda y: y, first)),
    ("f and dropout are swapped", lambda x, f, norm, dropout, first: joined(x, dropout, norm, f, first)),
    (
        "only what stands after + were there",
        lambda x, f, norm, dropout, first: dropout(f(norm(x))) if first else norm(dropout(f(x))),
    ),
    (
        "It is wrong only where norm_first = True",
        lambda x, f, norm, dropout, first: (
            joined(x, f, norm, dropout, False) if not first else 2 * x - f(norm(x))
        ),
    ),
)


def normal(x, eps=1e-5, dim=-1, correction=0, power=0.5):
    return (x - x.mean(dim, keepdim=True)) / (x.var(dim, keepdim=True, correction=correction) + eps) ** power


also(
    "normalize",
    (None, normal),
    (None, lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:])),
    ("variance were divided by n - 1", lambda x: normal(x, correction=1)),
    ("sqrt were left out", lambda x: normal(x, power=1)),
    ("The result holds NaN", lambda x: normal(x, eps=0)),
    (
        "only what stands before - were there",
        lambda x: x / (x.var(-1, keepdim=True, correction=0) + 1e-5).sqrt(),
    ),
    ("the division were left out", lambda x: x - x.mean(-1, keepdim=True)),
)
