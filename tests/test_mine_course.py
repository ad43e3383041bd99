"""The translator by the reader's own hand: trained, examined, moved into ours, written from memory."""

import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from helpers.__main__ import main
from helpers.encoder import StackConfig
from helpers.mine import course, exam, memory
from helpers.mine.assembly import assemble
from helpers.mine.course import moved_into_ours, open_mine, own_parts, train
from helpers.mine.stubs import write_folder
from helpers.mine.yours import forget
from helpers.transformer import Transformer, TransformerConfig

ATTENTION = """\
import math
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights
"""
NORM = """\
import torch
from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.both = nn.Parameter(torch.stack([torch.ones(d_model), torch.zeros(d_model)]))
    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * self.both[0] + self.both[1]
"""
LOOP = """\
def train_step(model, optimizer, src, tgt, label_smoothing=0.0):
    raise RuntimeError("my own loop")
"""
OTHER_TOKENIZER = """\
from helpers.tokenization import BPETokenizer as Ours
class BPETokenizer(Ours):
    def encode(self, text):
        return super().encode(text)[::-1]
"""
FROM_MEMORY = """
import torch
from torch import nn
class Transformer(nn.Module):
    def __init__(self, vocab_size, d_model, n_heads, d_ff, n_layers):
        super().__init__()
        self.model = {model}
        self.src, self.tgt = nn.Embedding(vocab_size, d_model), nn.Embedding(vocab_size, d_model)
        self.places, self.out = nn.Embedding(20, d_model), nn.Linear(d_model, vocab_size)
    def forward(self, src, tgt):
        x, y = self.src(src), self.tgt(tgt) + self.places.weight[:tgt.size(1)]
        return self.out(self.model(x, y))
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The reader's folder, with the first two parts of theirs."""
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    write_folder()
    (tmp_path / "mine" / "attention.py").write_text(ATTENTION)
    (tmp_path / "mine" / "layers.py").write_text(NORM)
    adapters = tmp_path / "mine" / "adapters.py"
    norm = adapters.read_text().index("class LayerNorm")
    source = (
        adapters.read_text()[norm:]
        .replace("mine.weight", "mine.both[0]", 1)
        .replace("mine.bias", "mine.both[1]", 1)
    )
    adapters.write_text(adapters.read_text()[:norm] + source)
    monkeypatch.setitem(course.OPTIONS, "d_model", 32)
    yield tmp_path / "mine"
    forget()


def test_trained_examined_and_moved_into_ours(mine, capsys, monkeypatch):
    monkeypatch.setattr(exam, "generate", lambda *arguments: [[]] * len(arguments[1]))
    train(pair_count=256, epochs=1)
    assert re.fullmatch(r"epoch 1: loss \d\.\d{3}\n", capsys.readouterr().out)
    exam.exam(number=4)
    said = capsys.readouterr().out
    assert "■ attention  □ multi_head_attention" in said and "□ layers" in said  # FeedForward is ours
    assert "0 of 4 new sentences right · 1 of 11 parts yours." in said
    assert (mine / "exam.png").stat().st_size > 10_000
    model, _, _, gap = moved_into_ours(open_mine())
    assert gap < 1e-4 and type(model).__module__ == "helpers.transformer"
    assert sum(own_parts().values()) == 2
    main(["mine", "page", "me.html"])
    page = Path("me.html").read_text()
    assert page.count(exam.WRITERS[True]) == 1 and page.count(exam.WRITERS[False]) == 10


def test_the_readers_loop_is_the_one_that_trains(mine):
    (mine / "training.py").write_text(LOOP)
    with pytest.raises(RuntimeError, match="my own loop"):
        train(pair_count=128, epochs=1)
    assert not (mine / "model.pt").exists()


def test_a_loss_that_asks_for_what_the_model_lacks_is_told_before_the_training_is_prepared(mine, monkeypatch):
    monkeypatch.setattr(course, "make_pairs", None)  # the first that is prepared
    (mine / "training.py").write_text(LOOP.replace('raise RuntimeError("my own loop")', "model.padding"))
    with pytest.raises(ValueError, match=r"asks your model for padding, and \w+ has none; give it one"):
        train()


