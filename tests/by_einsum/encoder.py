from torch import nn

from mine import FeedForward, LayerNorm, MultiHeadAttention


class Wrap(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norm, self.drop = LayerNorm(config.d_model), nn.Dropout(config.dropout)
        self.first = config.norm_first

    def forward(self, x, work):
        y = x + self.drop(work(self.norm(x) if self.first else x))
        return y if self.first else self.norm(y)


class EncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.look = MultiHeadAttention(config.d_model, config.n_heads, config.dropout)
        self.think = FeedForward(config.d_model, config.d_ff)
        self.one, self.two = Wrap(config), Wrap(config)

    def forward(self, x, mask=None):
        x = self.one(x, lambda y: self.look(y, y, y, mask))
        return self.two(x, self.think)


class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.stack = nn.ModuleList(EncoderLayer(config) for _ in range(config.n_layers))
        self.last = LayerNorm(config.d_model) if config.norm_first else None

    def forward(self, x, mask=None):
        for layer in self.stack:
            x = layer(x, mask)
        return x if self.last is None else self.last(x)
