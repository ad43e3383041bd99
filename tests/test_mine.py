"""The reader's folder: stubs made from helpers, adapters, weights found wherever they lie, checks."""

import ast
import re

import pytest
import torch
from torch import nn

from helpers.__main__ import main
from helpers.decoder import DecoderLayer
from helpers.encoder import StackConfig
from helpers.exercises.kinds import in_turn
from helpers.layers import LayerNorm
from helpers.mine import report
from helpers.mine.assembly import assemble
from helpers.mine.checking import check_part
from helpers.mine.hints import HINTS
from helpers.mine.matching import Matching
from helpers.mine.report import check_parts
from helpers.mine.rungs import LATER, PARTS, RUNGS, definition, section_of, source_of
from helpers.mine.stubs import write_folder
from helpers.mine.yours import by_name, find, forget, load
from helpers.multi_head_attention import MultiHeadAttention

STUB = "    raise NotImplementedError\n"


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A new folder of a reader."""
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    write_folder()
    yield tmp_path / "mine"
    forget()


def names_of(node):
    """The arguments of a function, or of the methods of a class: {name: arguments}."""
    functions = [node] if isinstance(node, ast.FunctionDef) else node.body
    return {
        one.name: [argument.arg for argument in one.args.args]
        for one in functions
        if isinstance(one, ast.FunctionDef)
    }


def test_stubs_have_the_names_and_arguments_of_helpers(mine):
    for part in PARTS.values():
        stub = definition(ast.parse((mine / f"{part.rung}.py").read_text()), part.name)
        ours = names_of(definition(ast.parse(source_of(part.module)), part.name))
        for name, arguments in names_of(stub).items():
            assert arguments == [argument for argument in ours[name] if argument not in LATER]
        text = ast.unparse(stub)
        assert ast.get_docstring(stub) and "Raises" not in text
        assert "cache" not in text or part.name == "KVCache"
        assert find(part.name) is None
        assert re.fullmatch(r"\d+(\.\d+)?", section_of(part.name))


def test_what_is_there_is_never_overwritten(mine, capsys):
    (mine / "attention.py").write_text("mine = True\n")
    (mine / "layers.py").unlink()
    main(["mine"])
    next_step = "write a part, and check it: python -m helpers mine check embedding\n"
    assert capsys.readouterr().out == "mine/layers.py\n" + next_step
    assert (mine / "attention.py").read_text() == "mine = True\n"
    main(["mine"])
    assert capsys.readouterr().out == "mine/: all is there already; nothing was changed\n" + next_step


def test_blank_writes_the_adapters_alone(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    write_folder(blank=True)
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["__init__.py", "adapters.py"]
    assert all(find(name) is None for name in PARTS)
    adapters = tmp_path / "mine" / "adapters.py"
    tree = ast.parse(adapters.read_text())
    parts = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    assert {node.name for node in parts} == PARTS.keys()
    assert all(map(ast.get_docstring, parts))  # what each takes and returns
    body = "    import torch\n    return torch.ones(length, length).tril().bool()\n"
    fill(adapters, "def causal_mask(length):\n", body)
    forget()
    assert check_part("causal_mask").passed is True
    forget()


def fill(path, begin, body):
    """Give a function without a body, of which the first line is given, one."""
    before, begin, after = path.read_text().partition(begin)
    assert begin
    said, stub, after = after.partition(STUB)
    path.write_text(before + begin + said + body + after)


class Stacked(nn.Module):
    """Attention with a tensor (3, n_heads, d_model, d_head), and one (n_heads, d_head, d_model)."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        d_head = d_model // n_heads
        self.qkv = nn.Parameter(torch.randn(3, n_heads, d_model, d_head))
        self.out = nn.Parameter(torch.randn(n_heads, d_head, d_model))

    def tensors(self):
        found = {
            f"w_{name}.weight": w.transpose(1, 2).flatten(0, 1)
            for name, w in zip("qkv", self.qkv, strict=True)
        }
        found |= {f"w_{name}.bias": None for name in "qkvo"}
        return found | {"w_o.weight": self.out.flatten(0, 1).T}

    def forward(self, x):
        q, k, v = torch.einsum("btm,ahmd->abhtd", x, self.qkv)
        weights = torch.einsum("bhqd,bhkd->bhqk", q, k).div(q.size(-1) ** 0.5).softmax(-1)
        return torch.einsum("bhqk,bhkd,hdm->bqm", weights, v, self.out)


