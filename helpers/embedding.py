"""Token ids to vectors. Chapter 02."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class TokenEmbedding(nn.Module):
    """A table with one row per token, multiplied by √d_model.

    Args:
        vocab_size: number of tokens.
        d_model: numbers per token.

    Forward: ids (B, T), integers from 0 to vocab_size - 1 → (B, T, d_model).

    Raises:
        ValueError: ids are beyond the table (on a CPU; a GPU stops with an assertion of its own).

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.4.
    """

    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(vocab_size, d_model) / math.sqrt(d_model))

    def forward(self, ids):
        vocab_size, d_model = self.weight.shape
        try:
            vectors = F.embedding(ids, self.weight)  # (B, T, d_model)
        except IndexError:
            found = f"{ids.min()} to {ids.max()}"
            raise ValueError(f"ids: values run from {found}; use 0 to {vocab_size - 1}") from None
        return vectors * math.sqrt(d_model)
