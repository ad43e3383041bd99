import math

import torch
from torch import nn


class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)

    def forward(self, ids):
        return self.table(ids) * math.sqrt(self.table.embedding_dim)


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        t = torch.zeros(max_len, d_model)
        pos = torch.arange(max_len)[:, None]
        w = torch.exp(-math.log(10000) * torch.arange(0, d_model, 2) / d_model)
        t[:, 0::2] = torch.sin(pos * w)
        t[:, 1::2] = torch.cos(pos * w)
        self.register_buffer("t", t)

    def forward(self, x):
        return x + self.t[: x.size(1)]
