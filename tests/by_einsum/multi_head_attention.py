import torch
from torch import nn

from mine import scaled_dot_product_attention as attend


class MultiHeadAttention(nn.Module):
    def __init__(self, width, heads, dropout=0.0):
        super().__init__()
        size = width // heads
        self.W = nn.Parameter(torch.randn(3, heads, width, size) * width**-0.5)
        self.b = nn.Parameter(torch.zeros(3, heads, size))
        self.U = nn.Parameter(torch.randn(heads, size, width) * width**-0.5)
        self.c = nn.Parameter(torch.zeros(width))
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            torch.einsum("btm,hmd->bhtd", x, self.W[i]) + self.b[i][:, None]
            for i, x in enumerate((query, key, value))
        )
        _, a = attend(q, k, v, mask)
        y = torch.einsum("bhij,bhjd->bhid", self.drop(a), v)
        return torch.einsum("bhid,hdm->bim", y, self.U) + self.c
