"""Laws of the whole model, over random shapes and seeds; and models of three makers that break them."""

import collections
import copy
import functools
import io
import types

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.encoder import Encoder, StackConfig
from helpers.laws import (
    batch_invariance,
    causality,
    disjoint,
    distinct_weights,
    fresh_gradients,
    gradients,
    order,
    overfits,
    padding_invariance,
    parity,
    registration,
    repeatable,
)
from helpers.lesson import clinic
from helpers.lesson.patients import PATIENTS, patient
from helpers.transformer import Transformer, TransformerConfig
from planted_faults import FAULTS, MAKERS

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
    return Transformer(
        TransformerConfig(VOCAB, VOCAB, d_model=8, d_ff=16, dropout=0.1, max_len=20, **kind)
    ).eval()


def tokens(batch, length):
    return torch.randint(1, VOCAB, (batch, length))


def close(a, b):
    return torch.allclose(a, b, atol=1e-5, rtol=1e-4)


def pairs(sizes):
    """Sentences of these lengths, (source, target), filled up with padding."""
    rows = [(tokens(1, n)[0], tokens(1, m)[0]) for n, m in sizes]
    return [nn.utils.rnn.pad_sequence(side, True, PAD) for side in zip(*rows, strict=True)]


@given(kinds, st.integers(2, 6), seeds)
def test_causality(kind, length, seed):
    assert causality(model_of(kind, seed), tokens(2, 4), tokens(2, length))


@given(kinds, st.lists(st.tuples(lengths, lengths), min_size=2, max_size=4), seeds)
def test_padding_and_batch_invariance(kind, sizes, seed):
    model, (src, tgt) = model_of(kind, seed), pairs(sizes)
    assert padding_invariance(model, src, tgt, PAD, PAD)
    assert batch_invariance(model, src, tgt)
    for row, (n, m) in enumerate(sizes):  # a sentence alone = the sentence beside longer ones
        alone = model(src[row : row + 1, :n], tgt[row : row + 1, :m])
        assert close(model(src, tgt)[row : row + 1, :m], alone)


@given(st.booleans(), st.integers(2, 8), seeds)
def test_without_positions_an_encoder_follows_a_permutation(norm_first, length, seed):
    torch.manual_seed(seed)
    encoder = Encoder(StackConfig(d_model=8, n_heads=2, d_ff=16, n_layers=2, norm_first=norm_first))
    x, order = torch.randn(2, length, 8), torch.randperm(length)
    assert close(encoder(x)[:, order], encoder(x[:, order]))


@given(kinds, lengths, lengths, seeds)
def test_gradients_reach_every_parameter(kind, t_src, t_tgt, seed):
    model = model_of(kind, seed).train()
    model(tokens(2, t_src + 1), tokens(2, t_tgt + 1)).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all(), name
        if not name.endswith("w_k.bias"):  # shifts all scores of a query alike: 0 but for rounding
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


SRC = torch.tensor([[3, 4, 5, 6], [5, 3, 7, 8], [4, 7, PAD, PAD]])
TGT = torch.tensor([[1, 4, 6, 2, PAD], [1, 5, 3, 7, 2], [1, 8, 5, 2, PAD]])


def built(build, maker):
    torch.manual_seed(0)
    return build(MAKERS[maker]).eval()


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")  # by nn.Transformer, of itself
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("fault", FAULTS)
def test_laws_hold_for_every_maker_and_catch_what_is_planted(maker, fault):
    build, breaks = FAULTS[fault]
    model, twin = built(build, maker), built(lambda make: make(), maker)
    verdicts = [
        causality(model, SRC, TGT),
        padding_invariance(model, SRC, TGT, PAD, PAD),
        batch_invariance(model, SRC, TGT),
        order(model, SRC, TGT),
        parity(model, twin, SRC, TGT),
        gradients(model, SRC, TGT),
        registration(model),
        distinct_weights(model),
        overfits(model, SRC, TGT, PAD, steps=40, lr=0.02),
    ]
    assert {verdict.law for verdict in verdicts if not verdict} == breaks


def test_a_witness_is_the_first_and_says_by_how_much():
    torch.manual_seed(0)
    fixed, looks_ahead = torch.randn(1, 5, VOCAB), torch.zeros(1, 5, VOCAB)

    def model(src, tgt):
        looks_ahead[0, 2, 7] = 0.5 * (tgt[0, 4:] == 3).sum()
        return (fixed + looks_ahead)[:, : tgt.size(1)]

    verdict = causality(model, tokens(1, 3), torch.tensor([[1, 4, 6, 5, 2]]))
    assert str(verdict) == (
        "causality: BROKEN, position 2 of sentence 0 moves by ≈ 0.5 when token 4 of the target changes"
    )
    assert not verdict


