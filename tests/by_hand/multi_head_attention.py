from torch import nn

from mine import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.h, self.d = n_heads, d_model
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        D = query.size(-1)
        W, b = self.qkv.weight.split(D), self.qkv.bias.split(D)

        def split(x):
            B, T, D = x.shape
            return x.view(B, T, self.h, D // self.h).transpose(1, 2)

        q, k, v = (split(x @ w.T + c) for x, w, c in zip((query, key, value), W, b, strict=True))
        o, _ = scaled_dot_product_attention(q, k, v, mask)
        B, H, T, d = o.shape
        return self.out(o.transpose(1, 2).reshape(B, T, H * d))
