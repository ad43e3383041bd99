"""Token ids to vectors, and where each token stands. Chapters 02 and 03."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from helpers.guards import guard_ids, guard_positions, guard_sizes


class TokenEmbedding(nn.Module):
    """A table with one row per token, multiplied by √d_model.

    Args:
        vocab_size: number of tokens.
        d_model: numbers per token.

    Forward: ids (B, T), integers from 0 to vocab_size - 1 → (B, T, d_model).

    Raises:
        ValueError: ids are not integers, or out of range.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.4.
    """

    def __init__(self, vocab_size, d_model):
        super().__init__()
        guard_sizes(vocab_size=vocab_size, d_model=d_model)
        self.weight = nn.Parameter(torch.randn(vocab_size, d_model) / math.sqrt(d_model))

    def forward(self, ids):
        vocab_size, d_model = self.weight.shape
        guard_ids(ids, vocab_size)
        return F.embedding(ids, self.weight) * math.sqrt(d_model)


class LearnedPositionalEmbedding(nn.Module):
    """Adds a learned vector to each position.

    Args:
        d_model: numbers per position.
        max_len: the longest sequence that can be handled.

    Forward: x (B, T, d_model), T ≤ max_len → (B, T, d_model).

    Raises:
        ValueError: x is longer than max_len, or its last size is not d_model.

    Source: Gehring et al. 2017, https://arxiv.org/abs/1705.03122, section 3.1.
    """

    def __init__(self, d_model, max_len):
        super().__init__()
        guard_sizes(d_model=d_model, max_len=max_len)
        self.weight = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x):
        guard_positions(x, self.weight)
        return x + self.weight[: x.size(-2)]


class SinusoidalPositionalEncoding(nn.Module):
    """Adds sines and cosines of the position, slower from one pair of columns to the next.

    Args:
        d_model: numbers per position, even.
        max_len: the longest sequence that can be handled.

    Forward: x (B, T, d_model), T ≤ max_len → (B, T, d_model).

    Raises:
        ValueError: d_model is odd; x is longer than max_len, or its last size is not d_model.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.5.
    """

    def __init__(self, d_model, max_len=5000):
        super().__init__()
        guard_sizes(d_model=d_model, max_len=max_len)
        if d_model % 2:
            raise ValueError(f"d_model: {d_model} is odd; sines and cosines come in pairs, make it even")
        position = torch.arange(max_len).unsqueeze(1)  # (max_len, 1)
        frequency = 10000 ** (-torch.arange(0, d_model, 2) / d_model)  # (d_model / 2)
        table = torch.empty(max_len, d_model)
        table[:, 0::2] = torch.sin(position * frequency)
        table[:, 1::2] = torch.cos(position * frequency)
        self.register_buffer("table", table, persistent=False)  # moves with .to(), is not saved

    def forward(self, x):
        guard_positions(x, self.table)
        return x + self.table[: x.size(-2)]
