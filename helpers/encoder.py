"""The encoder: self-attention and feed-forward, each inside a residual connection, stacked. Chapter 08."""

from dataclasses import dataclass

from torch import nn

from helpers.layers import FeedForward, LayerNorm
from helpers.multi_head_attention import MultiHeadAttention


@dataclass(frozen=True, kw_only=True)
class StackConfig:
    """Sizes and options of a stack of layers, encoder or decoder; the sizes are those of the paper.

    Args:
        d_model: numbers per token.
        n_heads: number of heads; divides d_model.
        d_ff: numbers per token in the middle of the feed-forward network.
        n_layers: number of layers.
        dropout: probability of dropout in training, on attention weights and sublayer outputs.
        activation: "relu", "gelu", "gelu_tanh" or "silu".
        norm_first: False for post-LN, as in the paper; True for pre-LN.
        final_norm: whether layer normalization follows the last layer; None: with pre-LN, not with post-LN.

    Raises:
        ValueError: n_layers is not at least 1.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, table 3.
    """

    d_model: int = 512
    n_heads: int = 8
    d_ff: int = 2048
    n_layers: int = 6
    dropout: float = 0.0
    activation: str = "relu"
    norm_first: bool = False
    final_norm: bool | None = None

    def __post_init__(self):
        if self.n_layers < 1:
            raise ValueError(f"n_layers: {self.n_layers} leaves nothing to compute; use at least 1")

    @property
    def ends_in_norm(self):
        """Whether layer normalization follows the last layer."""
        return self.norm_first if self.final_norm is None else self.final_norm


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
        config: a `StackConfig`.

    Forward: x (B, T, d_model), mask boolean, True = may attend, broadcastable to (B, n_heads, T, T)
        → (B, T, d_model).

    Raises:
        ValueError: as `MultiHeadAttention` and `FeedForward`.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1.
    """

    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config.d_model, config.n_heads, config.dropout)
        self.feed_forward = FeedForward(config.d_model, config.d_ff, config.activation)
        self.residuals = nn.ModuleList(
            Residual(config.d_model, config.dropout, config.norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        x = self.residuals[0](x, lambda x: self.attention(x, x, x, mask)[0])
        return self.residuals[1](x, self.feed_forward)


class Encoder(nn.Module):
    """A stack of encoder layers, each with weights of its own.

    Args:
        config: a `StackConfig`.

    Forward: x (B, T, d_model), mask as in `EncoderLayer` → (B, T, d_model), called memory by the decoder.

    Raises:
        ValueError: as `EncoderLayer`.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1.
    """

    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.n_layers))
        self.norm = LayerNorm(config.d_model) if config.ends_in_norm else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
