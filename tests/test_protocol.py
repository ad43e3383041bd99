"""A model that only has a forward trains, decodes and is saved as ours; what is missing is said at once."""

import re

import pytest
import torch
from torch import nn

from helpers import laws
from helpers.decoding import FullDecoding, IncrementalDecoding, beam_search, generate
from helpers.engine.checkpoints import load_checkpoint, save_checkpoint
from helpers.engine.protocol import in_parts
from helpers.language_model import LanguageModel, LanguageModelConfig
from helpers.lesson.translator import open_translator
from helpers.training import Trainer, pad_batch, token_loss
from helpers.transformer import Transformer, TransformerConfig
from small_training import DATA, ENGLISH, KOREAN, small_trainer, weights

WAYS = IncrementalDecoding, FullDecoding
BOS, EOS = 2, 3


class Blank(nn.Module):
    """As one would write it in a blank file: other names, einsum, one matrix for q, k and v, no parts."""

    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.dim, self.heads = dim, heads
        self.src_table, self.tgt_table = nn.Embedding(len(KOREAN), dim), nn.Embedding(len(ENGLISH), dim)
        self.places = nn.Parameter(torch.randn(64, dim) * 0.1)
        self.w_qkv = nn.ParameterList(torch.randn(3, dim, dim) * dim**-0.5 for _ in range(3))
        self.out = nn.Linear(dim, len(ENGLISH))

    def attend(self, which, x, y, allowed):
        q, k, v = (
            torch.einsum("btd,de->bte", z, w).unflatten(-1, (self.heads, -1))
            for z, w in zip((x, y, y), self.w_qkv[which], strict=True)
        )
        scores = torch.einsum("bqhe,bkhe->bhqk", q, k) / (self.dim // self.heads) ** 0.5
        weights = scores.masked_fill(~allowed, -1e9).softmax(dim=-1)
        return x + torch.einsum("bhqk,bkhe->bqhe", weights, v).flatten(2)

    def forward(self, question, answer):
        length, seen = answer.size(1), (question != 0)[:, None, None]
        x = self.src_table(question) + self.places[: question.size(1)]
        y = self.tgt_table(answer) + self.places[:length]
        x = self.attend(0, x, x, seen)
        y = self.attend(1, y, y, torch.ones(length, length, dtype=torch.bool).tril())
        return self.out(self.attend(2, y, x, seen))


class Called(nn.Module):
    """One of our models, of which no part can be seen."""

    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden

    def forward(self, *inputs):
        return self.hidden(*inputs)


def ours(seed=0):
    """A model whose answers differ from place to place and now and then end."""
    torch.manual_seed(seed)
    sizes = {"d_model": 16, "n_heads": 4, "d_ff": 24, "n_layers": 1, "dropout": 0.2, "max_len": 40}
    model = Transformer(TransformerConfig(13, 11, **sizes))
    with torch.no_grad():
        model.generator.linear.weight.mul_(3)
    return model.double()


SRC = torch.tensor([[5, 3, 9, 4], [7, 2, 0, 0], [1, 1, 12, 0]])


def blank_trainer():
    torch.manual_seed(0)
    settings = {"batch_size": 30, "warmup_steps": 5, "lr_scale": 0.2, "label_smoothing": 0.0}
    return Trainer(Blank(), DATA, **settings, config={"dim": 16})


def test_a_model_from_a_blank_file_learns_and_a_resumed_one_ends_with_the_same_weights(tmp_path):
    path, unbroken, resumed = tmp_path / "blank.pt", blank_trainer(), blank_trainer()
    names = list(unbroken.model.state_dict())
    unbroken.run_epoch(path)
    load_checkpoint(resumed, path)
    for _ in range(4):
        unbroken.run_epoch()
        resumed.run_epoch()
    assert torch.equal(weights(unbroken), weights(resumed)) and unbroken.history == resumed.history
    assert unbroken.history[-1][0] < 0.6 * unbroken.history[0][0]
    save_checkpoint(resumed, path)
    assert list(torch.load(path)["model"]) == names == list(Blank().state_dict())
    with pytest.raises(
        ValueError, match="blank.pt has no model with tokenizers in it; pass translator_config"
    ):
        open_translator(path)


def test_trained_without_its_parts_a_model_is_trained_as_with_them():
    whole, other = small_trainer(dropout=0.0), small_trainer(dropout=0.0)
    model = Called(other.model)
    model.d_model = whole.model.d_model
    called = Trainer(model, DATA, batch_size=16, warmup_steps=10)
    for trainer in (whole, called):
        trainer.run_epoch()
    for step, (wanted, found) in enumerate(zip(whole.history, called.history, strict=True)):
        assert wanted == pytest.approx(found, abs=1e-4 if step else 1e-6)


def test_the_call_that_tries_a_model_takes_no_random_number_of_others():
    model = Called(small_trainer().model)  # with dropout
    before = torch.get_rng_state()
    Trainer(model, DATA, batch_size=16, warmup_steps=10)
    assert torch.equal(before, torch.get_rng_state()) and model.training


def test_the_learning_rate_is_that_of_the_width_of_the_embedding():
    assert blank_trainer().lr_factor(1) == pytest.approx(16**-0.5 * 5**-1.5)
    assert in_parts(lambda src, tgt: None, SRC).d_model == 512


def test_the_loss_of_a_called_model_is_that_of_its_parts():
    model = ours().eval()
    pairs = [(row, torch.tensor([BOS, 4, 5 + i, *[6] * i, EOS])) for i, row in enumerate(SRC)]
    src, tgt = pad_batch(pairs, model, "cpu")
    for wanted, found in zip(token_loss(model, src, tgt), token_loss(Called(model), src, tgt), strict=True):
        torch.testing.assert_close(wanted, found)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(3))
