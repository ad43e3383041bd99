from torch import nn

from mine import FeedForward, LayerNorm, MultiHeadAttention


class DecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.att = MultiHeadAttention(config.d_model, config.n_heads)
        self.ff = FeedForward(config.d_model, config.d_ff)
        self.cross = MultiHeadAttention(config.d_model, config.n_heads)
        self.n1, self.n2, self.n3 = (
            LayerNorm(config.d_model),
            LayerNorm(config.d_model),
            LayerNorm(config.d_model),
        )
        self.pre = config.norm_first

    def forward(self, x, memory, mask=None, memory_mask=None):
        if self.pre:
            y = self.n1(x)
            x = x + self.att(y, y, y, mask)
            x = x + self.cross(self.n2(x), memory, memory, memory_mask)
            return x + self.ff(self.n3(x))
        x = self.n1(x + self.att(x, x, x, mask))
        x = self.n2(x + self.cross(x, memory, memory, memory_mask))
        return self.n3(x + self.ff(x))


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList([DecoderLayer(config) for _ in range(config.n_layers)])
        self.norm = LayerNorm(config.d_model) if config.norm_first else nn.Identity()

    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            x = layer(x, memory, mask, memory_mask)
        return self.norm(x)