def test_what_is_no_model_is_refused():
    with pytest.raises(ValueError, match=r"model: it returns tuple; wrap it so that it returns logits"):
        causality(lambda src, tgt: (src, tgt), SRC, TGT)
    with pytest.raises(ValueError, match=r"model: it returns \(3, 9\); wrap it"):
        causality(lambda src, tgt: torch.zeros(3, VOCAB), SRC, TGT)


def test_nothing_tried_is_no_verdict():
    src, tgt = tokens(2, 4), tokens(2, 3)
    with pytest.raises(ValueError, match="^tgt: 1 token; causality needs a later one: give at least 2"):
        causality(nn.Identity(), src, tgt[:, :1])
    with pytest.raises(ValueError, match="^src: 1 sentence; batch invariance needs another: give at least 2"):
        batch_invariance(nn.Identity(), src[:1], tgt[:1])
    for ids in (src[:, :1], torch.full((2, 3), 5)):
        with pytest.raises(ValueError, match="^src: no sentence begins with two tokens that differ; order"):
            order(nn.Identity(), ids, tgt)


@pytest.mark.parametrize("value", [0.0, torch.nan, torch.inf])
def test_gradients_are_finite_and_not_zero(value):
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.scale = nn.Embedding(VOCAB, VOCAB), nn.Parameter(torch.ones(1))

        def forward(self, src, tgt):
            return self.table(tgt) + self.scale * torch.tensor([value, *[0.0] * (VOCAB - 1)])

    assert str(gradients(Scaled(), SRC, TGT)) == (
        "gradients: BROKEN, parameter tensors without a finite gradient: 1; the first: scale"
    )


def with_a_buffer():
    module = nn.Module()
    module.register_buffer("table", torch.ones(1), persistent=False)
    return module


def endless():
    found = [torch.ones(1)]
    found.append(found)
    return found


def closed_over():
    tensor = torch.ones(1)
    return lambda: tensor


def with_a_default():
    tensor = torch.ones(1)
    return lambda x=tensor: x


HELD = {  # what an attribute named "held" is → the name of the tensor that stays behind
    "plain tensor": (lambda: torch.ones(1), "held"),
    "in a list": (lambda: [torch.ones(1)], "held[0]"),
    "in a list that holds itself": (endless, "held[0]"),
    "in a dict": (lambda: {"a": (3, torch.ones(1))}, "held['a'][1]"),
    "key of a dict": (lambda: {torch.ones(1): "a"}, "held"),
    "in a set": (lambda: {torch.ones(1)}, "held"),
    "in a deque": (lambda: collections.deque([torch.ones(1)]), "held"),
    "of a namespace": (lambda: types.SimpleNamespace(a=torch.ones(1)), "held.a"),
    "in a partial": (lambda: functools.partial(torch.add, torch.ones(1)), "held[0]"),
    "in a closure": (closed_over, "held[0]"),
    "a default of a function": (with_a_default, "held[0]"),
    "in an unknown module": (lambda: [nn.Linear(2, 2, bias=False)], "held[0].weight"),
    "buffer of an unknown module": (lambda: [with_a_buffer()], "held[0]._buffers['table']"),
}


@pytest.mark.parametrize("where", HELD)
def test_a_tensor_that_stays_behind_is_named(where):
    make, name = HELD[where]
    inner = nn.Linear(2, 2)
    inner.held = make()
    assert str(registration(nn.Sequential(nn.Linear(2, 2), inner))) == (
        f"registration: BROKEN, tensors that do not move with the model: 1; the first: 1.{name}"
    )


def test_an_attribute_of_the_class_and_a_buffer_held_twice_stay_behind():
    class Holds(nn.Module):
        table = torch.ones(1)

        def __init__(self):
            super().__init__()
            self.register_buffer("kept", torch.ones(1))
            self.again = [self.kept]  # `to` replaces the buffer, and not this

    model = Holds()
    assert registration(model).witness.endswith("model: 2; the first: table")
    del Holds.table
    assert registration(model).witness.endswith("model: 1; the first: again[0]")


def test_what_moves_is_registered_wherever_else_it_is_held():
    model = nn.Sequential(nn.Linear(2, 2), with_a_buffer(), nn.LSTM(2, 2))
    model.weights, model.first, model.itself = list(model.parameters()), [model[0]], lambda: model
    model.register_forward_hook(lambda *_: model.weights)
    model[0](torch.ones(1, 2)).sum().backward()
    assert registration(model)


