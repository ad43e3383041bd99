"""The decoder alone: what it may know, and how it continues."""

import pytest
import torch

from helpers.decoding import FullDecoding, IncrementalDecoding, Sampler, beam_search, generate, greedy
from helpers.language_model import LanguageModel, LanguageModelConfig, next_token_loss

PAD, BOS, EOS = 0, 2, 3


def small(seed=0, **options):
    torch.manual_seed(seed)
    options = {"dropout": 0.0, "max_len": 24, **options}
    return LanguageModel(
        LanguageModelConfig(20, d_model=16, n_heads=4, d_ff=32, n_layers=2, **options)
    ).eval()


def random_ids(*shape, seed=0):
    return torch.randint(4, 20, shape, generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
def test_a_token_is_seen_from_its_own_place_on_and_padding_from_nowhere(norm_first, positions):
    model, ids = small(norm_first=norm_first, positions=positions), random_ids(1, 7)
    changed = ids.repeat(7, 1)
    changed.diagonal().copy_(4 + (ids[0] - 3) % 16)  # row i: another token at place i
    moved = (model(changed) - model(ids)).abs().amax(dim=-1)
    assert torch.equal(moved > 1e-5, torch.ones(7, 7, dtype=torch.bool).triu())
    padded = torch.cat([ids, torch.full((1, 3), PAD)], dim=1)
    torch.testing.assert_close(model(padded)[:, :7], model(ids), rtol=0, atol=1e-6)


def test_the_table_is_the_generators():
    model = small()
    assert model.generator.linear.weight is model.embed.tokens.weight
    assert small(tie_generator=False).generator.linear.weight is not model.embed.tokens.weight


def test_a_text_beyond_max_len_is_named():
    with pytest.raises(ValueError, match="ids: 25 tokens, but max_len is 24"):
        small()(random_ids(1, 25))
    with pytest.raises(ValueError, match="pad_id: 20"):
        small(pad_id=20)


@torch.no_grad()
def test_the_loss_leaves_padding_out_and_is_the_mean_of_the_rest():
    model, ids = small(), random_ids(3, 9)
    inputs, labels = ids[:, :-1], ids[:, 1:].clone()
    labels[0, 3:] = labels[2, :4] = PAD
    log_probs = model(inputs).log_softmax(-1)
    terms = [
        -log_probs[row, place, labels[row, place]].item()
        for row in range(3)
        for place in range(8)
        if labels[row, place] != PAD
    ]
    assert len(terms) == 15
    assert next_token_loss(model, inputs, labels).item() == pytest.approx(sum(terms) / 15, abs=1e-5)


@pytest.mark.parametrize("prompt_length", [1, 6])
@pytest.mark.parametrize("temperature", [None, 1.0])
def test_the_cache_changes_nothing(prompt_length, temperature):
    model, prompt = small(), random_ids(4, prompt_length)
    cached, full = (
        generate(
            model,
            None,
            prompt,
            EOS,
            12,
            choose=greedy if temperature is None else Sampler(temperature),
            decoding=way,
        )
        for way in (IncrementalDecoding, FullDecoding)
    )
    assert cached == full
    assert any(len(ids) > 2 for ids in cached)


def uneven_prompts():
    """Five prompts of 1 to 6 tokens, each with another end, filled up on the right."""
    prompts = random_ids(5, 6)
    for row, length in enumerate((3, 6, 1, 5, 2)):
        prompts[row, length:] = PAD
    return prompts


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
@pytest.mark.parametrize("norm_first", [True, False])
def test_prompts_of_different_lengths_and_ends_continue_as_each_alone(positions, norm_first):
    model, prompts = small(positions=positions, norm_first=norm_first).double(), uneven_prompts()
    together, beams = generate(model, None, prompts, EOS, 12), beam_search(model, None, prompts, EOS, 12, 3)
    for row, prompt in enumerate(prompts):
        alone = prompt[prompt != PAD].unsqueeze(0)
        assert generate(model, None, alone, EOS, 12)[0] == together[row]
        (ranked,) = beam_search(model, None, alone, EOS, 12, 3)
        assert [ids for _, ids in ranked] == [ids for _, ids in beams[row]]
        assert [score for score, _ in ranked] == pytest.approx([score for score, _ in beams[row]])
    assert len({tuple(ids) for ids in together}) == 5


def test_without_a_cache_tokens_after_padding_are_refused():
    with pytest.raises(ValueError, match="ids: tokens follow padding; use IncrementalDecoding"):
        generate(small(), None, uneven_prompts(), EOS, 12, decoding=FullDecoding)


@pytest.mark.parametrize("prompt_length", [1, 6])
def test_beam_search_needs_no_change(prompt_length):
    model, prompt = small(), random_ids(4, prompt_length)
    cached, full = (
        beam_search(model, None, prompt, EOS, 12, 3, decoding=way)
        for way in (IncrementalDecoding, FullDecoding)
    )
    assert [[ids for _, ids in ranked] for ranked in cached] == [
        [ids for _, ids in ranked] for ranked in full
    ]
    assert [len(ranked) for ranked in cached] == [3, 3, 3, 3]


def test_a_prompt_is_read_in_one_pass_and_every_token_after_it_in_another():
    model, passed = small(), []
    model.embed.register_forward_hook(lambda embed, inputs, x: passed.append(x.size(1)))
    generate(model, None, random_ids(2, 9), 19, 5)
    assert passed[0] == 9 and set(passed[1:]) == {1}


def test_nothing_keeps_a_graph():
    model = small()
    way = IncrementalDecoding(model)
    assert not way(random_ids(2, 3)).requires_grad
    assert not any(x.requires_grad for kept in way.cache.tokens.values() for x in kept)


def test_a_cache_is_given_what_is_new():
    way = IncrementalDecoding(small())
    way(random_ids(2, 3))
    with pytest.raises(ValueError, match="ids: 3 tokens, but 3 are in the cache; pass more"):
        way(random_ids(2, 3))
