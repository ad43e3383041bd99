"""The package as a whole: its order, its cost, and the parts around a lesson."""

import ast
import subprocess
import sys

import matplotlib
import pytest
import torch

from helpers import plots
from helpers.lesson import Exercise, Mistake, check, diagnose, language
from notebook_parts import HELPERS, ROOT

ORDER = [
    "guards",
    "tokenization",
    "embedding",
    "attention",
    "masking",
    "layers",
    "encoder",
    "decoder",
    "transformer",
    "words",
    "grammar",
    "clauses",
    "sentences",
    "corpus",
    "files",
    "checkpoint_checks",
    "checkpoints",
    "processes",
    "training_checks",
    "training",
    "decoding",
    "translator",
    "inspection",
    "viewer",
    "plots",
    "lesson",
]
MODULES = sorted(HELPERS.rglob("*.py"))


def test_the_order_names_every_module():
    assert {path.stem for path in HELPERS.glob("*.py")} == {"__init__", "__main__", *ORDER}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_modules_are_short_and_import_only_earlier_ones(path):
    source = path.read_text("utf-8")
    imported = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            whole = node.module == "helpers"  # from helpers import words
            imported += [f"helpers.{name.name}" for name in node.names] if whole else [node.module]
    ordered = path.parent == HELPERS and path.stem in ORDER
    earlier = ORDER[: ORDER.index(path.stem)] if ordered else [*ORDER, "commands"]
    assert {name.split(".")[1] for name in imported if name.startswith("helpers.")} <= set(earlier)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_public_docstrings(path):
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"


def test_importing_helpers_is_cheap():
    """At most 0.1 s beyond torch (the fastest of three), and no matplotlib or IPython."""
    code = (
        "import sys, time, torch\n"
        "start = time.perf_counter()\n"
        f"import {', '.join(f'helpers.{name}' for name in ORDER)}\n"
        "print(time.perf_counter() - start, *(m for m in ('matplotlib', 'IPython') if m in sys.modules))"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True).stdout.split()
        for _ in range(3)
    ]
    assert all(len(run) == 1 for run in runs)
    assert min(float(run[0]) for run in runs) <= 0.1


@pytest.mark.parametrize(("choice", "hidden"), [("ko", ["en"]), ("en", ["ko"]), ("both", [])])
def test_language_hides_the_other(choice, hidden, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda html: shown.append(html.data))
    language(choice)
    assert [code for code in ("ko", "en") if f"div[lang={code}]{{display:none}}" in shown[0]] == hidden
    assert shown[0].count("div[lang=") == 2  # each language is always set, so that a choice can be undone


HALF = Exercise(
    spec=lambda x: x / 2,
    cases=[(torch.tensor([2.0]),), (torch.tensor([2.0, 6.0]),)],
    mistakes=[Mistake(lambda x: x * 2, "두 배입니다.", "That is double.")],
)


@pytest.mark.parametrize(
    ("answer", "passed", "english"),
    [
        (lambda x: None, None, "Not yet"),
        (lambda x: x * 0.5, True, "All 2 cases pass"),
        (lambda x: (x / 2).double(), True, "All 2 cases pass"),
        (lambda x: x + x, False, "That is double"),
        (lambda x: x * 0.51, False, "The values differ"),
        (lambda x: x.sum() / 2, False, "The shape is (), not (1,)"),
        (lambda x: (x / 2).long(), False, "The dtype is torch.int64, not torch.float32"),
        (lambda x: (x / 2).tolist(), False, "It returns list; return Tensor"),
        (lambda x: x / 2 * float("nan"), False, "holds NaN"),
        (lambda x: x.no_such_method(), False, "It raises an error: AttributeError"),
        (lambda x: x.div_(2), False, "changes its arguments"),
    ],
)
def test_diagnose(answer, passed, english):
    result = diagnose(answer, HALF)
    assert result.passed is passed and english in result.en


TWO = Exercise(spec=lambda x: (x, 2 * x), cases=[(torch.tensor([1.0]),)], mistakes=[])


@pytest.mark.parametrize(
    ("answer", "passed", "english"),
    [
        (lambda x: (x, x + x), True, "All 1 cases pass"),
        (lambda x: (x, x * 3), False, "The values differ"),
        (lambda x: (x, 2 * x, x), False, "It returns 3 values, not 2"),
        (lambda x: [x, 2 * x], False, "It returns list; return tuple"),
    ],
)
def test_diagnose_several_values(answer, passed, english):
    result = diagnose(answer, TWO)
    assert result.passed is passed and english in result.en


def test_check_prints_both_languages_and_the_smallest_case(capsys):
    def half(x):
        return x if len(x) > 1 else x / 2  # wrong only on the second case

    check(half, HALF)
    assert capsys.readouterr().out.splitlines() == [
        "✗ 값이 다릅니다.",
        "✗ The values differ.",
        "    half(tensor([2.0, 6.0]))",
        "    기대 expected: tensor([1.0, 3.0])",
        "    결과 got:      tensor([2.0, 6.0])",
    ]


def test_heatmap_has_queries_as_rows_and_keys_as_columns():
    matplotlib.use("Agg")
    ax = plots.attention_heatmap([[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]], ["첫째", "둘째"], ["a", "b", "c"])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["첫째", "둘째"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c"]
    assert "query" in ax.get_ylabel() and "key" in ax.get_xlabel()
    assert ax.images[0].get_array()[0].tolist() == [0.0, 1.0, 0.0]
    assert [text.get_text() for text in ax.texts] == ["0.00", "1.00", "0.00", "0.50", "0.25", "0.25"]
    matplotlib.pyplot.close("all")


def test_map_lights_what_a_chapter_builds():
    matplotlib.use("Agg")

    def lit(chapter):
        figure = plots.model_map(chapter)
        colours = [patch.get_facecolor() for patch in figure.axes[0].patches]
        matplotlib.pyplot.close(figure)
        return sum(
            colour in {matplotlib.colors.to_rgba(c) for c in ("#F6C667", "#FFF3D6")} for colour in colours
        )

    assert [lit(chapter) for chapter in (1, 4, 6, 8, 9)] == [2, 3, 3, 1, 2]
    assert lit(None) == lit(10) > 15
