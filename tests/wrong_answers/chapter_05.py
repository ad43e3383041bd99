"""Wrong answers to the exercises of chapter 05."""

import torch
from torch.nn import functional as F

from wrong_answers import wrong


@wrong("biases are missing")
def count_parameters(d_model, n_heads):
    return 4 * d_model**2


@wrong("W_O is missing")
def count_parameters(d_model, n_heads):
    return 3 * d_model * (d_model + 1)


@wrong("multiplies by the number of heads")
def count_parameters(d_model, n_heads):
    return n_heads * 4 * d_model * (d_model + 1)


@wrong("without MultiHeadAttention")
def count_parameters(d_model, n_heads):
    from helpers.attention import MultiHeadAttention

    return sum(parameter.numel() for parameter in MultiHeadAttention(d_model, n_heads).parameters())


@wrong("return int")
def count_parameters(d_model, n_heads):
    return 4.0 * d_model * (d_model + 1)


@wrong("divided by √d_model")
def attend_in_heads(query, key, value, n_heads):
    d = query.shape[-1]
    inputs = (query, key, value)
    q, k, v = (x.unflatten(2, (n_heads, -1)).transpose(1, 2) for x in inputs)
    return ((q @ k.mT / d**0.5).softmax(-1) @ v).transpose(1, 2).flatten(2)


@wrong("mixes tokens")
def attend_in_heads(query, key, value, n_heads):
    b, _, d = query.shape
    q, k, v = (x.reshape(b, n_heads, -1, d // n_heads) for x in (query, key, value))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)


@wrong("without swapping the axes back")
def attend_in_heads(query, key, value, n_heads):
    inputs = (query, key, value)
    q, k, v = (x.unflatten(2, (n_heads, -1)).transpose(1, 2) for x in inputs)
    return F.scaled_dot_product_attention(q, k, v).reshape(query.shape)


@wrong("It raises an error: RuntimeError: shape")
def attend_in_heads(query, key, value, n_heads):
    b, t, d = query.shape
    q, k, v = (x.view(b, t, n_heads, -1).transpose(1, 2) for x in (query, key, value))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, d)


@wrong("mixes the keys")
def attend_in_heads(query, key, value, n_heads):
    q, k = (x.unflatten(2, (n_heads, -1)).transpose(1, 2) for x in (query, key))
    return F.scaled_dot_product_attention(q, k, k).transpose(1, 2).flatten(2)


@wrong("equals a single head")
def attend_in_heads(query, key, value, n_heads):
    return F.scaled_dot_product_attention(query, key, value)


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
