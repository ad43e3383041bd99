"""Answers to the exercises of chapter 08."""

import torch

from wrong_answers import also, right, wrong


@right
def reach(mask, n_layers):
    reached = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(n_layers):
        reached = reached | (mask.float() @ reached.float() > 0)
    return reached


reached = reach
also(
    "reach",
    ("It is transposed", lambda mask, n_layers: reached(mask.T, n_layers)),
    ("n_layers were larger by 1", lambda mask, n_layers: reached(mask, n_layers + 1)),
    ("The dtype is torch.float32", lambda mask, n_layers: reached(mask, n_layers).float()),
    ("True and False are inverted", lambda mask, n_layers: ~reached(mask, n_layers)),
)


@wrong("norm1 is used where norm2 belongs")
def post_ln_layer(x, attend, feed, norm1, norm2):
    for sublayer in (attend, feed):
        x = norm1(x + sublayer(x))
    return x


@wrong("feed did nothing")
def post_ln_layer(x, attend, feed, norm1, norm2):
    y = norm1(x + attend(x))
    return norm2(y + y)


@wrong("norm1 and norm2 are swapped")
def post_ln_layer(x, attend, feed, norm1, norm2):
    y = norm2(x + attend(x))
    return norm1(y + feed(y))
