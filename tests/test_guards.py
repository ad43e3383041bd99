"""Bad input: a ValueError that names the argument, what it was, and the remedy."""

import pytest
import torch

from helpers.attention import AttentionHead, MultiHeadAttention, scaled_dot_product_attention
from helpers.decoder import Decoder, DecoderLayer
from helpers.embedding import LearnedPositionalEmbedding, SinusoidalPositionalEncoding, TokenEmbedding
from helpers.encoder import Encoder, EncoderLayer, Residual
from helpers.layers import FeedForward, LayerNorm
from helpers.lesson import language
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.plots import attention_heatmap
from helpers.tokenization import BPETokenizer, WhitespaceTokenizer
from helpers.transformer import Generator, Transformer

TEXTS = ["나는 파리"]


def x(*shape):
    return torch.zeros(*shape)


def attend(query, key, value, mask=None):
    return scaled_dot_product_attention(query, key, value, mask)


def heads(*inputs):
    return MultiHeadAttention(8, 4)(*inputs)


def ids(*rows):
    return torch.tensor(rows)


def encode(*inputs):
    return EncoderLayer(8, 4, 16)(*inputs)


def decode(*inputs, **others):
    return DecoderLayer(8, 4, 16, **others)(*inputs)


def build(**others):
    return Transformer(5, 7, 8, 4, 16, 1, max_len=6, **others)


