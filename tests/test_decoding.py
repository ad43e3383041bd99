"""Decoding, chapter 12: the cache changes nothing, the beam finds what a search of everything finds."""

import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoding import (
    FullDecoding,
    IncrementalDecoding,
    Sampler,
    beam_search,
    generate,
    length_penalty,
)
from helpers.transformer import Transformer, TransformerConfig

BOS, EOS = 2, 3
CHANGES = [{}, {"norm_first": True}, {"activation": "gelu", "positions": "learned", "tie_generator": True}]


def random_model(seed=0, vocab_size=11, **changes):
    """A model whose answers differ from place to place and now and then end."""
    torch.manual_seed(seed)
    sizes = {"d_model": 16, "n_heads": 4, "d_ff": 24, "n_layers": 2, "dropout": 0.3, "max_len": 40} | changes
    model = Transformer(TransformerConfig(13, vocab_size, **sizes))
    with torch.no_grad():
        model.generator.linear.weight.mul_(3)
    return model


def random_sources(seed=0, count=5):
    generator = torch.Generator().manual_seed(seed)
    src = torch.randint(1, 13, (count, 7), generator=generator)
    for row, length in enumerate(torch.randint(1, 8, (count,), generator=generator).tolist()):
        src[row, length:] = 0
    return src


@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("seed", range(4))
@torch.no_grad()
def test_cached_logits_are_the_full_ones(seed, changes):
    model, src = random_model(seed, **changes).double(), random_sources(seed)
    full, cached = FullDecoding(model, src, 2), IncrementalDecoding(model, src, 2)
    ids = torch.full((10, 1), BOS)
    for length in range(1, 12):
        ours, theirs = cached(ids), full(ids)
        assert ours.shape == (10, 11) and ours[:, 0].eq(-torch.inf).all()
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-10)
        if length == 6:
            rows = torch.tensor([1, 0, 2, 2, 5, 5, 7, 6, 8, 8])  # within each sentence
            full.reorder(rows), cached.reorder(rows)
            ids = ids[rows]
        ids = torch.cat([ids, torch.randint(1, 11, (10, 1))], dim=1)


@pytest.mark.parametrize("changes", CHANGES)
@torch.no_grad()
def test_a_target_prefix_is_read_in_one_pass_and_prefixes_of_different_lengths_go_together(changes):
    model, src = random_model(**changes).double(), random_sources()
    prefixes = torch.tensor([[BOS, 4, 5, 6], [BOS, 7, 0, 0], [BOS, 0, 0, 0], [BOS, 8, 9, 0], [BOS, 5, 0, 0]])
    together = generate(model, src, prefixes, EOS, 12)
    beams = beam_search(model, src, prefixes, EOS, 12, num_beams=3)
    for row, prefix in enumerate(prefixes):
        one = src[row : row + 1], prefix[prefix != 0].unsqueeze(0)
        for way in (IncrementalDecoding, FullDecoding):
            assert generate(model, *one, EOS, 12, decoding=way)[0] == together[row]
        (ranked,) = beam_search(model, *one, EOS, 12, num_beams=3)
        assert [ids for _, ids in ranked] == [ids for _, ids in beams[row]]


def test_the_coldest_and_narrowest_sampler_is_greedy():
    logits = torch.tensor([[-3e4, 2e4, 1.9e4], [0.0, -50.0, 1e-3]])
    for sampler in (Sampler(temperature=1e-6), Sampler(top_p=1e-6), Sampler(top_k=1)):
        assert sampler(logits).tolist() == sampler(logits.half()).tolist() == [1, 2]


@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("seed", range(4))
def test_cached_translations_are_the_full_ones(seed, changes):
    model, src = random_model(seed, **changes), random_sources(seed)
    for search in (generate, beam_search):
        cached, full = (
            search(model, src, BOS, EOS, 20, decoding=way) for way in (IncrementalDecoding, FullDecoding)
        )
        if search is beam_search:
            cached, full = ([[ids for _, ids in found] for found in every] for every in (cached, full))
        assert cached == full


@pytest.mark.parametrize("seed", range(10))
def test_beam_of_one_is_greedy(seed):
    model, src = random_model(seed), random_sources(seed)
    beams = beam_search(model, src, BOS, EOS, 15, num_beams=1, alpha=0.0)
    assert [found[0][1] for found in beams] == generate(model, src, BOS, EOS, 15)


