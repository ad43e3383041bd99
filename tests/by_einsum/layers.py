import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return self.scale * x + self.shift


class FeedForward(nn.Module):
    def __init__(self, width, hidden, activation="relu"):
        super().__init__()
        self.A, self.a = nn.Parameter(torch.randn(width, hidden) * 0.1), nn.Parameter(torch.zeros(hidden))
        self.B, self.b = nn.Parameter(torch.randn(hidden, width) * 0.1), nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return torch.clamp(x @ self.A + self.a, min=0) @ self.B + self.b
