"""Answers to the exercises of chapter 05."""

import torch
from torch.nn import functional as F

from wrong_answers import also, right, wrong

also("tokens_of_head_1", ("Head 0 takes 0, 1, 2, 3", [0, 1, 2, 3]), (None, (4, 5, 6, 7)))


@right
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    output = torch.zeros(x.shape)
    for rows in torch.arange(x.size(-1)).chunk(n_heads):
        q, k, v = (x @ w[rows].T for w in (w_q, w_k, w_v))
        output = output + (q @ k.mT / q.size(-1) ** 0.5).softmax(-1) @ v @ w_o[:, rows].T
    return output


def from_scratch(x, w_q, w_k, w_v, w_o, n_heads, split=True, merge=True, root=None, dim=-1):
    B, T, d_model = x.shape
    parts = [x @ w.T for w in (w_q, w_k, w_v)]
    if split:
        q, k, v = (part.view(B, T, n_heads, -1).transpose(1, 2) for part in parts)
    else:
        q, k, v = (part.view(B, n_heads, T, -1) for part in parts)
    found = (q @ k.mT / (root or q.size(-1)) ** 0.5).softmax(dim) @ v
    return (found.transpose(1, 2) if merge else found).reshape(B, T, d_model) @ w_o.T


also(
    "multi_head_attention",
    (
        "then transpose. The split is right",
        lambda *arguments: from_scratch(*arguments, split=False, merge=False),
    ),
    ("the division were left out", lambda *arguments: from_scratch(*arguments, root=1)),
    ("divided by √x.size(2)", lambda x, *rest: from_scratch(x, *rest, root=x.size(-1))),
    ("softmax ran along axis 2", lambda *arguments: from_scratch(*arguments, dim=-2)),
    ("w_q, w_k, w_v, w_o were transposed", lambda x, q, k, v, o, n: from_scratch(x, q.T, k.T, v.T, o.T, n)),
    ("w_q, w_k, w_v were transposed", lambda x, q, k, v, o, n: from_scratch(x, q.T, k.T, v.T, o, n)),
    ("if w_k were transposed", lambda x, q, k, v, o, n: from_scratch(x, q, k.T, v, o, n)),
    ("if w_o were transposed", lambda x, q, k, v, o, n: from_scratch(x, q, k, v, o.T, n)),
    ("w_o were the identity matrix", lambda x, q, k, v, o, n: from_scratch(x, q, k, v, torch.eye(len(o)), n)),
    ("n_heads were always 1", lambda x, q, k, v, o, n: from_scratch(x, q, k, v, o, 1)),
    ("w_q and w_k are swapped", lambda x, q, k, v, o, n: from_scratch(x, k, q, v, o, n)),
    ("w_k is used where w_v belongs", lambda x, q, k, v, o, n: from_scratch(x, q, k, k, o, n)),
)


@wrong("changes its arguments")
def silence_head(weight, head, n_heads):
    d = len(weight) // n_heads
    weight[:, head * d : head * d + d] = 0
    return weight


def silenced(weight, head, n_heads):
    return torch.cat([0 * part if i == head else part for i, part in enumerate(weight.chunk(n_heads, 1))], 1)


also(
    "silence_head",
    (None, silenced),
    ("head were always 0", lambda weight, head, n_heads: silenced(weight, 0, n_heads)),
    ("head were larger by 1", lambda weight, head, n_heads: silenced(weight, head + 1, n_heads)),
    ("It returns weight unchanged", lambda weight, head, n_heads: weight),
)


def stacked(x, w_qkv, w_o, n_heads):
    parts = (x @ w_qkv.T).chunk(3, -1)
    q, k, v = (part.unflatten(2, (n_heads, -1)).transpose(1, 2) for part in parts)
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ w_o.T


also(
    "stacked_attention",
    (None, stacked),
    ("w_o were transposed", lambda x, w_qkv, w_o, n_heads: stacked(x, w_qkv, w_o.T, n_heads)),
    ("n_heads were always 1", lambda x, w_qkv, w_o, n_heads: stacked(x, w_qkv, w_o, 1)),
)
