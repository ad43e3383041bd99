"""Attention: each query takes a weighted average of the values. Chapters 04 and 05."""

import math

from torch import nn
from torch.nn import functional as F

from helpers.guards import guard_attention, guard_heads, guard_inputs, guard_sizes


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

    Raises:
        ValueError: a size, rank or dtype does not fit.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.1.
    """
    guard_attention(query, key, value, mask)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))  # (…, T_q, T_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)  # a row with nothing to attend to: NaN becomes 0
    return weights @ value, weights


class AttentionHead(nn.Module):
    """One head: three linear layers make queries, keys and values, attention mixes the values.

    Args:
        d_model: size of the inputs.
        d_head: size of queries, keys and values.

    Forward: query (B, T_q, d_model), key and value (B, T_k, d_model), mask as in
        `scaled_dot_product_attention` → output (B, T_q, d_head), weights (B, T_q, T_k).

    Raises:
        ValueError: as `scaled_dot_product_attention`, or an input's last size is not d_model.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.2.
    """

    def __init__(self, d_model, d_head):
        super().__init__()
        guard_sizes(d_model=d_model, d_head=d_head)
        self.w_q = nn.Linear(d_model, d_head)
        self.w_k = nn.Linear(d_model, d_head)
        self.w_v = nn.Linear(d_model, d_head)

    def forward(self, query, key, value, mask=None):
        guard_inputs(self.w_q.weight, query=query, key=key, value=value)
        return scaled_dot_product_attention(self.w_q(query), self.w_k(key), self.w_v(value), mask)


def split_heads(x, n_heads):
    """(B, T, d_model) → (B, n_heads, T, d_head): each head gets its own columns of every token."""
    return x.view(*x.shape[:-1], n_heads, x.size(-1) // n_heads).transpose(1, 2)


def merge_heads(x):
    """(B, n_heads, T, d_head) → (B, T, d_model): the heads' columns side by side again."""
    return x.transpose(1, 2).flatten(start_dim=2)


class MultiHeadAttention(nn.Module):
    """Several heads side by side, each in its own columns of d_model, and a linear layer that mixes them.

    Args:
        d_model: size of inputs and output.
        n_heads: number of heads; each has d_head = d_model / n_heads columns.
        dropout: probability with which a weight is dropped in training.

    Forward: query (B, T_q, d_model), key and value (B, T_k, d_model), mask boolean, True = may attend,
        broadcastable to (B, n_heads, T_q, T_k) → output (B, T_q, d_model) and weights. With
        `need_weights` the weights are (B, n_heads, T_q, T_k), before dropout; without, they are None, and
        PyTorch's fused kernel computes the output without ever storing them.

    Raises:
        ValueError: n_heads does not divide d_model; a size, rank, dtype or device does not fit.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.2.
    """

    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        guard_sizes(d_model=d_model, n_heads=n_heads)
        guard_heads(d_model, n_heads)
        self.n_heads = n_heads
        self.dropout = dropout
        self.w_qkv = nn.Linear(d_model, 3 * d_model)  # W_Q, W_K and W_V, stacked
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None, need_weights=False):
        guard_inputs(self.w_qkv.weight, query=query, key=key, value=value)
        if query is key is value:
            projected = self.w_qkv(query).chunk(3, dim=-1)  # one product instead of three
        else:
            layers = zip(self.w_qkv.weight.chunk(3), self.w_qkv.bias.chunk(3), strict=True)
            inputs = (query, key, value)
            projected = [F.linear(x, *layer) for x, layer in zip(inputs, layers, strict=True)]
        q, k, v = (split_heads(x, self.n_heads) for x in projected)  # each (B, H, T, d_head)
        guard_attention(q, k, v, mask)

        dropout = self.dropout if self.training else 0.0
        if need_weights:
            _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, T_q, T_k)
            output = F.dropout(weights, dropout) @ v
        else:
            weights = None
            output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout)
        return self.w_o(merge_heads(output)), weights
