"""The decoder: masked self-attention, attention to the encoder's output, feed-forward. Chapter 09."""

from torch import nn

from helpers.encoder import Residual
from helpers.layers import FeedForward, LayerNorm
from helpers.multi_head_attention import MultiHeadAttention


class DecoderLayer(nn.Module):
    """Self-attention, cross-attention and the feed-forward network, each inside a residual connection.

    Args:
        d_model, n_heads, d_ff, dropout, activation, norm_first: as in `EncoderLayer`.
        cross_attention: False leaves it out, for a decoder that stands alone.

    Forward: x (B, T_tgt, d_model); memory (B, T_src, d_model), the encoder's output, needed by
        cross-attention; mask, which tokens of x see which, broadcastable to (B, n_heads, T_tgt, T_tgt);
        memory_mask, which tokens of x see which of memory, to (B, n_heads, T_tgt, T_src)
        → (B, T_tgt, d_model). Masks are boolean, True = may attend.

    Raises:
        ValueError: memory is missing, not wanted, or of another batch; as `EncoderLayer`.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1.
    """

    def __init__(
        self, d_model, n_heads, d_ff, dropout=0.0, activation="relu", norm_first=False, cross_attention=True
    ):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, dropout) if cross_attention else None
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        n_sublayers = 3 if cross_attention else 2
        self.residuals = nn.ModuleList(Residual(d_model, dropout, norm_first) for _ in range(n_sublayers))

    def forward(self, x, memory=None, mask=None, memory_mask=None):
        if (memory is None) != (self.cross_attention is None):
            given = "missing; pass the encoder's output" if memory is None else "given; leave it out"
            raise ValueError(f"memory: {given}, or build with cross_attention={memory is not None}")
        if memory is not None and memory.size(0) != x.size(0):
            raise ValueError(f"memory: batch of {memory.size(0)}, but x has {x.size(0)}; make them equal")
        return self.run_sublayers(
            x,
            lambda x: self.attention(x, x, x, mask)[0],
            lambda x: self.cross_attention(x, memory, memory, memory_mask)[0],
        )

    def run_sublayers(self, x, attend, attend_memory):
        """The sublayers in their residual connections, whichever way attention is computed.

        Args:
            x: (B, T_tgt, d_model).
            attend: function for the self-attention, from x to the same shape.
            attend_memory: function for the cross-attention, from x to the same shape; not called without.

        Returns:
            (B, T_tgt, d_model).
        """
        x = self.residuals[0](x, attend)
        if self.cross_attention is not None:
            x = self.residuals[1](x, attend_memory)
        return self.residuals[-1](x, self.feed_forward)


class Decoder(nn.Module):
    """A stack of decoder layers, each with weights of its own; every layer sees the same memory.

    Args:
        d_model, n_heads, d_ff, dropout, activation, norm_first, cross_attention: as in `DecoderLayer`.
        n_layers: number of layers.
        final_norm: whether layer normalization follows the last layer; None: with pre-LN, not with post-LN.

    Forward: as `DecoderLayer`.

    Raises:
        ValueError: n_layers is not at least 1; as `DecoderLayer`.

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
        cross_attention=True,
        final_norm=None,
    ):
        super().__init__()
        if n_layers < 1:
            raise ValueError(f"n_layers: {n_layers} leaves nothing to compute; use at least 1")
        options = (d_model, n_heads, d_ff, dropout, activation, norm_first, cross_attention)
        self.layers = nn.ModuleList(DecoderLayer(*options) for _ in range(n_layers))
        wanted = norm_first if final_norm is None else final_norm
        self.norm = LayerNorm(d_model) if wanted else nn.Identity()

    def forward(self, x, memory=None, mask=None, memory_mask=None):
        for layer in self.layers:
            x = layer(x, memory, mask, memory_mask)
        return self.norm(x)
