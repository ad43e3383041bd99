"""Attention: each query takes a weighted average of the values. Chapter 04."""

import math

from torch import nn


def scaled_dot_product_attention(query, key, value, mask=None):
    """softmax(query · keyᵀ / √d_k) · value.

    Args:
        query: (…, T_q, d_k).
        key: (…, T_k, d_k).
        value: (…, T_k, d_v).
        mask: boolean, True = may attend, broadcastable to (…, T_q, T_k); None lets everything through.

    Returns:
        output (…, T_q, d_v) and weights (…, T_q, T_k). A row of weights sums to 1, or is all zeros where
        the mask leaves the query nothing to attend to.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.1.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))  # (…, T_q, T_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)  # if all keys of a row are hidden: 0, not NaN (chapter 6)
    return weights @ value, weights


class AttentionHead(nn.Module):
    """One head: three linear layers make queries, keys and values, attention mixes the values.

    Args:
        d_model: size of the inputs.
        d_head: size of queries, keys and values.

    Forward: x (B, T_q, d_model), which asks; memory (B, T_k, d_model), which is looked at, x itself in
        self-attention; mask as in `scaled_dot_product_attention` → output (B, T_q, d_head), weights
        (B, T_q, T_k).

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.2.
    """

    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_head)
        self.w_k = nn.Linear(d_model, d_head)
        self.w_v = nn.Linear(d_model, d_head)

    def forward(self, x, memory, mask=None):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(memory), self.w_v(memory), mask)
