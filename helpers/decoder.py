"""The decoder: masked self-attention, attention to the encoder's output, feed-forward. Chapter 09."""

from torch import nn

from helpers.encoder import Residual
from helpers.engine.checks import check_memory
from helpers.layers import FeedForward, LayerNorm
from helpers.multi_head_attention import MultiHeadAttention


class DecoderLayer(nn.Module):
    """Self-attention, cross-attention and the feed-forward network, each inside a residual connection.

    Args:
        config: a `StackConfig`.
        cross_attention: False leaves it out, for a decoder that stands alone.

    Forward: x (B, T_tgt, d_model); memory (B, T_src, d_model), the encoder's output, needed by
        cross-attention; mask, which tokens of x see which, broadcastable to (B, n_heads, T_tgt, T_tgt);
        memory_mask, which tokens of x see which of memory, to (B, n_heads, T_tgt, T_src)
        → (B, T_tgt, d_model). Masks are boolean, True = may attend.

    cache: a `KVCache` (chapter 12) of the tokens before x; the keys of mask are then all tokens so far.

    Raises:
        ValueError: as `check_memory` and `EncoderLayer`.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1.
    """

    def __init__(self, config, cross_attention=True):
        super().__init__()
        self.attention = MultiHeadAttention(config.d_model, config.n_heads, config.dropout)
        self.cross_attention = (
            MultiHeadAttention(config.d_model, config.n_heads, config.dropout) if cross_attention else None
        )
        self.feed_forward = FeedForward(config.d_model, config.d_ff, config.activation)
        self.residuals = nn.ModuleList(
            Residual(config.d_model, config.dropout, config.norm_first)
            for _ in range(3 if cross_attention else 2)
        )

    def forward(self, x, memory=None, mask=None, memory_mask=None, cache=None):
        check_memory(memory, x, self.cross_attention)
        x = self.residuals[0](x, lambda x: self.attention(x, x, x, mask, cache=cache)[0])
        if self.cross_attention is not None:
            x = self.residuals[1](
                x, lambda x: self.cross_attention(x, memory, memory, memory_mask, cache=cache)[0]
            )
        return self.residuals[-1](x, self.feed_forward)


class Decoder(nn.Module):
    """A stack of decoder layers, each with weights of its own; every layer sees the same memory.

    Args:
        config, cross_attention: as in `DecoderLayer`.

    Forward: as `DecoderLayer`.

    Raises:
        ValueError: as `DecoderLayer`.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1.
    """

    def __init__(self, config, cross_attention=True):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(config, cross_attention) for _ in range(config.n_layers))
        self.norm = LayerNorm(config.d_model) if config.ends_in_norm else nn.Identity()

    def forward(self, x, memory=None, mask=None, memory_mask=None, cache=None):
        for layer in self.layers:
            x = layer(x, memory, mask, memory_mask, cache)
        return self.norm(x)
