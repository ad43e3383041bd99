"""Wrong answers to the exercises of chapter 05."""

import torch
from torch.nn import functional as F

from wrong_answers import wrong


def from_scratch(x, w_q, w_k, w_v, w_o, n_heads, split=True, merge=True, root=None, dim=-1):
    """What the wrong answers below have in common."""
    B, T, d_model = x.shape
    parts = [x @ w.T for w in (w_q, w_k, w_v)]
    if split:
        q, k, v = (part.view(B, T, n_heads, -1).transpose(1, 2) for part in parts)
    else:
        q, k, v = (part.view(B, n_heads, T, -1) for part in parts)
    found = (q @ k.mT / (root or q.size(-1)) ** 0.5).softmax(dim) @ v
    return (found.transpose(1, 2) if merge else found).reshape(B, T, d_model) @ w_o.T


@wrong("in one go mixes the tokens")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, w_o, n_heads, split=False)


@wrong("not swapped back")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, w_o, n_heads, merge=False)


@wrong("Both split and merge use view alone")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, w_o, n_heads, split=False, merge=False)


@wrong("not divided by √d_head")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, w_o, n_heads, root=1)


@wrong("divided by √d_model")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, w_o, n_heads, root=x.size(-1))


@wrong("runs over the queries")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, w_o, n_heads, dim=-2)


@wrong("All weight matrices")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q.T, w_k.T, w_v.T, w_o.T, n_heads)


@wrong("Only w_o")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, w_o.T, n_heads)


@wrong("w_o is not applied")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, torch.eye(x.size(-1)), n_heads)


@wrong("equals a single head")
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return from_scratch(x, w_q, w_k, w_v, w_o, 1)


@wrong("plain mean")
def join_blocks(output_a, sum_a, output_b, sum_b):
    return torch.stack([output_a, output_b]).mean(dim=0)


@wrong("outputs are added")
def join_blocks(output_a, sum_a, output_b, sum_b):
    return output_a + output_b


@wrong("Nothing is divided")
def join_blocks(output_a, sum_a, output_b, sum_b):
    return output_a * sum_a[:, None] + output_b * sum_b[:, None]


@wrong("are swapped")
def join_blocks(output_a, sum_a, output_b, sum_b):
    share = (sum_a / (sum_a + sum_b)).unsqueeze(-1)
    return (1 - share) * output_a + share * output_b


@wrong("It raises an error: RuntimeError")
def join_blocks(output_a, sum_a, output_b, sum_b):
    return (output_a * sum_a + output_b * sum_b) / (sum_a + sum_b)


@wrong("do not take exp again")
def join_blocks(output_a, sum_a, output_b, sum_b):
    shares = torch.stack([sum_a, sum_b]).softmax(dim=0).unsqueeze(-1)
    return shares[0] * output_a + shares[1] * output_b


@wrong("own denominator")
def join_blocks(output_a, sum_a, output_b, sum_b):
    total = sum_a.sum() + sum_b.sum()
    return output_a * sum_a[:, None] / total + output_b * sum_b[:, None] / total


@wrong("only divides")
def join_blocks(output_a, sum_a, output_b, sum_b):
    return output_a / sum_a[:, None] + output_b / sum_b[:, None]


@wrong("Rows are cleared")
def silence_head(weight, head, n_heads):
    w, d = weight.clone(), len(weight) // n_heads
    w[head * d : head * d + d] = 0
    return w


@wrong("side by side")
def silence_head(weight, head, n_heads):
    w = weight.clone().view(len(weight), -1, n_heads)
    w[..., head] = 0
    return w.view(weight.shape)


@wrong("keeps that head")
def silence_head(weight, head, n_heads):
    w, d = torch.zeros_like(weight), len(weight) // n_heads
    w[:, head * d : head * d + d] = weight[:, head * d : head * d + d]
    return w


@wrong("changes its arguments")
def silence_head(weight, head, n_heads):
    d = len(weight) // n_heads
    weight[:, head * d : head * d + d] = 0
    return weight


@wrong("Only one column")
def silence_head(weight, head, n_heads):
    w = weight.clone()
    w[:, head] = 0
    return w


@wrong("mixes the tokens")
def stacked_attention(x, w_qkv, w_o, n_heads):
    b, t, d = x.shape
    q, k, v = (part.reshape(b, n_heads, t, d // n_heads) for part in (x @ w_qkv.T).chunk(3, -1))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ w_o.T


@wrong("without swapping the axes back")
def stacked_attention(x, w_qkv, w_o, n_heads):
    parts = (x @ w_qkv.T).chunk(3, -1)
    q, k, v = (part.unflatten(2, (n_heads, -1)).transpose(1, 2) for part in parts)
    return F.scaled_dot_product_attention(q, k, v).reshape(x.shape) @ w_o.T


@wrong("Keys and values are swapped")
def stacked_attention(x, w_qkv, w_o, n_heads):
    parts = (x @ w_qkv.T).chunk(3, -1)
    q, v, k = (part.unflatten(2, (n_heads, -1)).transpose(1, 2) for part in parts)
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ w_o.T


@wrong("wrong way around")
def stacked_attention(x, w_qkv, w_o, n_heads):
    parts = (x @ w_qkv.T).chunk(3, -1)
    q, k, v = (part.unflatten(2, (n_heads, -1)).transpose(1, 2) for part in parts)
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ w_o


@wrong("equals a single head")
def stacked_attention(x, w_qkv, w_o, n_heads):
    q, k, v = (x @ w_qkv.T).chunk(3, -1)
    return F.scaled_dot_product_attention(q, k, v) @ w_o.T


@wrong("Every third row")
def stacked_attention(x, w_qkv, w_o, n_heads):
    projected = (x @ w_qkv.T).unflatten(-1, (-1, 3))
    q, k, v = (projected[..., i].unflatten(2, (n_heads, -1)).transpose(1, 2) for i in range(3))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ w_o.T
