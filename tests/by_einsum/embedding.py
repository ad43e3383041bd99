import torch
from torch import nn


class TokenEmbedding(nn.Module):
    def __init__(self, n_tokens, width):
        super().__init__()
        self.rows = nn.Parameter(torch.empty(n_tokens, width).normal_(0, width**-0.5))
        self.gain = width**0.5

    def forward(self, ids):
        return self.gain * self.rows[ids]


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, width, longest=5000):
        super().__init__()
        t, j = torch.arange(longest).float(), torch.arange(width)
        angle = torch.outer(t, 10000.0 ** (-(j - j % 2) / width))
        self.register_buffer("waves", torch.where(j % 2 == 0, angle.sin(), angle.cos()))

    def forward(self, x):
        return x + self.waves[None, : x.shape[1]]