def test_weights_are_found_wherever_they_lie():
    torch.manual_seed(0)
    mine, ours = Stacked(6, 3), MultiHeadAttention(6, 3)
    before = mine.qkv.detach().clone()
    matching = Matching(mine, ours, Stacked.tensors)
    assert torch.equal(mine.qkv, before)  # looked at, and left as it was
    for layer in (ours.w_q, ours.w_k, ours.w_v, ours.w_o):
        nn.init.zeros_(layer.bias)
    matching.write(dict(ours.named_parameters()))
    x = torch.randn(2, 4, 6)
    torch.testing.assert_close(mine(x), ours(x, x, x)[0])
    assert all(torch.equal(value, ours.state_dict()[name]) for name, value in matching.read().items())
    for output in (mine(x), ours(x, x, x)[0]):
        output.square().sum().backward()
    for name, gradient in matching.read(gradients=True).items():
        torch.testing.assert_close(gradient, ours.get_parameter(name).grad, atol=1e-4, rtol=1e-3)


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.g, self.b = nn.Parameter(torch.ones(3)), nn.Parameter(torch.zeros(3))


@pytest.mark.parametrize(
    "tensors, message",
    [
        (by_name, "adapters: weight (3,) is missing; these are no names of the course: g, b"),
        (
            lambda mine: {"g": mine.g, "none": None},
            "adapters: weight (3,) is missing; these are no names of the course: g",
        ),
        (lambda mine: {"weight": mine.g}, "adapters: bias (3,) is missing"),
        (
            lambda mine: {"weight": mine.g, "bias": mine.b[:2]},
            "adapters: bias has shape (2,); that of the course is (3,)",
        ),
        (
            lambda mine: {"weight": mine.g * 0.5, "bias": mine.b},
            "adapters: weight is not made of your parameters alone; return them unchanged",
        ),
        (
            lambda mine: {"weight": mine.g, "bias": None},
            "adapters: nothing is said about your b (3,); which tensor of the course is it?",
        ),
        (lambda mine: {"weights": mine}, "adapters: 'weights' is no part of LayerNorm"),
    ],
)
def test_an_adapter_that_does_not_fit(tensors, message):
    mine = Norm()
    with pytest.raises(ValueError) as raised:
        Matching(mine, LayerNorm(3), tensors)
    assert str(raised.value) == message
    assert re.search("[가-힣]", raised.value.ko)
    assert mine.g.tolist() == [1.0, 1.0, 1.0]


def test_a_matrix_under_the_name_of_a_layer_is_told_so():
    ours = MultiHeadAttention(4, 2)
    with pytest.raises(ValueError, match="^adapters: w_q names a layer; a matrix is w_q.weight, and without"):
        Matching(MultiHeadAttention(4, 2), ours, lambda mine: {"w_q": mine.w_q.weight})


def test_an_adapter_that_returns_nothing_is_told_so(mine):
    with pytest.raises(ValueError, match="^adapters: tensors returns nothing: is a return missing[?]$"):
        Matching(Norm(), LayerNorm(3), lambda mine: None)
    (mine / "layers.py").write_text("class LayerNorm:\n    pass\n")
    with (mine / "adapters.py").open("a") as file:
        file.write("\n\nclass LayerNorm:\n    def make(d_model):\n        pass\n")
    forget()
    assert check_part("LayerNorm").en == "adapters: make returns nothing: is a return missing?"


@pytest.mark.parametrize(
    "method, said",
    [
        ("def make(d_model):\n        return 1 / 0", "LayerNorm(2) cannot be made. ZeroDivisionError"),
        ("def tensors(mine):\n        return 1 / 0", "The adapter does not find your tensors. ZeroDivision"),
    ],
)
def test_an_error_in_an_adapter_is_told_where_it_is(mine, method, said):
    (mine / "layers.py").write_text("from torch import nn\n\n\nclass LayerNorm(nn.LayerNorm):\n    pass\n")
    with (mine / "adapters.py").open("a") as file:
        file.write(f"\n\nclass LayerNorm:\n    {method}\n")
    forget()
    assert check_part("LayerNorm").en.startswith(said)


def test_a_transposed_weight_is_told_so():
    mine, ours = nn.Linear(3, 2), nn.Linear(2, 3)
    with pytest.raises(ValueError, match=re.escape("(3, 2); turn it with .T")):
        Matching(mine, ours, lambda mine: {"weight": mine.weight, "bias": mine.bias})


def test_an_error_in_a_module_is_told_by_its_line(mine):
    (mine / "layers.py").write_text(
        "from torch import nn\nclass FeedForward(nn.Module):\n    def __init__(self, d_model, d_ff):\n"
        "        super().__init__()\n"
        "        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)\n"
        "    def forward(self, x):\n        return self.linear1(self.linear2(x))\n"
    )
    outcome = check_part("FeedForward")
    assert outcome.passed is False and "line 7: return self.linear1(self.linear2(x))" in outcome.example


