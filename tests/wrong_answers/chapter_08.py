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
    ("n_layers were always 1", lambda mask, n_layers: reached(mask, 1)),
    ("It is transposed", lambda mask, n_layers: reached(mask.T, n_layers)),
    ("n_layers were larger by 1", lambda mask, n_layers: reached(mask, n_layers + 1)),
    ("The dtype is torch.float32", lambda mask, n_layers: reached(mask, n_layers).float()),
    ("True and False are inverted", lambda mask, n_layers: ~reached(mask, n_layers)),
)


@right
def sentence_vector(memory, ids, pad_id):
    rows = []
    for vectors, row in zip(memory, ids, strict=True):
        real = vectors[row != pad_id]
        rows.append(real.mean(dim=0) if len(real) else torch.zeros(memory.size(-1)))
    return torch.stack(rows)


def summed(memory, ids, pad_id):
    return memory.masked_fill((ids == pad_id)[..., None], 0).sum(dim=1)


def counted(ids, pad_id):
    return (ids != pad_id).sum(dim=1, keepdim=True)


also(
    "sentence_vector",
    ("division were left out", summed),
    (
        "masked_fill were left out",
        lambda memory, ids, pad: memory.sum(dim=1) / counted(ids, pad).clamp(min=1),
    ),
    ("pad_id were always 0", lambda memory, ids, pad: summed(memory, ids, 0) / counted(ids, 0).clamp(min=1)),
    ("clamp were left out", lambda memory, ids, pad: summed(memory, ids, pad) / counted(ids, pad)),
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
