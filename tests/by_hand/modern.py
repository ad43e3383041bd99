import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
        self.eps = eps

    def forward(self, x):
        return x * (x.square().mean(-1, keepdim=True) + self.eps).rsqrt() * self.weight


class RotaryEmbedding(nn.Module):
    def __init__(self, d, max_len=2048, base=10000.0):
        super().__init__()
        a = torch.arange(max_len)[:, None] * base ** (-torch.arange(0, d, 2) / d)
        self.register_buffer("c", a.cos())
        self.register_buffer("s", a.sin())

    def forward(self, x):
        a, b = x.chunk(2, -1)
        T = x.size(-2)
        c, s = self.c[:T], self.s[:T]
        return torch.cat([a * c - b * s, a * s + b * c], -1)


class SwiGLU(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.w_gate, self.w_up, self.w_down = (nn.Linear(*s, bias=False) for s in ((d, f), (d, f), (f, d)))

    def forward(self, x):
        g = self.w_gate(x)
        return self.w_down(g * g.sigmoid() * self.w_up(x))


class GroupedQueryAttention(nn.Module):
    def __init__(self, d, h, kv):
        super().__init__()
        self.h, self.kv = h, kv
        e = kv * d // h
        self.w_q, self.w_k, self.w_v, self.w_o = (
            nn.Linear(d, d),
            nn.Linear(d, e),
            nn.Linear(d, e),
            nn.Linear(d, d),
        )

    def forward(self, q, k, v, mask=None):
        B, T, D = q.shape
        q = self.w_q(q).view(B, T, self.h, -1).transpose(1, 2)
        k, v = (
            w(x).view(B, -1, self.kv, D // self.h).transpose(1, 2).repeat_interleave(self.h // self.kv, 1)
            for w, x in ((self.w_k, k), (self.w_v, v))
        )
        s = q @ k.mT / (D // self.h) ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, -1e9)
        return self.w_o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