CAUSAL = "import torch\ndef causal_mask(length):\n    "


@pytest.mark.parametrize(
    "body, said",
    [
        (
            "return torch.ones(length, length).bool().tril()",
            "✓ causal_mask: Equal to the course's",
        ),
        ("return torch.ones(length, length).bool().triu()", "✗ causal_mask: The past is hidden"),
        ("return torch.ones(length).bool()", "✗ causal_mask: The shape is (2,), not (2, 2)."),
        ("return 1 / 0", "✗ causal_mask: It raises an error (ZeroDivisionError)."),
        ("return torch.ones(length", "✗ causal_mask: The file cannot be read. SyntaxError"),
        ("raise SystemExit", "✗ causal_mask: It raises an error (SystemExit)."),
        ("pass", "✗ causal_mask: It returns nothing"),
        (
            "from helpers.masking import causal_mask as theirs; return theirs(length)",
            "✗ causal_mask: Write it yourself, without helpers.masking.causal_mask.",
        ),
    ],
)
def test_check(mine, capsys, body, said):
    (mine / "masking.py").write_text(CAUSAL + body + "\n")
    main_or_end("causal_mask")
    printed = capsys.readouterr().out
    assert said in printed
    if "raises an error (Zero" in said:
        assert "masking.py, line 3: return 1 / 0" in printed
    if "The past" in said:
        assert 'case = torch.load("mine/failed/causal_mask.pt", weights_only=False)' in printed
        case = torch.load(mine / "failed" / "causal_mask.pt")
        assert case["inputs"] == (2,) and case["got"].tolist() == [[True, True], [False, True]]


def test_an_error_is_shown_where_it_was_raised(mine, capsys):
    (mine / "other.py").write_text("def fail():\n    return 1 / 0\n")
    (mine / "masking.py").write_text("from mine.other import fail\n" + CAUSAL + "return fail()\n")
    main_or_end("causal_mask")
    assert "other.py, line 2: return 1 / 0" in capsys.readouterr().out


def test_a_case_that_failed_is_read_as_the_message_says(mine, capsys):
    (mine / "decoding.py").write_text(
        "def generate(model, src, start, eos_id, max_len):\n    return [[]] * 2\n"
    )
    main_or_end("generate")
    line = capsys.readouterr().out.partition("again:")[2].strip()
    found = {"torch": torch}
    exec(line, found)
    assert found["case"]["inputs"][2:] == (1, 2, 6) and found["case"]["got"] == [[], []]


def main_or_end(part):
    """Run the command as a terminal does."""
    try:
        main(["mine", "check", part])
    except SystemExit as ended:
        assert ended.code == 1


def test_code_that_hangs_is_ended(mine, monkeypatch):
    monkeypatch.setattr("helpers.mine.checking.SECONDS", 1.0)
    (mine / "masking.py").write_text(CAUSAL + "while True: pass\n")
    outcome = check_part("causal_mask")
    assert outcome.passed is False and "never ends" in outcome.en


def test_checking_stops_at_the_first_that_is_wrong(mine, capsys):
    (mine / "masking.py").write_text(CAUSAL + "return 1\n")
    (mine / "layers.py").write_text("def LayerNorm(d_model):\n    return 1\n")
    outcomes = check_parts()
    assert outcomes[-1].part == "causal_mask" and [one.passed for one in outcomes[:-1]] == [None] * 6


def test_what_is_not_known_or_not_there(mine, tmp_path, monkeypatch):
    said = r"part: 'atention' is not known \(did you mean attention\?\); use one of tokenization, embedding"
    with pytest.raises(ValueError, match=said):
        check_parts("atention")
    with pytest.raises(ValueError, match="part: 'xyzzy' is not known; use one of"):
        check_parts("xyzzy")
    monkeypatch.setattr(report, "folder", lambda: tmp_path / "elsewhere")
    with pytest.raises(
        ValueError, match="the folder is not there yet; write it with: python -m helpers mine"
    ):
        check_parts("attention")


def test_what_is_not_written_comes_from_the_course(mine):
    (mine / "masking.py").write_text(CAUSAL + "raise RuntimeError('mine is asked')\n")
    made = assemble()
    assert made["transformer"].causal_mask.__module__ == "mine.masking"
    assert made["transformer"].padding_mask.__module__ == "helpers.masking"
    (mine / "decoder.py").write_text("from mine import LayerNorm, causal_mask\n")
    forget()
    from helpers.mine.yours import load

    decoder = load("decoder")
    assert (
        decoder.causal_mask.__module__ == "mine.masking" and decoder.LayerNorm.__module__ == "helpers.layers"
    )
    with pytest.raises(ImportError, match="cannot import name 'Nothing'"):
        exec("from mine import Nothing")