CASES = [  # what is done, the argument named, what it was, the remedy
    (lambda: WhitespaceTokenizer("나는"), "texts", "one string", "list of strings"),
    (lambda: WhitespaceTokenizer([]), "texts", "no word", "at least one sentence"),
    (lambda: WhitespaceTokenizer([" ", "\n"]), "texts", "no word", "at least one sentence"),
    (lambda: WhitespaceTokenizer([3]), "text", "3 is of type int", "pass a string"),
    (lambda: WhitespaceTokenizer(TEXTS).encode(None), "text", "None", "pass a string"),
    (lambda: WhitespaceTokenizer(TEXTS).decode([6]), "ids", "6 is not", "0 to 5"),
    (lambda: BPETokenizer("나는", 300), "texts", "one string", "list of strings"),
    (lambda: BPETokenizer([], 300), "texts", "no word", "at least one sentence"),
    (lambda: BPETokenizer(TEXTS, 264), "vocab_size", "264", "at least 265"),
    (lambda: BPETokenizer(TEXTS, 0), "vocab_size", "0", "at least 265"),
    (lambda: BPETokenizer(TEXTS, 300).encode(["나는"]), "text", "list", "pass a string"),
    (lambda: BPETokenizer(TEXTS, 265).decode([-1]), "ids", "-1 is not", "0 to 264"),
    (lambda: BPETokenizer(TEXTS, 265).decode([0.5]), "ids", "0.5 is not", "use integers"),
    (lambda: TokenEmbedding(0, 8), "vocab_size", "0", "at least 1"),
    (lambda: TokenEmbedding(5, 8.0), "d_model", "8.0", "integer"),
    (lambda: TokenEmbedding(5, 8)(torch.tensor([[0, 5]])), "ids", "to 5", "0 to 4"),
    (lambda: TokenEmbedding(5, 8)(torch.tensor([[-1]])), "ids", "from -1", "0 to 4"),
    (lambda: TokenEmbedding(5, 8)(x(1, 2)), "ids", "float32", "ids.long()"),
    (lambda: LearnedPositionalEmbedding(8, 0), "max_len", "0", "at least 1"),
    (lambda: LearnedPositionalEmbedding(8, 12)(x(1, 13, 8)), "x", "13 tokens", "max_len"),
    (lambda: LearnedPositionalEmbedding(8, 12)(x(1, 3, 4)), "x", "(1, 3, 4)", "(B, T, 8)"),
    (lambda: SinusoidalPositionalEncoding(7), "d_model", "7 is odd", "even"),
    (lambda: SinusoidalPositionalEncoding(8, 12)(x(1, 13, 8)), "x", "13 tokens", "max_len"),
    (lambda: SinusoidalPositionalEncoding(8, 12)(x(8)), "x", "(8,)", "(B, T, 8)"),
    (lambda: attend(x(4), x(3, 4), x(3, 4)), "query", "(4,)", "(…, T, d)"),
    (lambda: attend(x(2, 4), x(0, 4), x(0, 4)), "key", "(0, 4)", "at least one token"),
    (lambda: attend(x(2, 4), x(3, 5), x(3, 4)), "key", "5", "make both d_k"),
    (lambda: attend(x(2, 4), x(3, 4), x(2, 4)), "value", "2 tokens", "each key one value"),
    (lambda: attend(x(2, 2, 4), x(1, 3, 4), x(1, 3, 4)), "key", "(1,)", "make them equal"),
    (lambda: attend(x(2, 4), x(3, 4), x(3, 4), x(2, 3)), "mask", "float32", "mask.bool()"),
    (lambda: attend(x(2, 4), x(3, 4), x(3, 4), x(3, 2).bool()), "mask", "(3, 2)", "(2, 3)"),
    (lambda: attend(x(2, 4), x(3, 4), x(3, 4), x(1, 2, 3).bool()), "mask", "(1, 2, 3)", "(2, 3)"),
    (lambda: AttentionHead(8, 0), "d_head", "0", "at least 1"),
    (lambda: AttentionHead(8, 4)(x(1, 2, 8), x(1, 2, 4), x(1, 2, 8)), "key", "(1, 2, 4)", "(B, T, 8)"),
    (lambda: MultiHeadAttention(16, 3), "n_heads", "3", "use one of 1, 2, 4, 8, 16"),
    (lambda: MultiHeadAttention(16, 0), "n_heads", "0", "at least 1"),
    (lambda: heads(x(1, 2, 8), x(1, 3, 4), x(1, 3, 8)), "key", "(1, 3, 4)", "(B, T, 8)"),
    (lambda: heads(x(1, 2, 8), x(1, 3, 8), x(1, 2, 8)), "value", "2 tokens", "each key one value"),
    (lambda: heads(x(2, 2, 8), x(1, 3, 8), x(1, 3, 8)), "key", "(1, 4)", "make them equal"),
    (lambda: heads(x(2, 2, 8), x(2, 0, 8), x(2, 0, 8)), "key", "0", "at least one token"),
    (lambda: heads(x(1, 2, 8), x(1, 3, 8).to("meta"), x(1, 3, 8)), "key", "meta", ".to()"),
    (lambda: heads(*[x(1, 2, 8)] * 3, x(1, 1, 2, 2)), "mask", "float32", "mask.bool()"),
    (lambda: heads(*[x(1, 2, 8)] * 3, x(1, 3, 2, 2).bool()), "mask", "(1, 3, 2, 2)", "(1, 4, 2, 2)"),
    (lambda: padding_mask(torch.tensor([1, 2]), 0), "ids", "(2,)", "(B, T)"),
    (lambda: padding_mask(torch.zeros(2, 0).long(), 0), "ids", "(2, 0)", "at least one token"),
    (lambda: padding_mask(x(1, 2), 0), "ids", "float32", "ids.long()"),
    (lambda: causal_mask(0), "length", "0", "at least 1"),
    (lambda: combine_masks(causal_mask(2), x(2, 2)), "masks", "float32", "booleans"),
    (lambda: combine_masks(causal_mask(2), causal_mask(3)), "masks", "(2, 2), (3, 3)", "(B, H, T_q, T_k)"),
    (lambda: combine_masks(causal_mask(2), causal_mask(2, "meta")), "masks", "meta", ".to()"),
    (lambda: LayerNorm(0), "d_model", "0", "at least 1"),
    (lambda: LayerNorm(8)(x(2, 3, 4)), "x", "(2, 3, 4)", "(B, T, 8)"),
    (lambda: FeedForward(8, 0), "d_ff", "0", "at least 1"),
    (lambda: FeedForward(8, 16, activation="tanh"), "activation", "'tanh'", "relu, gelu"),
    (lambda: FeedForward(8, 16)(x(2, 3, 4)), "x", "(2, 3, 4)", "(B, T, 8)"),
    (lambda: FeedForward(8, 16)(x(2, 3, 8).to("meta")), "x", "meta", ".to()"),
    (lambda: heads(*[x(1, 2, 8)] * 3, x(2, 2).bool().to("meta")), "mask", "meta", ".to()"),
    (lambda: Residual(0), "d_model", "0", "at least 1"),
    (lambda: Residual(8)(x(1, 2, 4), abs), "x", "(1, 2, 4)", "(B, T, 8)"),
    (lambda: EncoderLayer(8, 3, 16), "n_heads", "3", "use one of 1, 2, 4, 8"),
    (lambda: EncoderLayer(8, 4, 16, activation="silu"), "activation", "'silu'", "relu, gelu"),
    (lambda: encode(x(1, 2, 4)), "query", "(1, 2, 4)", "(B, T, 8)"),
    (lambda: encode(x(1, 0, 8)), "query", "(1, 4, 0, 2)", "at least one token"),
    (lambda: encode(x(1, 2, 8), x(1, 2).bool()[None, None, None]), "mask", "(1, 1, 1, 1, 2)", "(1, 4, 2, 2)"),
    (lambda: Encoder(8, 4, 16, n_layers=0), "n_layers", "0", "at least 1"),
    (lambda: Encoder(8, 4, 16, n_layers=True + 0.0), "n_layers", "1.0", "integer"),
    (lambda: decode(x(1, 2, 8)), "memory", "missing", "cross_attention=False"),
    (
        lambda: decode(x(1, 2, 8), x(1, 3, 8), cross_attention=False),
        "memory",
        "given",
        "cross_attention=True",
    ),
    (lambda: decode(x(2, 2, 8), x(1, 3, 8)), "memory", "batch of 1", "make them equal"),
    (lambda: decode(x(1, 2, 8), x(1, 3, 4)), "key", "(1, 3, 4)", "(B, T, 8)"),
    (lambda: decode(x(1, 2, 8), x(1, 3, 8), causal_mask(3)), "mask", "(3, 3)", "(1, 4, 2, 2)"),
    (lambda: decode(x(1, 2, 8), x(1, 3, 8), None, causal_mask(2)), "mask", "(2, 2)", "(1, 4, 2, 3)"),
    (lambda: Decoder(8, 4, 16, n_layers=-1), "n_layers", "-1", "at least 1"),
    (lambda: Decoder(8, 4, 16, 2)(x(1, 2, 8)), "memory", "missing", "encoder's output"),
    (lambda: Generator(8, 0), "vocab_size", "0", "at least 1"),
    (lambda: Generator(8, 5)(x(1, 2, 4)), "x", "(1, 2, 4)", "(B, T, 8)"),
    (lambda: build(positions="rotary"), "positions", "'rotary'", "sinusoidal, learned"),
    (lambda: build(src_pad_id=5), "src_pad_id", "5", "0 to 4"),
    (lambda: build(tgt_pad_id=-1), "tgt_pad_id", "-1", "0 to 6"),
    (lambda: decode(x(2, 3, 8), causal_mask(3)), "memory", "(3, 3)", "masks by name"),
    (lambda: build(tie_embeddings=True), "tie_embeddings", "5 and 7", "make one of both"),
    (lambda: Transformer(5, 5, d_model=9, n_heads=3), "d_model", "9 is odd", "even"),
    (lambda: build()(ids([1, 5]), ids([1, 2])), "src", "from 1 to 5", "0 to 4"),
    (lambda: build()(ids([1, 2]), ids([1, -1])), "tgt", "from -1", "0 to 6"),
    (lambda: build()(x(1, 2), ids([1, 2])), "src", "float32", "integers"),
    (lambda: build()(ids([1, 2]), torch.tensor([1, 2])), "tgt", "(2,)", "(B, T)"),
    (lambda: build()(ids([1, 2]), x(1, 0).long()), "tgt", "(1, 0)", "at least one token"),
    (lambda: build()(ids([1, 2]), ids([1, 2], [3, 4])), "tgt", "batch of 2", "make them equal"),
    (lambda: build()(ids([1, 2]), ids([1, 2]).to("meta")), "tgt", "meta", ".to()"),
    (lambda: build()(ids([1] * 7), ids([1])), "x", "7 tokens", "max_len"),
    (lambda: build().decode(ids([1]), x(1, 3, 8), ids([1, 2])), "memory", "(1, 3, 8)", "encode(src)"),
    (lambda: language("kr"), "choice", "'kr'", '"ko"'),
    (lambda: attention_heatmap(x(2, 3), ["a", "b"], ["c"]), "weights", "(2, 3)", "(2, 1)"),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case[1]}: {case[2]}" for case in CASES])
def test_bad_input(case):
    do, argument, was, remedy = case
    with pytest.raises(ValueError) as caught:
        do()
    message = str(caught.value)
    assert message.startswith(f"{argument}: ")
    assert was in message and remedy in message
