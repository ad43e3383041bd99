"""Laws of the whole model, over random shapes, masks and seeds; and models that break them, caught."""

import copy
import io

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import helpers.transformer
from helpers.encoder import Encoder
from helpers.transformer import Transformer

PAD, VOCAB = 0, 9
seeds = st.integers(0, 10**6)
lengths = st.integers(1, 6)
kinds = st.fixed_dictionaries(
    {
        "norm_first": st.booleans(),
        "activation": st.sampled_from(["relu", "gelu"]),
        "positions": st.sampled_from(["sinusoidal", "learned"]),
        "n_heads": st.sampled_from([1, 2, 4]),
        "n_layers": st.integers(1, 2),
        "tie_embeddings": st.booleans(),
        "tie_generator": st.booleans(),
    }
)


def model_of(kind, seed):
    torch.manual_seed(seed)
    return Transformer(VOCAB, VOCAB, d_model=8, d_ff=16, dropout=0.1, max_len=20, **kind).eval()


def tokens(batch, length):
    return torch.randint(1, VOCAB, (batch, length))


def close(a, b):
    return torch.allclose(a, b, atol=1e-5, rtol=1e-4)


def causal(model, length):
    """A change of the target from j on moves no logit before j."""
    src, tgt = tokens(2, 4), tokens(2, length)
    j = torch.randint(1, length, ()).item()
    changed = tgt.clone()
    changed[:, j:] = tgt[:, j:] % (VOCAB - 1) + 1
    return close(model(src, tgt)[:, :j], model(src, changed)[:, :j])


def padding_invariant(model, length, extra):
    """More padding, on either side, moves no logit at a real token."""
    src, tgt = tokens(2, 4), tokens(2, length)
    padded = [nn.functional.pad(ids, (0, extra), value=PAD) for ids in (src, tgt)]
    return close(model(src, tgt), model(*padded)[:, :length])


def batch_invariant(model, sizes):
    """A sentence alone = the sentence in a batch with longer ones."""
    pairs = [(tokens(1, n)[0], tokens(1, m)[0]) for n, m in sizes]
    src, tgt = (nn.utils.rnn.pad_sequence(side, True, PAD) for side in zip(*pairs, strict=True))
    together = model(src, tgt)
    return all(
        close(together[i : i + 1, : len(b)], model(a[None], b[None])) for i, (a, b) in enumerate(pairs)
    )


@given(kinds, st.integers(2, 6), seeds)
def test_causality(kind, length, seed):
    assert causal(model_of(kind, seed), length)


@given(kinds, lengths, st.integers(1, 5), seeds)
def test_padding_invariance(kind, length, extra, seed):
    assert padding_invariant(model_of(kind, seed), length, extra)


@given(kinds, st.lists(st.tuples(lengths, lengths), min_size=2, max_size=4), seeds)
def test_batch_invariance(kind, sizes, seed):
    assert batch_invariant(model_of(kind, seed), sizes)


@given(st.booleans(), st.integers(2, 8), seeds)
def test_without_positions_an_encoder_follows_a_permutation(norm_first, length, seed):
    torch.manual_seed(seed)
    encoder = Encoder(8, 2, 16, n_layers=2, norm_first=norm_first)
    x, order = torch.randn(2, length, 8), torch.randperm(length)
    assert close(encoder(x)[:, order], encoder(x[:, order]))


@given(kinds, lengths, lengths, seeds)
def test_gradients_reach_every_parameter(kind, t_src, t_tgt, seed):
    model = model_of(kind, seed).train()
    model(tokens(2, t_src + 1), tokens(2, t_tgt + 1)).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().sum() > 0, name


@given(kinds, seeds)
def test_state_dict_round_trip(kind, seed):
    model, file = model_of(kind, seed), io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    other = model_of(kind, seed + 1)
    other.load_state_dict(torch.load(file, weights_only=True))
    src, tgt = tokens(2, 5), tokens(2, 4)
    assert torch.equal(model(src, tgt), other(src, tgt))


@given(kinds, seeds)
def test_eval_is_deterministic_and_training_is_not(kind, seed):
    model = model_of(kind, seed)
    src, tgt = tokens(2, 5), tokens(2, 4)
    assert torch.equal(model(src, tgt), model(src, tgt))
    model.train()
    assert not torch.equal(model(src, tgt), model(src, tgt))


@given(kinds, lengths, lengths, seeds)
def test_forward_is_encode_decode_generate(kind, t_src, t_tgt, seed):
    model = model_of(kind, seed)
    src, tgt = tokens(2, t_src), tokens(2, t_tgt)
    memory, mask = model.encode(src)
    logits = model.generator(model.decode(tgt, memory, mask))
    assert (
        mask.shape == (2, 1, 1, t_src) and memory.shape == (2, t_src, 8) and logits.shape == (2, t_tgt, VOCAB)
    )
    assert torch.equal(logits, model(src, tgt))


def all_true(ids, pad_id):
    return torch.ones(ids.size(0), 1, 1, ids.size(1), dtype=torch.bool)


def off_by_one(length, device=None):
    return torch.ones(length, length, dtype=torch.bool).tril(diagonal=1)


KIND = {"n_heads": 2, "n_layers": 2}


def test_the_law_of_causality_catches_a_mask_that_is_off_by_one(monkeypatch):
    model = model_of(KIND, 0)
    monkeypatch.setattr(helpers.transformer, "causal_mask", off_by_one)
    assert not all(causal(model, 5) for _ in range(5))


@pytest.mark.parametrize(
    "law", [lambda m: padding_invariant(m, 3, 2), lambda m: batch_invariant(m, [(2, 3), (4, 5)])]
)
def test_the_laws_of_padding_and_batch_catch_a_missing_mask(law, monkeypatch):
    model = model_of(KIND, 0)
    assert law(model)
    monkeypatch.setattr(helpers.transformer, "padding_mask", all_true)
    assert not law(model)


def test_the_law_of_gradients_catches_a_part_that_is_not_used():
    model = model_of(KIND, 0)
    model.spare = copy.deepcopy(model.generator)
    model(tokens(2, 3), tokens(2, 3)).sum().backward()
    assert [name for name, p in model.named_parameters() if p.grad is None] == [
        "spare.linear.weight",
        "spare.linear.bias",
    ]