def test_rungs_are_in_the_order_of_the_chapters():
    chapters = [chapter for chapter, _ in RUNGS.values()]
    assert chapters == sorted(chapters)


def test_hints_go_one_further_and_the_last_stays(mine, capsys):
    assert HINTS.keys() == PARTS.keys()
    for _ in range(3):
        main(["mine", "hint", "causal_mask"])
    english = capsys.readouterr().out.splitlines()[1::2]
    assert [line[:11] for line in english] == ["Hint 1 of 2", "Hint 2 of 2", "Hint 2 of 2"]
    for texts in HINTS.values():
        for ko, en in in_turn(texts, 2):
            assert ko == en or (re.search("[가-힣]", ko) and not re.search("[가-힣]", en))


WITHOUT_BIASES = """\
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = split(self.w_q(query)), split(self.w_k(key)), split(self.w_v(value))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        print("looked")
        return self.w_o((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
"""


def test_what_the_reader_does_without(mine, capsys):
    (mine / "multi_head_attention.py").write_text(WITHOUT_BIASES)
    adapters = mine / "adapters.py"
    found = ", ".join(f'"w_{x}.weight": mine.w_{x}.weight, "w_{x}.bias": None' for x in "qkvo")
    begin, rest = adapters.read_text().split("class MultiHeadAttention:", 1)
    rest = rest[rest.index("class LayerNorm") :]
    tensors = f"class MultiHeadAttention:\n    def tensors(mine):\n        return {{{found}}}\n\n\n"
    adapters.write_text(begin + tensors + rest)
    assert check_part("MultiHeadAttention").passed is True
    assert "looked" in capsys.readouterr().out  # what the reader prints is shown
    wrong = WITHOUT_BIASES.replace(" / q.size(-1) ** 0.5", "")
    (mine / "multi_head_attention.py").write_text(wrong)
    forget()
    assert check_part("MultiHeadAttention").en == "The scores are not divided by √d_k. See 4.8."


def test_the_last_definition_counts(mine):
    path = mine / "masking.py"
    path.write_text(
        path.read_text()
        + "\n\ndef causal_mask(length):\n    return torch.ones(length, length).bool().tril()\n"
    )
    assert check_part("causal_mask").passed is True


@pytest.mark.parametrize("line", ["from mine.model import hidden as causal_mask", "from .model import *"])
def test_a_part_may_be_imported_from_another_file_of_the_reader(mine, line):
    name = "causal_mask" if "*" in line else "hidden"
    (mine / "model.py").write_text(
        f"import torch\n\n\ndef {name}(length):\n    return torch.ones(length, length).bool().tril()\n"
    )
    (mine / "masking.py").write_text(f"{line}\n")
    assert check_part("causal_mask").passed is True


def test_files_that_import_a_part_from_each_other_do_not_write_it(mine):
    (mine / "masking.py").write_text("from mine.model import causal_mask\n")
    (mine / "model.py").write_text("from mine.masking import causal_mask\n")
    assert check_part("causal_mask").passed is None


def test_a_tokenizer_made_by_an_adapter(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    write_folder(blank=True)
    adapters = tmp_path / "mine" / "adapters.py"
    fill(adapters, "def BPETokenizer(texts, vocab_size):\n", "    return Words()\n")
    with adapters.open("a") as file:
        file.write("class Words:\n    pad_id, bos_id, eos_id = 0, 1, 2\n    __len__ = lambda self: 9\n")
    forget()
    assert check_part("BPETokenizer").passed is False  # it is the reader's that was asked
    forget()


@pytest.mark.parametrize("cross_attention", [True, False])
def test_a_decoder_layer_without_cross_attention_has_no_third_norm(cross_attention, mine):
    layer = DecoderLayer(
        StackConfig(d_model=8, n_heads=2, d_ff=16, n_layers=1), cross_attention=cross_attention
    )
    third = load("adapters").DecoderLayer.tensors(layer)["residuals.2.norm"]
    assert third is (layer.residuals[2].norm if cross_attention else None)


def test_what_is_not_checked_is_counted(mine, capsys):
    (mine / "masking.py").write_text("def padding_mask(ids, pad_id):\n    return ids\n")
    assert not check_parts("masking")[-1].passed
    assert "… 2 more are not checked yet.\n" in capsys.readouterr().out
