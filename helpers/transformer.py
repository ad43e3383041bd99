"""The whole model: from source and target ids to logits. Chapter 10."""

from dataclasses import KW_ONLY, dataclass

from torch import nn

from helpers.decoder import Decoder
from helpers.embedding import TokenEmbedding
from helpers.encoder import Encoder, StackConfig
from helpers.engine.checks import check_id, check_same_batch, check_tokens
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.positional_encoding import LearnedPositionalEmbedding, SinusoidalPositionalEncoding

POSITIONS = {"sinusoidal": SinusoidalPositionalEncoding, "learned": LearnedPositionalEmbedding}


class Embedding(nn.Module):
    """What a stack takes in: the vector of each token, its position added, and dropout.

    Args:
        vocab_size: number of tokens.
        d_model: numbers per token.
        positions: "sinusoidal" or "learned".
        max_len: the longest sequence that can be handled.
        dropout: probability of dropout on the sum, in training.

    Forward: ids (B, T), and offset as in `rows_of` → (B, T, d_model).

    Raises:
        ValueError: positions is not known; as `TokenEmbedding` and the positions.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, sections 3.4, 3.5 and 5.4.
    """

    def __init__(self, vocab_size, d_model, positions="sinusoidal", max_len=5000, dropout=0.0):
        super().__init__()
        if positions not in POSITIONS:
            raise ValueError(f"positions: {positions!r} is not known; use one of {', '.join(POSITIONS)}")
        self.tokens = TokenEmbedding(vocab_size, d_model)
        self.positions = POSITIONS[positions](d_model, max_len)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids, offset=0):
        return self.dropout(self.positions(self.tokens(ids), offset))


class Generator(nn.Module):
    """A linear layer that gives every token of the vocabulary a logit.

    Args:
        d_model: numbers per token.
        vocab_size: number of tokens in the vocabulary.

    Forward: x (…, T, d_model) → logits (…, T, vocab_size).

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.4.
    """

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.linear = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        return self.linear(x)


@dataclass(frozen=True)
class TransformerConfig(StackConfig):
    """Sizes and options of a whole model; the defaults are the paper's base model, but for shared tables.

    Args:
        src_vocab_size, tgt_vocab_size: number of tokens on each side.
        dropout: as in `StackConfig`; also on the sum of embeddings and positions.
        positions: "sinusoidal" or "learned".
        max_len: the longest sequence that can be handled.
        src_pad_id, tgt_pad_id: the ids that fill up short sentences.
        tie_embeddings: source and target share one table, for vocabularies that are one.
        tie_generator: the generator's weights are the target's table.

    The other arguments are those of `StackConfig`. All but the vocabulary sizes are given by name.

    Raises:
        ValueError: a size or id does not fit; the message names the argument.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, table 3.
    """

    src_vocab_size: int
    tgt_vocab_size: int
    _: KW_ONLY
    dropout: float = 0.1
    positions: str = "sinusoidal"
    max_len: int = 5000
    src_pad_id: int = 0
    tgt_pad_id: int = 0
    tie_embeddings: bool = False
    tie_generator: bool = False

    def __post_init__(self):
        super().__post_init__()
        check_id("src_pad_id", self.src_pad_id, self.src_vocab_size)
        check_id("tgt_pad_id", self.tgt_pad_id, self.tgt_vocab_size)
        if self.tie_embeddings and self.src_vocab_size != self.tgt_vocab_size:
            sizes = f"{self.src_vocab_size} and {self.tgt_vocab_size}"
            raise ValueError(f"tie_embeddings: the vocabularies have {sizes} tokens; make one of both")


class Transformer(nn.Module):
    """Encoder and decoder with embeddings, masks and generator.

    Args:
        config: a `TransformerConfig`.

    Forward: src (B, T_src) and tgt (B, T_tgt), token ids → logits (B, T_tgt, tgt_vocab_size). The logits at
        position i know the whole source and the target up to i.

    Raises:
        ValueError: as the parts.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.
    """

    def __init__(self, config):
        super().__init__()
        self.d_model, self.max_len = config.d_model, config.max_len
        self.src_pad_id, self.tgt_pad_id = config.src_pad_id, config.tgt_pad_id
        sizes = config.d_model, config.positions, config.max_len, config.dropout
        self.src_embed = Embedding(config.src_vocab_size, *sizes)
        self.tgt_embed = Embedding(config.tgt_vocab_size, *sizes)
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)
        self.generator = Generator(config.d_model, config.tgt_vocab_size)
        for part in (self.encoder, self.decoder, self.generator):
            for weight in part.parameters():
                if weight.dim() > 1:
                    nn.init.xavier_uniform_(weight)
        if config.tie_embeddings:
            self.tgt_embed.tokens = self.src_embed.tokens
        if config.tie_generator:
            self.generator.linear.weight = self.tgt_embed.tokens.weight

    def encode(self, src):
        """Read the source.

        Args:
            src: token ids (B, T_src).

        Returns:
            memory (B, T_src, d_model), and the mask of its padding, (B, 1, 1, T_src); both for `decode`.

        Raises:
            ValueError: as `check_tokens`.
        """
        check_tokens("src", src, self.src_embed.tokens.weight.size(0), self.max_len)
        mask = padding_mask(src, self.src_pad_id)
        return self.encoder(self.src_embed(src), mask), mask

    def decode(self, tgt, memory, memory_mask, cache=None):
        """Read the target beside the memory of its source.

        Args:
            tgt: token ids (B, T_tgt).
            memory, memory_mask: what `encode` returned.
            cache: a `KVCache` (chapter 12); of tgt, only the tokens that it has not read yet are computed.

        Returns:
            (B, T_tgt, d_model), for the generator; with a cache, of the new tokens alone.

        Raises:
            ValueError: as `check_tokens` and `check_same_batch`.
        """
        check_tokens("tgt", tgt, self.tgt_embed.tokens.weight.size(0), self.max_len)
        check_same_batch("tgt", tgt, "src", memory)
        past, first = (0, 0) if cache is None else cache.begin_pass(tgt, self.tgt_pad_id)
        causal = causal_mask(tgt.size(1), tgt.device)[past:]
        mask = combine_masks(padding_mask(tgt, self.tgt_pad_id), causal)
        x = self.tgt_embed(tgt[:, past:], first)
        return self.decoder(x, memory, mask, memory_mask, cache)

    def forward(self, src, tgt):
        return self.generator(self.decode(tgt, *self.encode(src)))
