"""Bad input: a ValueError that names the argument, what it was, and the remedy."""

import pytest
import torch

from helpers.attention import AttentionHead, MultiHeadAttention, scaled_dot_product_attention
from helpers.embedding import LearnedPositionalEmbedding, SinusoidalPositionalEncoding, TokenEmbedding
from helpers.layers import FeedForward, LayerNorm
from helpers.lesson import language
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.plots import attention_heatmap
from helpers.tokenization import BPETokenizer, WhitespaceTokenizer

TEXTS = ["나는 파리"]


def x(*shape):
    return torch.zeros(*shape)


def attend(query, key, value, mask=None):
    return scaled_dot_product_attention(query, key, value, mask)


def heads(*inputs):
    return MultiHeadAttention(8, 4)(*inputs)


CASES = [  # what is done, the argument named, what it was, the remedy
    (lambda: WhitespaceTokenizer("나는"), "texts", "one string", "list of strings"),
    (lambda: WhitespaceTokenizer([]), "texts", "no word", "at least one sentence"),
    (lambda: WhitespaceTokenizer([" ", "\n"]), "texts", "no word", "at least one sentence"),
    (lambda: WhitespaceTokenizer([3]), "text", "3 is of type int", "pass a string"),
    (lambda: WhitespaceTokenizer(TEXTS).encode(None), "text", "None", "pass a string"),
    (lambda: WhitespaceTokenizer(TEXTS).decode([6]), "ids", "to 6", "0 to 5"),
    (lambda: BPETokenizer("나는", 300), "texts", "one string", "list of strings"),
    (lambda: BPETokenizer([], 300), "texts", "no word", "at least one sentence"),
    (lambda: BPETokenizer(TEXTS, 264), "vocab_size", "264", "at least 265"),
    (lambda: BPETokenizer(TEXTS, 0), "vocab_size", "0", "at least 265"),
    (lambda: BPETokenizer(TEXTS, 300).encode(["나는"]), "text", "list", "pass a string"),
    (lambda: BPETokenizer(TEXTS, 265).decode([-1]), "ids", "from -1", "0 to 264"),
    (lambda: BPETokenizer(TEXTS, 265).decode([0.5]), "ids", "float", "use integers"),
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
