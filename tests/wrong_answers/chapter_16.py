"""Wrong answers to the exercises of chapter 16."""

import math

import torch

from helpers.modern import rotate
from wrong_answers import wrong


@wrong("deals the heads out in turn")
def attend_in_groups(q, k, v):
    n_heads, n_kv_heads = q.size(1), k.size(1)
    outputs = []
    for head in range(n_heads):
        shared = head % n_kv_heads
        scores = q[:, head] @ k[:, shared].mT / math.sqrt(q.size(-1))
        outputs.append(scores.softmax(dim=-1) @ v[:, shared])
    return torch.stack(outputs, dim=1)


@wrong("looks at head 0")
def attend_in_groups(q, k, v):
    scores = q @ k[:, :1].mT / math.sqrt(q.size(-1))
    return scores.softmax(dim=-1) @ v[:, :1]


@wrong("not divided by √d_head")
def attend_in_groups(q, k, v):
    grouped = q.unflatten(1, (k.size(1), -1))
    return ((grouped @ k.unsqueeze(2).mT).softmax(dim=-1) @ v.unsqueeze(2)).flatten(1, 2)


@wrong("runs over the queries")
def attend_in_groups(q, k, v):
    grouped = q.unflatten(1, (k.size(1), -1))
    scores = grouped @ k.unsqueeze(2).mT / math.sqrt(q.size(-1))
    return (scores.softmax(dim=3) @ v.unsqueeze(2)).flatten(1, 2)


@wrong("The heads are joined")
def attend_in_groups(q, k, v):
    grouped = q.unflatten(1, (k.size(1), -1))
    scores = grouped @ k.unsqueeze(2).mT / math.sqrt(q.size(-1))
    return (scores.softmax(dim=-1) @ v.unsqueeze(2)).flatten(1, 2).transpose(1, 2).flatten(2)


@wrong("The heads of keys and values are averaged")
def attend_in_groups(q, k, v):
    k, v = k.mean(1, keepdim=True), v.mean(1, keepdim=True)
    return (q @ k.mT / math.sqrt(q.size(-1))).softmax(dim=-1) @ v


@wrong("goes the other way")
def to_halves(weight, n_heads):
    rows = []
    for head in weight.chunk(n_heads):
        half = len(head) // 2
        rows += [row for pair in zip(head[:half], head[half:]) for row in pair]
    return torch.stack(rows)


@wrong("mixed across heads")
def to_halves(weight, n_heads):
    return weight.unflatten(0, (-1, 2)).transpose(0, 1).flatten(0, 1)


@wrong("reorders columns")
def to_halves(weight, n_heads):
    return torch.cat([weight[:, ::2], weight[:, 1::2]], dim=1)


@wrong("The odd rows come first")
def to_halves(weight, n_heads):
    return torch.cat([torch.cat([head[1::2], head[::2]]) for head in weight.chunk(n_heads)])


@wrong("The axis of the heads is left")
def to_halves(weight, n_heads):
    return torch.stack([torch.cat([head[::2], head[1::2]]) for head in weight.chunk(n_heads)])


@wrong("one position too far")
def scores_of_newest(query, keys, cos, sin):
    T = len(keys)
    return rotate(keys, cos[:T], sin[:T]) @ rotate(query, cos[T], sin[T]) / math.sqrt(len(query))


@wrong("The keys are not turned")
def scores_of_newest(query, keys, cos, sin):
    T = len(keys)
    return keys @ rotate(query, cos[T - 1], sin[T - 1]) / math.sqrt(len(query))


@wrong("as if nothing were turned")
def scores_of_newest(query, keys, cos, sin):
    return keys @ query / math.sqrt(len(query))


@wrong("last row of the table")
def scores_of_newest(query, keys, cos, sin):
    T = len(keys)
    return rotate(keys, cos[:T], sin[:T]) @ rotate(query, cos[-1], sin[-1]) / math.sqrt(len(query))


@wrong("applies the softmax")
def scores_of_newest(query, keys, cos, sin):
    T = len(keys)
    scores = rotate(keys, cos[:T], sin[:T]) @ rotate(query, cos[T - 1], sin[T - 1]) / math.sqrt(len(query))
    return scores.softmax(0)


@wrong("root of the number of keys")
def attend_in_groups(q, k, v):
    grouped = q.unflatten(1, (k.size(1), -1)).flatten(2, 3)
    return ((grouped @ k.mT * k.size(-2) ** -0.5).softmax(dim=-1) @ v).reshape(q.shape)


@wrong("runs over the queries")
def attend_in_groups(q, k, v):
    grouped = q.reshape(*k.shape[:2], -1, q.size(-1))
    weights = torch.softmax(grouped @ k.mT / math.sqrt(q.size(-1)), dim=2)
    return (weights @ v).reshape(q.shape)


@wrong("reorders columns")
def to_halves(weight, n_heads):
    heads = weight.chunk(n_heads, dim=1)
    return torch.cat([part for head in heads for part in (head[:, ::2], head[:, 1::2])], dim=1)


@wrong("read as (d_head, n_heads)")
def to_halves(weight, n_heads):
    rows = weight.view(-1, n_heads, weight.size(1))
    return torch.cat([rows[::2], rows[1::2]]).view(weight.shape)


@wrong("overwritten before they are read")
def to_halves(weight, n_heads):
    result = weight.clone()
    for head in result.chunk(n_heads):
        half = len(head) // 2
        for i in range(half):
            head[i], head[i + half] = head[2 * i], head[2 * i + 1]
    return result


@wrong("as if nothing were turned")
def scores_of_newest(query, keys, cos, sin):
    T = len(keys)
    queries = rotate(query.repeat(T, 1), cos[:T], sin[:T])
    return torch.einsum("td,td->t", queries, rotate(keys, cos[:T], sin[:T])) / math.sqrt(len(query))


@wrong("Only cos is read")
def scores_of_newest(query, keys, cos, sin):
    T = len(keys)
    return rotate(keys, cos[:T], sin[:T]) @ rotate(query, cos[T - 1], sin[0]) / math.sqrt(len(query))


@wrong("Only sin is read")
def scores_of_newest(query, keys, cos, sin):
    T = len(keys)
    return rotate(keys, cos[:T], sin[:T]) @ rotate(query, cos[0], sin[T - 1]) / math.sqrt(len(query))


@wrong("root of the number of keys")
def scores_of_newest(query, keys, cos, sin):
    T, d_head = keys.shape
    return rotate(keys, cos[:T], sin[:T]) @ rotate(query, cos[T - 1], sin[T - 1]) / math.sqrt(T)


@wrong("Only the newest key is turned")
def scores_of_newest(query, keys, cos, sin):
    T, turned = len(keys), keys.clone()
    turned[-1] = rotate(keys[-1], cos[T - 1], sin[T - 1])
    return turned @ rotate(query, cos[T - 1], sin[T - 1]) / math.sqrt(len(query))