def test_called_only_it_translates_token_for_token_the_same(seed, way):
    model = ours(seed)
    called = Called(model)
    assert generate(called, SRC, BOS, EOS, 12, decoding=way) == generate(model, SRC, BOS, EOS, 12)
    assert not called.training and not model.training
    found, wanted = (beam_search(m, SRC, BOS, EOS, 12, num_beams=3, decoding=way) for m in (called, model))
    assert [[ids for _, ids in ranked] for ranked in found] == [[ids for _, ids in r] for r in wanted]
    function = generate(lambda src, tgt: model(src, tgt), SRC, BOS, EOS, 12, decoding=way)
    assert function == generate(model, SRC, BOS, EOS, 12)


def test_targets_that_begin_with_prefixes_of_different_lengths_go_together():
    model = ours()
    start = torch.tensor([[BOS, 4, 5], [BOS, 0, 0], [BOS, 7, 0]])
    assert generate(Called(model), SRC, start, EOS, 9) == generate(model, SRC, start, EOS, 9)
    found, wanted = (beam_search(m, SRC, start, EOS, 9) for m in (Called(model), model))
    assert [[ids for _, ids in ranked] for ranked in found] == [[ids for _, ids in r] for r in wanted]


@pytest.mark.parametrize("way", WAYS)
def test_a_language_model_is_only_called_too(way):
    torch.manual_seed(0)
    sizes = {"d_model": 16, "n_heads": 2, "d_ff": 24, "n_layers": 1, "max_len": 40}
    model = LanguageModel(LanguageModelConfig(11, **sizes)).double()
    prompts = torch.tensor([[BOS, 4, 5], [BOS, 7, 8]])
    found = generate(Called(model), None, prompts, EOS, 12, decoding=way)
    assert found == generate(model, None, prompts, EOS, 12) and any(found)


