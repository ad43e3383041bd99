"""What today's models have in the place of four parts: RMSNorm, RoPE, SwiGLU, grouped queries. Chapter 16."""

from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn import functional as F

from helpers.engine.checks import check_groups
from helpers.language_model import LanguageModel, LanguageModelConfig
from helpers.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from helpers.positional_encoding import rows_of
from helpers.transformer import Embedding, Generator


class RMSNorm(nn.Module):
    """Scales every token to a mean square of 1, then by a learned vector; the mean is not subtracted.

    Args:
        d_model: numbers per token.
        eps: added to the mean square, so that a token of zeros is not divided by 0.

    Forward: x (…, T, d_model) → the same shape.

    Source: Zhang and Sennrich 2019, https://arxiv.org/abs/1910.07467, section 3.
    """

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.eps = eps

    def forward(self, x):
        return F.rms_norm(x, self.weight.shape, self.weight, self.eps)


def rotate(x, cos, sin):
    """Turn pairs of columns: column i and column i + d_head / 2 are the two coordinates of one point.

    Args:
        x: (…, T, d_head), d_head even.
        cos, sin: (T, d_head / 2), of the angle of each token and pair.

    Returns:
        The same shape as x.

    Source: Su et al. 2021, https://arxiv.org/abs/2104.09864, section 3.2.
    """
    first, second = x.chunk(2, dim=-1)  # (…, T, d_head / 2) each
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


class RotaryEmbedding(nn.Module):
    """RoPE: turns queries and keys by angles that grow with the position, each pair at its own speed.

    Column i is paired with column i + d_head / 2, as in Llama.

    Args:
        d_head: numbers per head, even.
        max_len: the longest sequence that can be handled.
        base: the slowest pair turns by about 1 / base per position.
        scaling: what the frequencies are divided by so that longer texts fit: one number, or one for each of
            the d_head / 2 pairs.

    Forward: x (…, T, d_head) → the same shape; with a cache, offset as in `rows_of`, and (B, 1, 1) where it
        differs between sentences and x is (B, n_heads, T, d_head).

    Raises:
        ValueError: d_head is odd; x goes beyond max_len.

    Source: Su et al. 2021, https://arxiv.org/abs/2104.09864, section 3.2.
    """

    def __init__(self, d_head, max_len=2048, base=10000.0, scaling=1.0):
        super().__init__()
        if d_head % 2:
            raise ValueError(f"d_head: {d_head} is odd; RoPE turns pairs of columns, make it even")
        frequency = 1 / base ** (torch.arange(0, d_head, 2) / d_head)  # (d_head / 2)
        frequency = frequency / torch.tensor(scaling)
        angles = torch.arange(max_len).unsqueeze(1) * frequency  # (max_len, d_head / 2)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x, offset=0):
        return rotate(x, rows_of(self.cos, x, offset), rows_of(self.sin, x, offset))


class SwiGLU(nn.Module):
    """A feed-forward network with a gate: one linear layer's output is multiplied by another's; no biases.

    Args:
        d_model: numbers per token.
        d_ff: numbers per token in between; 2/3 of that of a `FeedForward` with as many weights.

    Forward: x (…, T, d_model) → the same shape.

    Source: Shazeer 2020, https://arxiv.org/abs/2002.05202, section 2.
    """

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.w_down(F.silu(self.w_gate(x)) * self.w_up(x))


class GroupedQueryAttention(MultiHeadAttention):
    """Multi-head attention in which several heads of queries share one head of keys and values.

    Args:
        d_model, n_heads, dropout: as in `MultiHeadAttention`.
        n_kv_heads: heads of keys and values; divides n_heads. As many as n_heads: `MultiHeadAttention`; 1:
            multi-query attention.
        rotary: a `RotaryEmbedding` that turns queries and keys, or None.
        bias: whether the linear layers have one; those of Llama have none.

    Raises:
        ValueError: n_kv_heads does not divide n_heads; as `MultiHeadAttention`.

    Source: Ainslie et al. 2023, https://arxiv.org/abs/2305.13245, section 2.2.
    """

    def __init__(self, d_model, n_heads, n_kv_heads, dropout=0.0, rotary=None, bias=True):
        super().__init__(d_model, n_heads, dropout)
        check_groups(n_kv_heads, n_heads)
        self.n_kv_heads, self.rotary = n_kv_heads, rotary
        d_kv = n_kv_heads * (d_model // n_heads)
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_kv, bias=bias)
        self.w_v = nn.Linear(d_model, d_kv, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, query, key, value, mask=None, need_weights=False, cache=None):
        """Project, split into heads, share keys and values, attend, merge, mix; with `rotary`, turn before.

        Args:
            query, key, value, mask, need_weights: as in `MultiHeadAttention`; with `rotary`, self-attention.
            cache: as there; it keeps n_kv_heads heads, already turned.

        Returns:
            As `MultiHeadAttention`.

        Raises:
            ValueError: as `attend` and `RotaryEmbedding`.
        """
        q = split_heads(self.w_q(query), self.n_heads)  # (B, n_heads, T_q, d_head)
        k = split_heads(self.w_k(key), self.n_kv_heads)  # (B, n_kv_heads, T_k, d_head)
        v = split_heads(self.w_v(value), self.n_kv_heads)
        if self.rotary is not None:
            offset = 0 if cache is None else cache.offset.unsqueeze(1)  # (B, 1, 1)
            q, k = self.rotary(q, offset), self.rotary(k, offset)
        if cache is not None:
            k, v = cache.append(self, k, v)
        heads_per_group = self.n_heads // self.n_kv_heads
        k, v = (x.repeat_interleave(heads_per_group, dim=1) for x in (k, v))  # (B, n_heads, T_k, d_head)
        heads, weights = self.attend(q, k, v, mask, need_weights)
        return self.w_o(merge_heads(heads)), weights


