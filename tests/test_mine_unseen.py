"""What equal outputs do not show, and what is said where no typical fault fits: on tests/by_einsum."""

import shutil
from pathlib import Path

import pytest
import torch
from torch import nn

from helpers.mine import unseen
from helpers.mine.checking import check_part
from helpers.mine.rungs import PARTS
from helpers.mine.stubs import write_folder
from helpers.mine.yours import forget, needed

BY_EINSUM = Path(__file__).parent / "by_einsum"
RUNGS_OF_IT = {path.stem for path in BY_EINSUM.glob("*.py")}


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The folder of a reader who has written all that is in tests/by_einsum."""
    shutil.copytree(BY_EINSUM, tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    write_folder()
    forget()
    yield tmp_path / "mine"
    forget()


def change(mine, part, right, wrong):
    """Put something wrong into the file of a part."""
    path = mine / f"{PARTS[part].rung}.py"
    source = path.read_text()
    assert source.count(right) >= 1
    path.write_text(source.replace(right, wrong))
    forget()


def test_it_is_right_with_dropout_where_the_course_has_it(mine):
    for name, part in PARTS.items():
        if part.rung in RUNGS_OF_IT:
            outcome = check_part(name)
            assert outcome.passed, (outcome.en, outcome.example)
            assert outcome.en.endswith("cases.")


LAYERS = "nn.ModuleList(EncoderLayer(config) for _ in range(config.n_layers))"
WRONG = [  # part, what stands there, what stands there instead, how the message begins
    (
        "scaled_dot_product_attention",
        "torch.exp(score - top.detach())",
        "torch.exp(score)",
        "The result holds NaN.",
    ),
    (
        "MultiHeadAttention",
        "self.drop(a)",
        "nn.functional.dropout(a, self.drop.p)",
        "Dropout stays on after eval()",
    ),
    (
        "SinusoidalPositionalEncoding",
        'self.register_buffer("waves", ',
        "self.waves = (",
        "Your module does not know its tensor waves, which stays behind",
    ),
    (
        "Encoder",
        LAYERS,
        LAYERS.replace("nn.ModuleList", "list"),
        "adapters: layers is unknown to your module: put layers in nn.ModuleList (8.6)",
    ),
    (
        "Encoder",
        LAYERS,
        "nn.ModuleList([EncoderLayer(config)] * config.n_layers)",
        "adapters: layers.0.attention.w_q.weight and layers.1.attention.w_q.weight are the same tensor",
    ),
    (
        "Transformer",
        "self.out = nn.Linear(config.d_model, config.tgt_vocab_size)",
        "self.out = nn.Linear(config.d_model, config.tgt_vocab_size); self.out.weight = self.target.rows",
        "adapters: tgt_embed.tokens.weight and generator.linear.weight are the same tensor of yours",
    ),
    (
        "MultiHeadAttention",
        "nn.Parameter(torch.randn(3, ",
        "(torch.randn(3, ",
        "adapters: w_q.weight is not made of your parameters alone; return them unchanged, "
        "and make them nn.Parameter",
    ),
    (
        "LayerNorm",
        "nn.Parameter(torch.ones(width))",
        "[nn.Parameter(torch.ones(width))][0].detach()",
        "adapters: weight is not made of your parameters alone",
    ),
    (
        "FeedForward",
        "self.A, self.a = nn.Parameter(torch.randn(width, hidden) * 0.1), nn",
        'object.__setattr__(self, "A", nn.Parameter(torch.randn(width, hidden) * 0.1))\n        self.a = nn',
        "adapters: linear1.weight is unknown to your module: use nn.ParameterList (8.6)",
    ),
    (
        "MultiHeadAttention",
        "self.W = nn.Parameter(torch.randn(3, heads, width, size) * width**-0.5)",
        "self.W = nn.Parameter(torch.randn(3, 1, width, size)).expand(-1, heads, -1, -1)",
        "adapters: w_q.weight is unknown to your module: use nn.ParameterList (8.6)",
    ),
    (
        "LayerNorm",
        "self.scale, self.shift = nn.Parameter(torch.ones(width)), ",
        "type(self).scale = property(lambda self: self.one.expand(width))\n"
        "        self.one, self.shift = nn.Parameter(torch.ones(1)), ",
        "adapters: weight holds a parameter of yours several times; make each anew (8.6)",
    ),
    (
        "MultiHeadAttention",
        "attend(q, k, v, mask)",
        "attend(q, k, v, None if mask is None else mask[..., :1, :, :] if mask.dim() == 4 else mask)",
        "The values differ.",
    ),
    (
        "LayerNorm",
        "x = x - x.mean(-1, keepdim=True)",
        "x -= x.mean(-1, keepdim=True)",
        "It changes its arguments",
    ),
    ("EncoderLayer", "y = x + self.drop(work(", "y = x; y += self.drop(work(", "It changes its arguments"),
    (
        "FeedForward",
        "torch.clamp(x @ self.A + self.a, min=0)",
        "torch.clamp(torch.einsum('btm,mf->btf', x, self.A) + self.a, min=0)",
        "It raises an error (RuntimeError)",
    ),
    (
        "LayerNorm",
        "torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)",
        "torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + self.eps)",
        "Given bfloat16 it returns torch.float32",
    ),
    (
        "EncoderLayer",
        "return self.two(x, self.think)",
        "return x",
        "Made, but never used in the output: think.A",
    ),
    (
        "Transformer",
        "self.place(self.target(tgt))",
        "self.place(self.target(tgt.roll(-1, 1)))",
        "The law of causality is broken: position 0 of sentence 0 moves",
    ),
    (
        "Transformer",
        "self.drop(self.place(self.source(src))), hidden)",
        "self.drop(self.place(self.source(src))), hidden).mean(1, keepdim=True).expand(-1, src.size(1), -1)",
        "The law of padding invariance is broken: position 0 of sentence 0 moves",
    ),
    (
        "Transformer",
        "return self.out(self.write(",
        "return (lambda y: self.out(y - y.mean(0)))(self.write(",
        "The law of batch invariance is broken",
    ),
    ("Transformer", "memory = self.read(", "memory = 0 * self.read(", "The law of order is broken"),
]


@pytest.mark.parametrize("part, right, wrong, said", WRONG, ids=[f"{w[0]}: {w[2][:40]}" for w in WRONG])
def test_what_is_said(mine, part, right, wrong, said):
    change(mine, part, right, wrong)
    outcome = check_part(part)
    assert outcome.passed is False
    assert outcome.en.startswith(said)


REMARKS = [
    ("MultiHeadAttention", "self.drop(a), v", "a, v", "But there is no dropout in training (7.7)."),
    (
        "EncoderLayer",
        "MultiHeadAttention(config.d_model, config.n_heads, config.dropout)",
        "MultiHeadAttention(config.d_model, config.n_heads)",
        "But in training there is no dropout on the attention weights: ",
    ),
    (
        "DecoderLayer",
        "self.across = MultiHeadAttention(*sizes), MultiHeadAttention(*sizes)",
        "self.across = MultiHeadAttention(*sizes), MultiHeadAttention(*sizes[:2])",
        "But in training there is no dropout on the attention weights: ",
    ),
    (
        "EncoderLayer",
        "y = x + self.drop(work(self.norm(x) if self.first else x))",
        "y = self.drop(x + work(self.norm(x) if self.first else x))",
        "But in training dropout is not where the course has it: ",
    ),
    (
        "EncoderLayer",
        "y = x + self.drop(work(self.norm(x) if self.first else x))",
        "y = self.drop(x + work(self.norm(x))) if self.first else x + self.drop(work(x))",  # pre-LN alone
        "But in training dropout is not where the course has it: ",
    ),
    (
        "Encoder",
        "y = x + self.drop(work(self.norm(x) if self.first else x))",
        "y = x + self.drop(work(self.norm(x))) if self.first else self.drop(x + work(x))",  # post-LN alone
        "But in training dropout is not where the course has it: ",
    ),
    (
        "Encoder",
        LAYERS,
        f"{LAYERS}\n        [layer.load_state_dict(self.stack[0].state_dict()) for layer in self.stack]",
        "But these begin with equal weights: stack.0.look.W and stack.1.look.W.",
    ),
]


@pytest.mark.parametrize("part, right, wrong, said", REMARKS, ids=[remark[3][:30] for remark in REMARKS])
def test_a_part_that_is_right_gets_a_remark(mine, part, right, wrong, said):
    change(mine, part, right, wrong)
    outcome = check_part(part)
    assert outcome.passed and f" cases. {said}" in outcome.en


def test_a_part_that_knows_no_dropout(mine):
    change(mine, "MultiHeadAttention", "heads, dropout=0.0", "heads")
    change(mine, "MultiHeadAttention", "nn.Dropout(dropout)", "nn.Identity()")
    outcome = check_part("MultiHeadAttention")
    assert outcome.passed and outcome.en.endswith("But there is no dropout in training (7.7).")
    (mine / "layers.py").unlink()  # the reader has not come to dropout yet
    forget()
    assert check_part("MultiHeadAttention").en.endswith(" cases.")


@pytest.mark.parametrize(
    "names, right",
    [
        ("w_o.weight", "mine.U.flatten(0, 1).T"),
        ("w_q.weight, w_k.weight, w_v.weight", "w.transpose(1, 2).flatten(0, 1)"),
    ],
)
def test_square_weights_that_are_not_turned(mine, names, right):
    path = mine / "adapters.py"
    path.write_text(path.read_text().replace(right, f"{right}.T"))
    forget()
    outcome = check_part("MultiHeadAttention")
    assert outcome.passed is False
    assert outcome.en.startswith(
        f"Rows and columns of {names} are exchanged: return their .T in the adapter."
    )


def test_the_lowest_wrong_part_is_named_first(mine):
    change(mine, "scaled_dot_product_attention", "q.shape[-1] ** -0.5", "1.5")
    outcome = check_part("EncoderLayer")
    assert outcome.part == "scaled_dot_product_attention"
    assert outcome.en.startswith("Mend this before EncoderLayer. ")
    assert outcome.ko.startswith("EncoderLayer보다 먼저 고치세요. ")
    assert check_part("FeedForward").passed


def test_what_a_part_is_made_of(mine):
    (mine / "layers.py").write_text("def broken(:\n")
    assert needed("EncoderLayer") == [
        "scaled_dot_product_attention",
        "MultiHeadAttention",
        "LayerNorm",
        "FeedForward",
    ]
    assert needed("TokenEmbedding") == []


def test_scale_and_offset_in_one_matrix_are_no_copies():
    def norm():
        norm = nn.Module()
        norm.both = nn.Parameter(torch.stack([torch.ones(3), torch.zeros(3)]))
        norm.frozen = nn.Parameter(torch.arange(6.0).view(2, 3), requires_grad=False)
        return norm

    assert unseen.copies(lambda: nn.ModuleList([norm(), norm()]), ()) == unseen.NOTHING