def test_parts_of_another_make_are_left_alone():
    """As in the Annotated Transformer: its parts take masks, and the generator gives log-probabilities."""

    class Annotated(Called):
        src_pad_id = tgt_pad_id = 0
        max_len, d_model, generator = 40, 16, nn.LogSoftmax(dim=-1)

        def encode(self, src, src_mask):
            raise AssertionError

        def decode(self, memory, src_mask, tgt, tgt_mask):
            raise AssertionError

    model = ours()
    assert generate(Annotated(model), SRC, BOS, EOS, 5) == generate(model, SRC, BOS, EOS, 5)


def test_the_laws_take_it_as_it_is():
    model, tgt = Called(ours()).eval(), torch.tensor([[BOS, 4, 5], [BOS, 6, 7], [BOS, 8, 9]])
    assert laws.causality(model, SRC, tgt) and laws.gradients(model, SRC, tgt).witness


class Half(nn.Module):
    def encode(self, src):
        return src


class Unary(nn.Module):
    def forward(self, src):
        return src


class Returns(nn.Module):
    def __init__(self, make):
        super().__init__()
        self.table, self.make = nn.Embedding(500, 4), make

    def forward(self, src, tgt):
        return self.make(self.table(tgt))


PAIR = [(torch.tensor([4, 5]), torch.tensor([BOS, 4, 5, EOS]))]
LESS = "decode, generator, src_pad_id, tgt_pad_id, max_len, d_model"
LACKS = f"encode, {LESS}"
FORWARD = "define forward(src, tgt), which is enough"
WRAP = "wrap it so that it returns logits (B, T_tgt, V)"
REFUSED = {
    "half": (
        Half(),
        f"model: Half cannot be called as model(src, tgt), and lacks {LESS}; {FORWARD}",
    ),
    "one input": (Unary(), f"model: Unary cannot be called as model(src, tgt), and lacks {LACKS}; {FORWARD}"),
    "nothing": (None, f"model: NoneType cannot be called as model(src, tgt), and lacks {LACKS}; {FORWARD}"),
    "a class": (Blank, "model: Blank is a class; pass a model, Blank(…)"),
    "a tuple": (Returns(lambda x: (x, x)), f"model: it returns tuple; {WRAP}"),
    "ids": (Returns(lambda x: x.argmax(dim=-1)), f"model: it returns {{two}}; {WRAP}"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_missing_is_said_in_one_sentence(what):
    model, message = REFUSED[what]
    for two, use in {
        "(1, 3)": lambda: Trainer(model, PAIR, batch_size=1, warmup_steps=1),
        "(1, 1)": lambda: generate(model, SRC, BOS, EOS, 5),
        "(3, 3)": lambda: token_loss(model, SRC, torch.tensor([[BOS, 4, 5, EOS]] * 3)),
    }.items():
        with pytest.raises(ValueError, match=f"^{re.escape(message.replace('{two}', two))}$"):
            use()


def test_a_model_without_parameters_is_not_trained():
    message = "{} has no parameters to train; make it an nn.Module, and assign its layers to self in __init__"
    constant = Called(lambda src, tgt: torch.zeros(*tgt.shape, 9))
    for model, kind in ((constant, "Called"), (lambda src, tgt: constant(src, tgt), "function")):
        with pytest.raises(ValueError, match=f"^model: {message.format(kind)}$"):
            Trainer(model, PAIR, batch_size=1, warmup_steps=1)
        assert generate(model, SRC, BOS, EOS, 2) == [[1, 1]] * 3


def test_a_language_model_is_refused_in_its_own_words():
    message = (
        "model: Half cannot be called as model(ids), and lacks decode, generator, pad_id, max_len; define "
    )
    with pytest.raises(ValueError, match=re.escape(message + "forward(ids), which is enough")):
        generate(Half(), None, SRC, EOS, 5)


def test_the_vocabulary_of_a_called_model_is_found_by_one_call():
    with pytest.raises(ValueError, match="^eos_id: 11 is not an id of the vocabulary; use 0 to 10"):
        generate(Called(ours()), SRC, BOS, 11, 5)