def test_matrices_of_zeros_are_no_clones():
    model = nn.Sequential(nn.Linear(3, 2), nn.Linear(3, 2), nn.Linear(3, 2))
    for layer in model[:2]:
        nn.init.zeros_(layer.weight)
    assert distinct_weights(model)
    nn.init.ones_(model[1].weight)
    nn.init.ones_(model[2].weight)
    assert not distinct_weights(model)


def test_logits_that_are_not_a_number_move():
    verdict = parity(
        lambda src, tgt: torch.zeros(3, 5, 9), lambda src, tgt: torch.full((3, 5, 9), torch.nan), SRC, TGT
    )
    assert str(verdict).endswith("position 0 of sentence 0 moves by ≈ nan when the twin takes over")


def test_overfits_leaves_the_model_as_it_was():
    model = model_of({"n_heads": 2, "n_layers": 1}, 0)
    before = copy.deepcopy(model.state_dict())
    assert "loss goes from" in overfits(model, SRC, TGT, PAD, steps=3).witness
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())


def test_overfits_counts_right_tokens_where_only_the_loss_stays_high():
    class Probabilities(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(VOCAB, VOCAB)  # a token → the next, all distinct in the sentence below

        def forward(self, src, tgt):
            return self.table(tgt).softmax(dim=-1)

    torch.manual_seed(0)
    verdict = overfits(Probabilities(), SRC[1:2], TGT[1:2], PAD, steps=60, lr=0.1)
    assert not verdict
    assert verdict.witness.endswith("in 60 steps, ≈ 1.00 of the tokens right")


def test_dropout_that_is_still_on_is_not_repeatable():
    model = model_of({"n_heads": 2, "n_layers": 1}, 0)
    assert repeatable(model, SRC, TGT)
    assert repeatable(model.train(), SRC, TGT).witness.endswith("when the same input comes again")


def a_step(model, optimizer, before=False, after=False, clip=False):
    """A step of a loop on one batch, which empties the gradients before it, after it, or never."""

    def step():
        if before:
            optimizer.zero_grad()
        model(SRC, TGT).square().sum().backward()
        if clip:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if after:
            optimizer.zero_grad()

    return step


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("optimizer", [torch.optim.Adam, torch.optim.SGD])
def test_gradients_that_add_up_are_found(optimizer, clip):
    model = model_of({"n_heads": 2, "n_layers": 1}, 0)
    before, optimizer = copy.deepcopy(model.state_dict()), optimizer(model.parameters(), lr=0.1)
    assert fresh_gradients(model, a_step(model, optimizer, before=True, clip=clip))
    assert not fresh_gradients(model, a_step(model, optimizer, clip=clip))
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    with pytest.raises(ValueError, match="^step: it leaves no gradients; call zero_grad before backward"):
        fresh_gradients(model, a_step(model, optimizer, after=True))


def test_a_gradient_that_is_not_a_number_is_not_fresh():
    model = nn.Linear(2, 1)
    step = lambda: model(torch.full((1, 2), torch.nan)).sum().backward()  # noqa: E731
    assert not fresh_gradients(model, step)


def test_pairs_of_the_test_that_are_in_training_are_counted():
    pairs = [("가", "a"), ("나", "b"), ("다", "c")]
    assert disjoint(pairs[:2], pairs[2:])
    assert disjoint(pairs[:2], pairs[1:]).witness == (
        "test pairs that are also in training: 1; the first: ('나', 'b')"
    )
    for split in (([], pairs), (pairs, [])):
        with pytest.raises(ValueError, match="it is empty; disjoint needs pairs on both sides"):
            disjoint(*split)


BREAKS = {  # of the patients of chapter 14: what is tried without a twin
    "future visible": {"causality"},
    "mask inverted": {"causality", "padding invariance", "order"},
    "softmax over heads": {"causality", "padding invariance"},
    "heads not transposed": {"causality", "padding invariance"},
    "keys reshaped": {"causality", "padding invariance"},
    "norm over the batch": {"batch invariance", "order"},
    "no positions": {"order"},
    "padding visible": {"padding invariance"},
    "W_Q three times": {"gradients"},
    "no final norm": {"gradients"},
    "cloned layers": {"distinct weights"},
}


@pytest.mark.parametrize("fault", ["healthy", *(english for _, english in PATIENTS)])
def test_what_each_patient_breaks(fault):
    world = clinic.small_world()
    model, src, tgt = patient(fault, seed=0).eval(), world.src[:4], world.tgt[:4]
    verdicts = [
        causality(model, src, tgt),
        padding_invariance(model, src, tgt, clinic.PAD, clinic.PAD),
        batch_invariance(model, src, tgt),
        order(model, src, tgt),
        gradients(model, src, tgt),
        registration(model),
        distinct_weights(model),
    ]
    assert {verdict.law for verdict in verdicts if not verdict} == BREAKS.get(fault, set())
