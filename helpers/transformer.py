"""The whole model: from source and target ids to logits. Chapter 10."""

from torch import nn

from helpers.decoder import Decoder
from helpers.embedding import TokenEmbedding
from helpers.encoder import Encoder
from helpers.engine.checks import check_id, check_tokens
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

    Forward: ids (B, T), and offset, the position of the first of them → (B, T, d_model).

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


class Transformer(nn.Module):
    """Encoder and decoder with embeddings, masks and generator; the defaults are the paper's base model.

    Args:
        src_vocab_size, tgt_vocab_size: number of tokens on each side.
        d_model, n_heads, d_ff, n_layers, dropout, activation, norm_first: as in `Encoder` and `Decoder`;
            dropout also acts on the sum of embeddings and positions.
        positions: "sinusoidal" or "learned".
        max_len: the longest sequence that can be handled.
        src_pad_id, tgt_pad_id: the ids that fill up short sentences.
        tie_embeddings: source and target share one table, for vocabularies that are one.
        tie_generator: the generator's weights are the target's table.

    Forward: src (B, T_src) and tgt (B, T_tgt), token ids → logits (B, T_tgt, tgt_vocab_size). The logits at
        position i know the whole source and the target up to i.

    Raises:
        ValueError: a size or id does not fit; the message names the argument.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.
    """

    def __init__(
        self,
        src_vocab_size,
        tgt_vocab_size,
        d_model=512,
        n_heads=8,
        d_ff=2048,
        n_layers=6,
        dropout=0.1,
        activation="relu",
        norm_first=False,
        positions="sinusoidal",
        max_len=5000,
        src_pad_id=0,
        tgt_pad_id=0,
        tie_embeddings=False,
        tie_generator=False,
    ):
        super().__init__()
        check_id("src_pad_id", src_pad_id, src_vocab_size)
        check_id("tgt_pad_id", tgt_pad_id, tgt_vocab_size)
        if tie_embeddings and src_vocab_size != tgt_vocab_size:
            sizes = f"{src_vocab_size} and {tgt_vocab_size}"
            raise ValueError(f"tie_embeddings: the vocabularies have {sizes} tokens; make one of both")
        options = (d_model, n_heads, d_ff, n_layers, dropout, activation, norm_first)
        self.d_model, self.max_len = d_model, max_len
        self.src_pad_id, self.tgt_pad_id = src_pad_id, tgt_pad_id
        self.src_embed = Embedding(src_vocab_size, d_model, positions, max_len, dropout)
        self.tgt_embed = Embedding(tgt_vocab_size, d_model, positions, max_len, dropout)
        self.encoder = Encoder(*options)
        self.decoder = Decoder(*options)
        self.generator = Generator(d_model, tgt_vocab_size)
        for part in (self.encoder, self.decoder, self.generator):
            for weight in part.parameters():
                if weight.dim() > 1:
                    nn.init.xavier_uniform_(weight)
        if tie_embeddings:
            self.tgt_embed.tokens = self.src_embed.tokens
        if tie_generator:
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

    def decode(self, tgt, memory, memory_mask):
        """Read the target beside the memory of its source.

        Args:
            tgt: token ids (B, T_tgt).
            memory, memory_mask: what `encode` returned.

        Returns:
            (B, T_tgt, d_model), for the generator.

        Raises:
            ValueError: as `check_tokens`, or memory is of another batch.
        """
        check_tokens("tgt", tgt, self.tgt_embed.tokens.weight.size(0), self.max_len)
        if tgt.size(0) != memory.size(0):
            raise ValueError(f"tgt: batch of {tgt.size(0)}, but src has {memory.size(0)}; make them equal")
        mask = combine_masks(padding_mask(tgt, self.tgt_pad_id), causal_mask(tgt.size(1), tgt.device))
        return self.decoder(self.tgt_embed(tgt), memory, mask, memory_mask)

    def forward(self, src, tgt):
        return self.generator(self.decode(tgt, *self.encode(src)))