def test_an_error_of_the_reader_is_told_by_its_line(mine):
    (mine / "training.py").write_text(LOOP)
    with pytest.raises(SystemExit) as ended:
        main(["mine", "train"])
    line = 'training.py, line 2: raise RuntimeError("my own loop")'
    assert ended.value.code == f"error: mine: {line}: RuntimeError: my own loop"


def test_another_tokenizer_does_not_fit(mine):
    train(pair_count=128, epochs=1)
    (mine / "tokenization.py").write_text(OTHER_TOKENIZER)
    forget()
    with pytest.raises(ValueError, match="your parts have changed since model.pt was trained"):
        open_mine()


def test_what_the_reader_gave_a_model_is_there(mine):
    (mine / "encoder.py").write_text(
        "from torch import nn\nfrom helpers import encoder\nclass Encoder(nn.Module):\n"
        "    def __init__(self, config):\n        super().__init__()\n        self.depth = config.n_layers\n"
        "    def forward(self, x, mask=None):\n        return x\n"
    )
    made = assemble()
    assert made["encoder"].Encoder(StackConfig(n_layers=3)).depth == 3


def test_what_is_missing_is_said(mine, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["mine", "exam"])
    assert (
        ended.value.code
        == "error: mine: model.pt is not there yet; train it with: python -m helpers mine train"
    )
    train(pair_count=128, epochs=1)
    (mine / "layers.py").unlink()
    forget()
    with pytest.raises(ValueError, match="your parts have changed since model.pt was trained"):
        open_mine()


def test_from_memory(mine, monkeypatch, capsys):
    assert memory.from_memory() is None
    path = mine / "from_memory.py"
    head = path.read_text()
    assert abs(memory.begun(path) - time.time()) < 60 and "model(src, tgt)" in head
    path.write_text(head + FROM_MEMORY.format(model="nn.Transformer(d_model, 2, 1, 1, batch_first=True)"))
    assert memory.from_memory() is False
    assert "Not yet: it uses nn.MultiheadAttention" in capsys.readouterr().out
    path.write_text(head + FROM_MEMORY.format(model="lambda x, y: y + x.mean(dim=1, keepdim=True)"))
    assert memory.from_memory() is False
    assert "padding invariance: BROKEN" in capsys.readouterr().out
    path.write_text("a b")
    assert memory.from_memory() is False and "SyntaxError" in capsys.readouterr().out
    monkeypatch.setattr(memory, "first_broken", lambda module: "")
    path.write_text(f"# {int(time.time()) - 600}\n")
    assert memory.from_memory() is True and "From memory, in 10 minutes." in capsys.readouterr().out


def test_ours_is_not_from_memory():
    class Borrowed(Transformer):
        def __init__(self, vocab_size, d_model, n_heads, d_ff, n_layers):
            sizes = {"d_model": d_model, "n_heads": n_heads, "d_ff": d_ff, "n_layers": n_layers}
            super().__init__(TransformerConfig(vocab_size, vocab_size, **sizes))

    module = SimpleNamespace(Transformer=Borrowed)
    assert memory.first_broken(module) == "it uses helpers.transformer.Transformer"


def test_all_laws_hold_for_a_right_one(monkeypatch):
    class Right(torch.nn.Module):
        """Another class that computes what ours does; that it is ours inside is not looked at here."""

        def __init__(self, vocab_size, d_model, n_heads, d_ff, n_layers):
            super().__init__()
            sizes = {"d_model": d_model, "n_heads": n_heads, "d_ff": d_ff, "n_layers": n_layers}
            self.model = Transformer(TransformerConfig(vocab_size, vocab_size, dropout=0.0, **sizes))

        def forward(self, src, tgt):
            return self.model(src, tgt)

    monkeypatch.setattr(memory.Watch, "name_of", lambda self, frame: "")
    assert memory.first_broken(SimpleNamespace(Transformer=Right)) == ""
