"""Multi-head attention: several heads side by side, each in its own columns. Chapter 05."""

import torch
from torch import nn
from torch.nn import functional as F

from helpers.attention import scaled_dot_product_attention
from helpers.engine.checks import check_values


def split_heads(x, n_heads):
    """Give each head its own columns of every token.

    Args:
        x: (…, T, d_model).
        n_heads: number of heads; divides d_model.

    Returns:
        (…, n_heads, T, d_head) with d_head = d_model / n_heads.
    """
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)


def merge_heads(x):
    """Put the heads' columns side by side again: the inverse of `split_heads`.

    Args:
        x: (…, n_heads, T, d_head).

    Returns:
        (…, T, n_heads · d_head).
    """
    return x.transpose(-3, -2).flatten(start_dim=-2)


class MultiHeadAttention(nn.Module):
    """Several heads side by side, each in its own columns of d_model, and a linear layer that mixes them.

    Args:
        d_model: size of inputs and output.
        n_heads: number of heads; each has d_head = d_model / n_heads columns.
        dropout: probability with which an attention weight is dropped in training.

    Raises:
        ValueError: n_heads does not divide d_model.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.2.
    """

    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(f"n_heads: {n_heads} does not divide d_model, {d_model}; use a number that does")
        self.n_heads = n_heads
        self.dropout = dropout
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None, need_weights=False, cache=None):
        """Project, split into heads, attend, merge, mix.

        Args:
            query: (B, T_q, d_model).
            key, value: (B, T_k, d_model).
            mask: boolean, True = may attend, broadcastable to (B, n_heads, T_q, T_k).
            need_weights: as in `attend`.
            cache: a `KVCache` (chapter 12). In self-attention, where key is query, the keys and values of
                these tokens are put behind those that it has; in cross-attention they are made only once.

        Returns:
            output (B, T_q, d_model), and weights (B, n_heads, T_q, T_k) or None.

        Raises:
            ValueError: mask is not boolean (the kernel would add its numbers to the scores), or value is not
                as long as key (the kernel would read past its end).
        """
        q = split_heads(self.w_q(query), self.n_heads)  # (B, n_heads, T_q, d_head)
        if cache is not None and self in cache.memory:
            k, v = cache.memory[self]
        else:
            k = split_heads(self.w_k(key), self.n_heads)  # (B, n_heads, T_k, d_head)
            v = split_heads(self.w_v(value), self.n_heads)
            if cache is not None:
                k, v = cache.append(self, k, v, grows=key is query)
        heads, weights = self.attend(q, k, v, mask, need_weights)
        return self.w_o(merge_heads(heads)), weights

    def attend(self, q, k, v, mask=None, need_weights=False):
        """Let every head attend on its own.

        Args:
            q: (B, n_heads, T_q, d_head).
            k, v: (B, n_heads, T_k, d_head).
            mask: as in `forward`.
            need_weights: compute step by step and return the weights; else PyTorch's fused kernel computes
                the same output without storing them.

        Returns:
            output (B, n_heads, T_q, d_head), and weights (B, n_heads, T_q, T_k) before dropout, or None.

        Raises:
            ValueError: as `forward`.
        """
        if mask is not None and mask.dtype != torch.bool:
            raise ValueError(f"mask: dtype is {mask.dtype}; use booleans, True = may attend")
        check_values(k, v)
        dropout = self.dropout if self.training else 0.0
        if not need_weights:
            return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout), None
        if dropout > 0:
            _, weights = scaled_dot_product_attention(q, k, v, mask)
            return F.dropout(weights, dropout) @ v, weights
        return scaled_dot_product_attention(q, k, v, mask)