@torch.no_grad()
def every_translation(model, src, max_len, alpha):
    """[(score, ids)] of all that can be written in max_len tokens, best first, one full pass for each."""
    model.eval()
    words = [id for id in range(model.generator.linear.out_features) if id not in (0, EOS)]
    found = []
    for count in range(max_len + 1):
        for ids in itertools.product(words, repeat=count):
            whole = [BOS, *ids, EOS][: max_len + 1]  # one that reaches max_len has no room for eos
            logits = model(src, torch.tensor([whole[:-1]]))[0]
            logits[:, 0] = -torch.inf
            chances = logits.log_softmax(dim=-1).gather(1, torch.tensor(whole[1:]).unsqueeze(1))
            n = torch.tensor(float(len(whole) - 1))
            found.append(((chances.sum() / length_penalty(n, alpha)).item(), list(ids)))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_wide_beam_is_a_search_of_everything(seed, alpha):
    model, src = random_model(seed, vocab_size=6).double(), random_sources(seed, count=3)
    beams = beam_search(model, src, BOS, EOS, max_len=4, num_beams=400, alpha=alpha)
    for row, found in enumerate(beams):
        wanted = every_translation(model, src[row : row + 1], 4, alpha)
        assert len(found) == len(wanted) == 1 + 4 + 4**2 + 4**3 + 4**4
        assert [ids for _, ids in found] == [ids for _, ids in wanted]
        assert [score for score, _ in found] == pytest.approx([score for score, _ in wanted])


@pytest.mark.parametrize("seed", range(5))
def test_the_beam_finds_at_least_what_greedy_finds_and_its_scores_are_true(seed):
    model, src = random_model(seed).double(), random_sources(seed)
    beams = beam_search(model, src, BOS, EOS, 10, num_beams=5, alpha=0.0)
    alone = beam_search(model, src, BOS, EOS, 10, num_beams=1, alpha=0.0)
    for row, found in enumerate(beams):
        scores = [score for score, _ in found]
        assert scores == sorted(scores, reverse=True) and len({tuple(ids) for _, ids in found}) == 5
        for score, ids in found:
            whole = torch.tensor([[BOS, *ids, EOS][:11]])
            logits = model(src[row : row + 1], whole[:, :-1])[0].index_fill(1, torch.tensor(0), -torch.inf)
            chances = logits.log_softmax(dim=-1).gather(1, whole[0, 1:].unsqueeze(1))
            assert score == pytest.approx(chances.sum().item())
    assert sum(found[0][0] for found in beams) >= sum(found[0][0] for found in alone) - 1e-9


@pytest.mark.parametrize("search", [generate, beam_search])
def test_a_batch_changes_no_translation_and_each_stops_at_its_own_eos(search):
    model, src = random_model(3).double(), random_sources(1, count=12)
    with torch.no_grad():
        model.generator.linear.bias[EOS] += 2.0
    together = search(model, src, BOS, EOS, 20)
    for row in range(12):
        alone = src[row : row + 1, : int(src[row].count_nonzero())]
        one = search(model, alone, BOS, EOS, 20)[0]
        if search is beam_search:
            one, other = ([ids for _, ids in found] for found in (one, together[row]))
        else:
            other = together[row]
        assert one == other
    if search is generate:
        lengths = {len(ids) for ids in together}
        assert len(lengths) > 2 and min(lengths) < 20  # else nothing would have been tested
        assert all(EOS not in ids and 0 not in ids for ids in together)


def test_another_pad_id():
    torch.manual_seed(0)
    model = Transformer(
        TransformerConfig(
            9,
            9,
            d_model=16,
            n_heads=2,
            d_ff=16,
            n_layers=1,
            src_pad_id=7,
            tgt_pad_id=8,
        )
    )
    src = torch.tensor([[1, 2, 3], [4, 5, 7]])
    assert FullDecoding(model, src)(torch.tensor([[BOS], [BOS]]))[:, 8].eq(-torch.inf).all()
    assert generate(model, src, BOS, EOS, 9) == generate(model, src, BOS, EOS, 9, decoding=FullDecoding)


