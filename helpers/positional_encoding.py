"""Where each token stands: learned or sinusoidal vectors, added to those of the tokens. Chapter 03."""

import torch
from torch import nn


def rows_of(table, x, offset=0):
    """The rows of a table of positions that belong to the tokens of x.

    Args:
        table: (max_len, d_model).
        x: (…, T, d_model).
        offset: position of x's first token; (B, 1) where it differs between sentences.

    Returns:
        (T, d_model), or (B, T, d_model).

    Raises:
        ValueError: x goes beyond max_len.
    """
    length, max_len = x.size(-2), table.size(0)
    if isinstance(offset, int) and offset + length > max_len:
        found = f"{offset + length} positions, but max_len is {max_len}"
        raise ValueError(f"x: {found}; shorten x or raise max_len")
    return table[offset + torch.arange(length, device=table.device)]


class LearnedPositionalEmbedding(nn.Module):
    """Adds a learned vector to each position.

    Args:
        d_model: numbers per position.
        max_len: the longest sequence that can be handled.

    Forward: x (B, T, d_model), and offset as in `rows_of` → (B, T, d_model).

    Raises:
        ValueError: x goes beyond max_len.

    Source: Gehring et al. 2017, https://arxiv.org/abs/1705.03122, section 3.1.
    """

    def __init__(self, d_model, max_len):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x, offset=0):
        return x + rows_of(self.weight, x, offset)


class SinusoidalPositionalEncoding(nn.Module):
    """Adds sines and cosines of the position, slower from one pair of columns to the next.

    Args:
        d_model: numbers per position, even.
        max_len: the longest sequence that can be handled.

    Forward: x (B, T, d_model), and offset as in `rows_of` → (B, T, d_model).

    Raises:
        ValueError: d_model is odd; x goes beyond max_len.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.5.
    """

    def __init__(self, d_model, max_len=5000):
        super().__init__()
        if d_model % 2:
            raise ValueError(f"d_model: {d_model} is odd; sines and cosines come in pairs, make it even")
        position = torch.arange(max_len).unsqueeze(1)  # (max_len, 1)
        frequency = 10000 ** (-torch.arange(0, d_model, 2) / d_model)  # (d_model / 2)
        table = torch.empty(max_len, d_model)
        table[:, 0::2] = torch.sin(position * frequency)
        table[:, 1::2] = torch.cos(position * frequency)
        self.register_buffer("table", table, persistent=False)  # moves with .to(), is not saved

    def forward(self, x, offset=0):
        return x + rows_of(self.table, x, offset)
