"""The whole model: from source and target ids to logits. Chapter 10."""

from torch import nn

from helpers.decoder import Decoder
from helpers.embedding import LearnedPositionalEmbedding, SinusoidalPositionalEncoding, TokenEmbedding
from helpers.encoder import Encoder
from helpers.guards import (
    guard_choice,
    guard_inputs,
    guard_pad,
    guard_pair,
    guard_shared,
    guard_sizes,
    guard_tokens,
)
from helpers.masking import causal_mask, combine_masks, padding_mask

POSITIONS = {"sinusoidal": SinusoidalPositionalEncoding, "learned": LearnedPositionalEmbedding}


class Generator(nn.Module):
    """A linear layer that gives every token of the vocabulary a logit.

    Args:
        d_model: numbers per token.
        vocab_size: number of tokens in the vocabulary.

    Forward: x (…, T, d_model) → logits (…, T, vocab_size).

    Raises:
        ValueError: x's last size or device is not that of the parameters.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.4.
    """

    def __init__(self, d_model, vocab_size):
        super().__init__()
        guard_sizes(d_model=d_model, vocab_size=vocab_size)
        self.linear = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        guard_inputs(self.linear.weight, x=x)
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
        ValueError: a size, id, batch or device does not fit; the message names the argument.

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
        guard_choice(POSITIONS, positions=positions)
        guard_pad(src_vocab_size, src_pad_id=src_pad_id)
        guard_pad(tgt_vocab_size, tgt_pad_id=tgt_pad_id)
        guard_shared(tie_embeddings, src_vocab_size, tgt_vocab_size)

        def embed(vocab_size):
            place = POSITIONS[positions](d_model, max_len)
            return nn.Sequential(TokenEmbedding(vocab_size, d_model), place, nn.Dropout(dropout))

        sizes = (d_model, n_heads, d_ff, n_layers, dropout, activation, norm_first)
        self.src_embed = embed(src_vocab_size)
        self.tgt_embed = embed(tgt_vocab_size)
        self.encoder = Encoder(*sizes)
        self.decoder = Decoder(*sizes)
        self.generator = Generator(d_model, tgt_vocab_size)
        for part in (self.encoder, self.decoder, self.generator):
            for weight in part.parameters():
                if weight.dim() > 1:
                    nn.init.xavier_uniform_(weight)
        if tie_embeddings:
            self.tgt_embed[0] = self.src_embed[0]
        if tie_generator:
            self.generator.linear.weight = self.tgt_embed[0].weight
        self.src_pad_id, self.tgt_pad_id = src_pad_id, tgt_pad_id
        self.d_model, self.max_len = d_model, max_len

    def encode(self, src):
        """src (B, T_src) → memory (B, T_src, d_model)."""
        guard_tokens(self.src_embed[0].weight, src=src)
        return self.encoder(self.src_embed(src), padding_mask(src, self.src_pad_id))

    def decode(self, tgt, memory, src):
        """tgt (B, T_tgt), memory and the src it came from → (B, T_tgt, d_model), for the generator."""
        guard_tokens(self.tgt_embed[0].weight, tgt=tgt)
        guard_pair(src, tgt, memory)
        mask = combine_masks(padding_mask(tgt, self.tgt_pad_id), causal_mask(tgt.size(1), tgt.device))
        return self.decoder(self.tgt_embed(tgt), memory, mask, padding_mask(src, self.src_pad_id))

    def forward(self, src, tgt):
        return self.generator(self.decode(tgt, self.encode(src), src))