class NoPositions(nn.Module):
    """Adds nothing: the attention knows the positions, or nothing does.

    Forward: x (B, T, d_model), and offset → x.
    """

    def forward(self, x, offset=0):
        return x


def replace_parts(model, part, make):
    """Put another module in the place of every part of a kind.

    Args:
        model: any module; it is changed.
        part: the class of the parts, e.g. `LayerNorm`; those of a subclass stay.
        make: function that returns a new module; it is called once for each part.

    Returns:
        The model.
    """
    for parent in list(model.modules()):
        for name, child in parent.named_children():
            if type(child) is part:
                setattr(parent, name, make())
    return model


@dataclass(frozen=True, kw_only=True)
class ModernConfig(LanguageModelConfig):
    """Sizes and options of a `ModernLanguageModel`; the defaults are those of Llama.

    Args:
        n_kv_heads: as in `GroupedQueryAttention`.
        d_ff: as in `SwiGLU`.
        rope_base, rope_scaling: base and scaling, as in `RotaryEmbedding`.
        eps: as in `RMSNorm`.

    The other arguments are those of `LanguageModelConfig`, except activation, norm_first, final_norm and
    positions, which a Llama leaves no choice of.

    Raises:
        ValueError: as there.

    Source: Touvron et al. 2023, https://arxiv.org/abs/2302.13971, section 2.2.
    """

    n_kv_heads: int
    dropout: float = 0.0
    max_len: int = 2048
    rope_base: float = 10000.0
    rope_scaling: float | tuple = 1.0
    eps: float = 1e-5
    activation: str = field(default="silu", init=False)  # here these are no options
    norm_first: bool = field(default=True, init=False)
    final_norm: bool = field(default=True, init=False)
    positions: str = field(default="rotary", init=False)


class ModernLayer(nn.Module):
    """Grouped-query attention, then SwiGLU, each after an RMSNorm and with a residual connection.

    Args:
        config: a `ModernConfig`.
        rotary: the `RotaryEmbedding` of all layers.

    Forward: x (B, T, d_model); mask and cache as in `DecoderLayer` → (B, T, d_model).

    Raises:
        ValueError: as `GroupedQueryAttention`.

    Source: Touvron et al. 2023, https://arxiv.org/abs/2302.13971, section 2.2.
    """

    def __init__(self, config, rotary):
        super().__init__()
        sizes = config.d_model, config.n_heads, config.n_kv_heads, config.dropout
        self.attention_norm = RMSNorm(config.d_model, config.eps)
        self.attention = GroupedQueryAttention(*sizes, rotary, bias=False)
        self.feed_forward_norm = RMSNorm(config.d_model, config.eps)
        self.feed_forward = SwiGLU(config.d_model, config.d_ff)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x, mask=None, cache=None):
        y = self.attention_norm(x)
        x = x + self.dropout(self.attention(y, y, y, mask, cache=cache)[0])
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))


class ModernDecoder(nn.Module):
    """A stack of modern layers, and an RMSNorm after the last.

    Args:
        config: a `ModernConfig`.

    Forward: as `ModernLayer`.

    Raises:
        ValueError: as `ModernLayer` and `RotaryEmbedding`.

    Source: Touvron et al. 2023, https://arxiv.org/abs/2302.13971, section 2.2.
    """

    def __init__(self, config):
        super().__init__()
        d_head = config.d_model // config.n_heads
        rotary = RotaryEmbedding(d_head, config.max_len, config.rope_base, config.rope_scaling)
        self.layers = nn.ModuleList(ModernLayer(config, rotary) for _ in range(config.n_layers))
        self.norm = RMSNorm(config.d_model, config.eps)

    def forward(self, x, mask=None, cache=None):
        for layer in self.layers:
            x = layer(x, mask, cache)
        return self.norm(x)


class ModernLanguageModel(LanguageModel):
    """A `LanguageModel` with all four parts replaced, as in Llama.

    Args:
        config: a `ModernConfig`.

    Forward: as `LanguageModel`.

    Raises:
        ValueError: as `LanguageModel`, `GroupedQueryAttention` and `RotaryEmbedding`.

    Source: Touvron et al. 2023, https://arxiv.org/abs/2302.13971, section 2.2.
    """

    def __init__(self, config):
        nn.Module.__init__(self)  # the parts of LanguageModel are not built
        self.max_len, self.pad_id = config.max_len, config.pad_id
        self.embed = Embedding(config.vocab_size, config.d_model, max_len=1, dropout=config.dropout)
        self.embed.positions = NoPositions()
        self.decoder = ModernDecoder(config)
        self.generator = Generator(config.d_model, config.vocab_size)
        if config.tie_generator:
            self.generator.linear.weight = self.embed.tokens.weight
