from torch import nn

from mine import FeedForward, LayerNorm, MultiHeadAttention
from mine.encoder import Wrap


class DecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        sizes = config.d_model, config.n_heads, config.dropout
        self.back, self.across = MultiHeadAttention(*sizes), MultiHeadAttention(*sizes)
        self.think = FeedForward(config.d_model, config.d_ff)
        self.one, self.two, self.three = Wrap(config), Wrap(config), Wrap(config)

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.one(x, lambda y: self.back(y, y, y, mask))
        x = self.two(x, lambda y: self.across(y, memory, memory, memory_mask))
        return self.three(x, self.think)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.stack = nn.ModuleList(DecoderLayer(config) for _ in range(config.n_layers))
        self.last = LayerNorm(config.d_model) if config.norm_first else None

    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.stack:
            x = layer(x, memory, mask, memory_mask)
        return x if self.last is None else self.last(x)
