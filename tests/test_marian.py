"""Our Transformer with the weights of a Marian of the transformers library: equal logits, equal search."""

import pytest
import torch

from helpers.decoding import beam_search, generate
from helpers.published.marian import from_marian
from marian import marian

PAD = 19
BOS, EOS = PAD + 1, 0


@pytest.fixture(scope="module", params=range(2))
def twins(request):
    theirs = marian(vocab_size=20, d_model=16, n_heads=4, d_ff=32, n_layers=2, seed=request.param)
    return from_marian(theirs), theirs


def sources():
    src = torch.randint(1, PAD, (5, 7), generator=torch.Generator().manual_seed(0))
    src[1, 4:] = src[2, 2:] = PAD
    return src


def their_search(model, src, beams, alpha):
    """The transformers library's search, stopped only when no beam can improve, as ours is."""
    return model.generate(
        input_ids=src,
        attention_mask=(src != PAD).long(),
        do_sample=False,
        max_new_tokens=12,
        num_beams=beams,
        return_dict_in_generate=True,
        **({} if beams == 1 else {"num_return_sequences": beams, "output_scores": True}),
        **({} if beams == 1 else {"length_penalty": alpha, "early_stopping": "never"}),
    )


def texts(sequences, rows):
    """Their sequences as lists of ids without the start, the end and padding."""
    found = [[id for id in ids if id not in (EOS, PAD)] for ids in sequences[:, 1:].tolist()]
    beams = len(found) // rows
    return [found[row * beams : (row + 1) * beams] for row in range(rows)]


@torch.no_grad()
def test_logits(twins):
    ours, theirs = twins
    src, tgt = sources(), torch.randint(1, PAD, (5, 6), generator=torch.Generator().manual_seed(1))
    start = torch.full((5, 1), PAD)
    wanted = theirs(
        input_ids=src, attention_mask=(src != PAD).long(), decoder_input_ids=torch.cat([start, tgt], dim=1)
    ).logits
    logits = ours(src, torch.cat([torch.full((5, 1), BOS), tgt], dim=1))
    torch.testing.assert_close(logits[..., :BOS], wanted, rtol=0, atol=1e-5)
    assert (logits[..., BOS] <= -1e8).all()


def test_greedy(twins):
    ours, theirs = twins
    wanted = texts(their_search(theirs, sources(), 1, 0.0).sequences, rows=5)
    assert [[ids] for ids in generate(ours, sources(), BOS, EOS, 12)] == wanted


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, 2.0])
@pytest.mark.parametrize("beams", [2, 3, 4, 5])
def test_beam_search(twins, beams, alpha):
    ours, theirs = twins
    wanted = their_search(theirs, sources(), beams, alpha)
    found = beam_search(
        ours, sources(), BOS, EOS, 12, beams, alpha, penalty=lambda length, alpha: length**alpha
    )
    assert [[ids for _, ids in each] for each in found] == texts(wanted.sequences, rows=5)
    scores = torch.tensor([[score for score, _ in each] for each in found])
    torch.testing.assert_close(scores.flatten(), wanted.sequences_scores, rtol=0, atol=1e-5)
