"""Masks, chapter 06: what they hide, and that attention under them does not leak."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.embedding import TokenEmbedding
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.multi_head_attention import MultiHeadAttention
from helpers.positional_encoding import SinusoidalPositionalEncoding

PAD, VOCAB = 0, 9
sizes, seeds = st.integers(1, 6), st.integers(0, 10**6)


class Layer(nn.Module):
    """Embedding, positions and self-attention, in eval mode."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(TokenEmbedding(VOCAB, 8), SinusoidalPositionalEncoding(8, 30))
        self.attention = MultiHeadAttention(8, 2)
        self.eval()

    def forward(self, ids, mask):
        x = self.embed(ids)
        return self.attention(x, x, x, mask)[0]


torch.manual_seed(0)
LAYER = Layer()


def tokens(batch, length):
    return torch.randint(1, VOCAB, (batch, length))


@given(sizes, sizes, seeds)
def test_padding_mask_is_true_at_real_tokens(batch, length, seed):
    torch.manual_seed(seed)
    ids = torch.randint(0, 3, (batch, length))
    mask = padding_mask(ids, PAD)
    assert mask.shape == (batch, 1, 1, length) and mask.dtype == torch.bool
    assert mask[:, 0, 0].tolist() == [[id != PAD for id in row] for row in ids.tolist()]


@given(st.integers(1, 12))
def test_causal_mask_is_true_where_the_key_is_not_later(length):
    mask = causal_mask(length)
    assert mask.tolist() == [[j <= i for j in range(length)] for i in range(length)]
    theirs = nn.Transformer.generate_square_subsequent_mask(length)
    assert torch.equal(mask, theirs == 0)


@given(sizes, sizes, seeds)
def test_combined_masks_allow_what_each_allows(batch, length, seed):
    torch.manual_seed(seed)
    a, b = padding_mask(torch.randint(0, 2, (batch, length)), PAD), causal_mask(length)
    both = combine_masks(a, None, b)
    assert both.shape == (batch, 1, length, length)
    assert torch.equal(both, a.expand(both.shape) & b.expand(both.shape))
    assert torch.equal(combine_masks(a), a)


def test_no_mask_at_all_is_none():
    assert combine_masks() is None and combine_masks(None, None) is None


def test_masks_are_made_where_the_tokens_are():
    ids = torch.ones(1, 3, dtype=torch.long, device="meta")
    assert padding_mask(ids, PAD).device.type == "meta"
    assert causal_mask(3, device="meta").device.type == "meta"


def future_moves_the_past(mask, length, j):
    """How far outputs before position j move when the tokens from j on are changed."""
    ids = tokens(2, length)
    changed = ids.clone()
    changed[:, j:] = ids[:, j:] % (VOCAB - 1) + 1  # every one another
    before, after = (LAYER(x, mask) for x in (ids, changed))
    return (before[:, :j] - after[:, :j]).abs().max().item()


def padding_moves_tokens(mask_of, length, extra):
    """How far outputs at real tokens move when more padding follows; mask_of makes a mask from ids."""
    ids = tokens(2, length)
    padded = nn.functional.pad(ids, (0, extra), value=PAD)
    before, after = (LAYER(x, mask_of(x)) for x in (ids, padded))
    return (before - after[:, :length]).abs().max().item()


def batch_moves_sentences(mask_of, lengths):
    """How far the outputs of sentences move when they stand in a batch with longer ones."""
    sentences = [tokens(1, length)[0] for length in lengths]
    batch = nn.utils.rnn.pad_sequence(sentences, batch_first=True, padding_value=PAD)
    together = LAYER(batch, mask_of(batch))
    alone = [LAYER(sentence.unsqueeze(0), mask_of(sentence.unsqueeze(0)))[0] for sentence in sentences]
    pairs = zip(together, alone, strict=True)
    return max((row[: len(one)] - one).abs().max().item() for row, one in pairs)


def padding_and_future(ids):
    return combine_masks(padding_mask(ids, PAD), causal_mask(ids.size(1)))


@given(st.integers(2, 8), st.data(), seeds)
def test_causality(length, data, seed):
    torch.manual_seed(seed)
    assert future_moves_the_past(causal_mask(length), length, data.draw(st.integers(1, length - 1))) < 1e-6


@given(sizes, st.integers(1, 5), seeds)
def test_padding_invariance(length, extra, seed):
    torch.manual_seed(seed)
    assert padding_moves_tokens(lambda ids: padding_mask(ids, PAD), length, extra) < 1e-6


@given(st.lists(sizes, min_size=2, max_size=4), seeds)
def test_batch_invariance(lengths, seed):
    torch.manual_seed(seed)
    assert batch_moves_sentences(padding_and_future, lengths) < 1e-6


BROKEN = {  # the traps of the chapter, as masks for four tokens
    "off by one": torch.ones(4, 4, dtype=torch.bool).tril(diagonal=1),
    "above the diagonal": torch.ones(4, 4, dtype=torch.bool).triu(),
    "none": None,
}


@pytest.mark.parametrize("mask", BROKEN.values(), ids=BROKEN)
def test_the_law_of_causality_catches_broken_masks(mask):
    torch.manual_seed(0)
    assert future_moves_the_past(mask, length=4, j=1) > 1e-3


@pytest.mark.parametrize("mask_of", [lambda ids: padding_mask(ids, 8), lambda ids: None])
def test_the_laws_of_padding_and_batch_catch_padding_that_is_seen(mask_of):
    """The pad id of another vocabulary, or no mask at all."""
    torch.manual_seed(0)
    assert padding_moves_tokens(mask_of, length=4, extra=2) > 1e-3
    assert batch_moves_sentences(mask_of, [2, 5]) > 1e-3
