"""Masks, chapter 06: what they hide, and that attention under them does not leak."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.attention import MultiHeadAttention
from helpers.embedding import SinusoidalPositionalEncoding, TokenEmbedding
from helpers.masking import causal_mask, combine_masks, padding_mask

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


@given(st.integers(2, 8), seeds)
def test_causality(length, seed):
    """A change of token j moves no output before j."""
    torch.manual_seed(seed)
    ids = tokens(2, length)
    j = torch.randint(1, length, ()).item()
    changed = ids.clone()
    changed[:, j:] = tokens(2, length - j)
    before, after = (LAYER(x, causal_mask(length)) for x in (ids, changed))
    torch.testing.assert_close(before[:, :j], after[:, :j], atol=1e-6, rtol=0)


@given(sizes, st.integers(1, 5), seeds)
def test_padding_invariance(length, extra, seed):
    """More padding moves no output at a real token."""
    torch.manual_seed(seed)
    ids = tokens(2, length)
    padded = nn.functional.pad(ids, (0, extra), value=PAD)
    before, after = (LAYER(x, padding_mask(x, PAD)) for x in (ids, padded))
    torch.testing.assert_close(before, after[:, :length], atol=1e-6, rtol=0)


@given(st.lists(sizes, min_size=2, max_size=4), seeds)
def test_batch_invariance(lengths, seed):
    """A sentence alone = the sentence in a batch with longer ones."""
    torch.manual_seed(seed)
    sentences = [tokens(1, length)[0] for length in lengths]
    batch = nn.utils.rnn.pad_sequence(sentences, batch_first=True, padding_value=PAD)
    together = LAYER(batch, combine_masks(padding_mask(batch, PAD), causal_mask(batch.size(1))))
    for row, sentence in enumerate(sentences):
        alone = LAYER(sentence.unsqueeze(0), causal_mask(len(sentence)))[0]
        torch.testing.assert_close(together[row, : len(sentence)], alone, atol=1e-6, rtol=0)


BROKEN = {  # the traps of the chapter, as masks; each must be caught by a law above
    "off by one": torch.ones(4, 4, dtype=torch.bool).tril(diagonal=1),
    "above the diagonal": torch.ones(4, 4, dtype=torch.bool).triu(),
    "none": None,
}


@pytest.mark.parametrize("mask", BROKEN.values(), ids=BROKEN)
def test_the_law_of_causality_catches_broken_masks(mask):
    torch.manual_seed(0)
    ids = tokens(1, 4)
    changed = ids.clone()
    changed[0, 1:] = ids[0, 1:] % (VOCAB - 1) + 1
    moved = (LAYER(ids, mask) - LAYER(changed, mask))[:, 0].abs().max().item()
    assert moved > 1e-3


def test_the_law_of_padding_catches_the_pad_id_of_another_vocabulary():
    torch.manual_seed(0)
    ids = tokens(1, 4)
    padded = nn.functional.pad(ids, (0, 2), value=PAD)
    wrong = padding_mask(padded, pad_id=8)
    assert (LAYER(padded, wrong)[:, :4] - LAYER(ids, None)).abs().max().item() > 1e-3
