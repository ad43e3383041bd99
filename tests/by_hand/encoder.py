from torch import nn

from mine import FeedForward, LayerNorm, MultiHeadAttention


class EncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.att = MultiHeadAttention(config.d_model, config.n_heads)
        self.ff = FeedForward(config.d_model, config.d_ff)
        self.n1, self.n2 = LayerNorm(config.d_model), LayerNorm(config.d_model)
        self.pre = config.norm_first

    def forward(self, x, mask=None):
        if self.pre:
            y = self.n1(x)
            x = x + self.att(y, y, y, mask)
            return x + self.ff(self.n2(x))
        x = self.n1(x + self.att(x, x, x, mask))
        return self.n2(x + self.ff(x))


class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList([EncoderLayer(config) for _ in range(config.n_layers)])
        self.norm = LayerNorm(config.d_model) if config.norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
