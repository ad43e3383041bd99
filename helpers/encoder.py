"""The encoder: self-attention and feed-forward, each inside a residual connection, stacked. Chapter 08."""

from torch import nn

from helpers.layers import FeedForward, LayerNorm
from helpers.multi_head_attention import MultiHeadAttention


class Residual(nn.Module):
    """Adds x to what a sublayer makes of it, with layer normalization after the sum or before.

    Args:
        d_model: numbers per token.
        dropout: probability with which a number of the sublayer's output is dropped in training.
        norm_first: False for post-LN, as in the paper; True for pre-LN.

    Forward: x (B, T, d_model) and sublayer, a function that keeps this shape → (B, T, d_model).

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, sections 3.1 and 5.4.
    """

    def __init__(self, d_model, dropout=0.0, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network, each inside a residual connection.

    Args:
        d_model: numbers per token.
        n_heads: number of heads.
        d_ff: numbers per token in the middle of the feed-forward network.
        dropout: probability of dropout in training, on attention weights and sublayer outputs.
        activation: as in `FeedForward`.
        norm_first: False for post-LN, as in the paper; True for pre-LN.

    Forward: x (B, T, d_model), mask boolean, True = may attend, broadcastable to (B, n_heads, T, T)
        → (B, T, d_model).

    Raises:
        ValueError: as `MultiHeadAttention` and `FeedForward`.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1.
    """

    def __init__(self, d_model, n_heads, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        self.residuals = nn.ModuleList(Residual(d_model, dropout, norm_first) for _ in range(2))

    def forward(self, x, mask=None):
        around_attention, around_feed_forward = self.residuals
        x = around_attention(x, lambda x: self.attention(x, x, x, mask)[0])
        return around_feed_forward(x, self.feed_forward)


class Encoder(nn.Module):
    """A stack of encoder layers, each with weights of its own.

    Args:
        d_model, n_heads, d_ff, dropout, activation, norm_first: as in `EncoderLayer`.
        n_layers: number of layers.
        final_norm: whether layer normalization follows the last layer; None: with pre-LN, not with post-LN.

    Forward: x (B, T, d_model), mask as in `EncoderLayer` → (B, T, d_model), called memory by the decoder.

    Raises:
        ValueError: n_layers is not at least 1; as `EncoderLayer`.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1.
    """

    def __init__(
        self,
        d_model,
        n_heads,
        d_ff,
        n_layers,
        dropout=0.0,
        activation="relu",
        norm_first=False,
        final_norm=None,
    ):
        super().__init__()
        if n_layers < 1:
            raise ValueError(f"n_layers: {n_layers} leaves nothing to compute; use at least 1")
        options = (d_model, n_heads, d_ff, dropout, activation, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*options) for _ in range(n_layers))
        wanted = norm_first if final_norm is None else final_norm
        self.norm = LayerNorm(d_model) if wanted else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
