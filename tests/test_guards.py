"""Bad input: a ValueError that names the argument, what it was, and the remedy."""

import pytest
import torch

from helpers.decoder import Decoder, DecoderLayer
from helpers.embedding import TokenEmbedding
from helpers.encoder import Encoder, EncoderLayer, StackConfig
from helpers.figures.plots import attention_heatmap
from helpers.layers import FeedForward
from helpers.lesson import language
from helpers.masking import causal_mask, combine_masks
from helpers.multi_head_attention import MultiHeadAttention
from helpers.positional_encoding import LearnedPositionalEmbedding, SinusoidalPositionalEncoding
from helpers.tokenization import BPETokenizer, WhitespaceTokenizer
from helpers.transformer import Transformer, TransformerConfig

TEXTS = ["나는 파리"]


def x(*shape):
    return torch.zeros(*shape)


def heads(*inputs):
    return MultiHeadAttention(8, 4)(*inputs)


def ids(*rows):
    return torch.tensor(rows)


def decode(*inputs, **others):
    return DecoderLayer(StackConfig(d_model=8, n_heads=4, d_ff=16), **others)(*inputs)


def build(**others):
    return Transformer(
        TransformerConfig(5, 7, d_model=8, n_heads=4, d_ff=16, n_layers=1, max_len=6, **others)
    )


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
    (lambda: TokenEmbedding(5, 8)(torch.tensor([[0, 5]])), "ids", "to 5", "0 to 4"),
    (lambda: TokenEmbedding(5, 8)(torch.tensor([[-1]])), "ids", "from -1", "0 to 4"),
    (lambda: LearnedPositionalEmbedding(8, 12)(x(1, 13, 8)), "x", "13 positions", "max_len"),
    (lambda: LearnedPositionalEmbedding(8, 12)(x(1, 2, 8), 11), "x", "13 positions", "max_len"),
    (lambda: SinusoidalPositionalEncoding(7), "d_model", "7 is odd", "even"),
    (lambda: SinusoidalPositionalEncoding(8, 12)(x(1, 13, 8)), "x", "13 positions", "max_len"),
    (lambda: SinusoidalPositionalEncoding(8, 12)(x(1, 1, 8), 12), "x", "13 positions", "max_len"),
    (lambda: MultiHeadAttention(16, 3), "n_heads", "3", "16; use a number that does"),
    (lambda: MultiHeadAttention(16, 0), "n_heads", "0", "use a number that does"),
    (lambda: heads(*[x(1, 2, 8)] * 3, x(1, 1, 2, 2)), "mask", "float32", "booleans, True = may attend"),
    (lambda: FeedForward(8, 16, activation="tanh"), "activation", "'tanh'", "relu, gelu, gelu_tanh, silu"),
    (
        lambda: EncoderLayer(StackConfig(d_model=8, n_heads=3, d_ff=16)),
        "n_heads",
        "3",
        "use a number that does",
    ),
    (lambda: Encoder(StackConfig(d_model=8, n_heads=4, d_ff=16, n_layers=0)), "n_layers", "0", "at least 1"),
    (lambda: decode(x(1, 2, 8)), "memory", "missing", "cross_attention=False"),
    (
        lambda: decode(x(1, 2, 8), x(1, 3, 8), cross_attention=False),
        "memory",
        "given",
        "cross_attention=True",
    ),
    (lambda: decode(x(2, 2, 8), x(1, 3, 8)), "memory", "batch of 1", "make them equal"),
    (
        lambda: Decoder(StackConfig(d_model=8, n_heads=4, d_ff=16, n_layers=-1)),
        "n_layers",
        "-1",
        "at least 1",
    ),
    (
        lambda: Decoder(StackConfig(d_model=8, n_heads=4, d_ff=16, n_layers=2))(x(1, 2, 8)),
        "memory",
        "missing",
        "encoder's output",
    ),
    (lambda: build(positions="rotary"), "positions", "'rotary'", "sinusoidal, learned"),
    (lambda: build(src_pad_id=5), "src_pad_id", "5", "0 to 4"),
    (lambda: build(tgt_pad_id=-1), "tgt_pad_id", "-1", "0 to 6"),
    (lambda: build(tie_embeddings=True), "tie_embeddings", "5 and 7", "make one of both"),
    (
        lambda: Transformer(TransformerConfig(5, 5, d_model=9, n_heads=3)),
        "d_model",
        "9 is odd",
        "even",
    ),
    (lambda: build()(ids([1, 5]), ids([1, 2])), "src", "from 1 to 5", "0 to 4"),
    (lambda: build()(ids([1, 2]), ids([1, -1])), "tgt", "from -1", "0 to 6"),
    (lambda: build()(ids([1, 2]), torch.tensor([1, 2])), "tgt", "(2,)", "(B, T)"),
    (lambda: build()(ids([1, 2]), x(1, 0).long()), "tgt", "(1, 0)", "at least one token"),
    (lambda: build()(ids([1, 2]), ids([1, 2], [3, 4])), "tgt", "batch of 2", "make them equal"),
    (lambda: build()(ids([1] * 7), ids([1])), "src", "7 tokens", "max_len is 6"),
    (lambda: build()(ids([1]), ids([1] * 7)), "tgt", "7 tokens", "max_len is 6"),
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


CLEAR = [  # what torch itself refuses clearly, with a part of its message
    (lambda: TokenEmbedding(5, 8)(x(1, 2)), "Long"),
    (lambda: heads(*[x(1, 2, 8)] * 3, x(1, 3, 2, 2).bool()), "must match"),
    (lambda: heads(x(1, 2, 8), x(1, 3, 4), x(1, 3, 8)), "shapes cannot be multiplied"),
    (lambda: combine_masks(causal_mask(2), causal_mask(3)), "must match"),
    (lambda: decode(x(2, 3, 8), causal_mask(2)), "dtype"),
    (lambda: FeedForward(8, 16)(x(2, 3, 4)), "shapes cannot be multiplied"),
    (lambda: build()(ids([1, 2]), ids([1, 2]).to("meta")), "meta"),
]


@pytest.mark.parametrize("case", CLEAR, ids=[case[1] for case in CLEAR])
def test_what_torch_refuses(case):
    do, says = case
    with pytest.raises(RuntimeError, match=says):
        do()