CHANCES = torch.tensor([0.0, 0.5, 0.2, 0.2, 0.06, 0.04])


def shares(count=20000, **arguments):
    drawn = Sampler(**arguments)(CHANCES.log().expand(count, -1))
    return drawn.bincount(minlength=6) / count


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({}, CHANCES),
        ({"temperature": 0.5}, CHANCES**2 / (CHANCES**2).sum()),
        ({"temperature": 2.0}, CHANCES**0.5 / (CHANCES**0.5).sum()),
        ({"top_k": 1}, torch.tensor([0, 1.0, 0, 0, 0, 0])),
        ({"top_k": 3}, torch.tensor([0, 5, 2, 2, 0, 0]) / 9),
        ({"top_p": 0.4}, torch.tensor([0, 1.0, 0, 0, 0, 0])),
        ({"top_p": 0.8}, torch.tensor([0, 5, 2, 2, 0, 0]) / 9),
        ({"top_p": 0.95}, torch.tensor([0, 50, 20, 20, 6, 0]) / 96),
        ({"top_k": 9}, CHANCES),
    ],
)
def test_sampler_draws_with_these_shares(arguments, wanted):
    torch.testing.assert_close(shares(**arguments), wanted, rtol=0, atol=0.015)


def test_sampling_repeats_with_its_seed():
    model, src = random_model(), random_sources()
    one, again, other = (generate(model, src, BOS, EOS, 15, Sampler(seed=seed)) for seed in (0, 0, 1))
    assert one == again != other
    assert generate(model, src, BOS, EOS, 15, Sampler(top_k=1)) == generate(model, src, BOS, EOS, 15)


@given(st.integers(1, 6), st.floats(0.0, 2.0))
def test_length_penalty_is_one_for_a_single_token_and_grows(length, alpha):
    assert length_penalty(1, alpha) == 1.0
    assert length_penalty(length + 1, alpha) >= length_penalty(length, alpha)


@pytest.mark.parametrize(
    ("do", "named"),
    [
        (lambda: generate(random_model(), random_sources(), BOS, EOS, 0), "max_len: 0"),
        (lambda: generate(random_model(), random_sources(), BOS, EOS, 1.5), "max_len: 1.5"),
        (lambda: beam_search(random_model(), random_sources(), BOS, EOS, 1.5), "max_len: 1.5"),
        (
            lambda: generate(random_model(), random_sources(), BOS, EOS, 60),
            "max_len: 60 tokens; after the start the model handles 1 to 40",
        ),
        (lambda: generate(random_model(), torch.tensor([[99]]), BOS, EOS, 5), "src"),
        *(
            (
                lambda n=n: beam_search(random_model(), random_sources(), BOS, EOS, 5, num_beams=n),
                f"num_beams: {n}",
            )
            for n in (0, 1.5, True, math.nan)
        ),
        *(
            (
                lambda alpha=alpha: beam_search(random_model(), random_sources(), BOS, EOS, 5, alpha=alpha),
                "alpha",
            )
            for alpha in (math.nan, math.inf, 400.0, -0.1, torch.ones(2))
        ),
        (
            lambda: generate(random_model(), random_sources(), 0, EOS, 5),
            "start: a row begins with nothing but padding, 0",
        ),
        (lambda: generate(random_model(), random_sources(), BOS, 0, 5), "eos_id: 0 is padding"),
        (lambda: generate(random_model(), random_sources(), BOS, 11, 5), "eos_id: 11 is not an id"),
        (lambda: Sampler(temperature=0), "temperature"),
        (lambda: Sampler(temperature=math.nan), "temperature"),
        (lambda: Sampler(temperature=1e-320), "temperature: 1e-320"),
        (lambda: Sampler(top_p=1e-320), "top_p: 1e-320"),
        (lambda: Sampler(top_k=1.5), "top_k: 1.5"),
        (lambda: Sampler(seed=1.5), "seed: 1.5"),
        (lambda: Sampler(top_k=0), "top_k"),
        (lambda: Sampler(top_p=0.0), "top_p"),
        (lambda: Sampler(top_p=1.5), "top_p"),
    ],
)
def test_bad_input(do, named):
    with pytest.raises(ValueError, match=f"^{named}"):
        do()
