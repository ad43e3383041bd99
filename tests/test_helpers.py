"""The package as a whole: its order, its cost, and the parts around a lesson."""

import ast
import re
import subprocess
import sys

import matplotlib
import pytest
from importlinter.cli import lint_imports

import helpers
from helpers.engine import languages
from helpers.figures import plots
from notebook_parts import CHAPTERS, HELPERS, ROOT

MODULES = sorted(HELPERS.rglob("*.py"))


def module_name(path):
    """corpus.words; a package goes by its folder, corpus."""
    return ".".join(path.relative_to(HELPERS).with_suffix("").parts).removesuffix("__init__").rstrip(".")


def test_imports_go_towards_earlier_chapters(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)  # where the contracts stand, in pyproject.toml
    assert lint_imports(no_cache=True, no_logo=True) == 0, capsys.readouterr().out


def test_the_top_of_helpers_names_its_modules_in_the_order_of_the_chapters():
    named = re.findall(r"(\d\d) (\w+)", helpers.__doc__)
    modules = {path.stem for path in HELPERS.glob("*.py")} - {"__init__", "__main__"}
    assert {module for _, module in named} == modules
    for (chapter, module), path in zip(named, CHAPTERS[1:], strict=False):
        assert path.name.startswith(chapter)
        first_line = (HELPERS / f"{module}.py").read_text("utf-8").splitlines()[0]
        assert f"Chapter {chapter}." in first_line


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_public_docstrings(path):
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"


def test_importing_helpers_loads_nothing_that_only_some_of_it_needs():
    late = [
        "matplotlib",
        "IPython",
        "sacrebleu",
        "koreanize_matplotlib",
        "datasets",
        "transformers",
        "sentencepiece",
    ]
    names = [f"helpers.{module_name(path)}".rstrip(".") for path in MODULES if path.stem != "__main__"]
    names = [name for name in names if not name.startswith(("helpers.commands", "helpers.exercises.chapter"))]
    code = f"import sys, {', '.join(names)}\nprint([name for name in {late} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("choice", "said"), [("ko", "가\n"), ("en", "a\n"), ("both", "가\na\n")])
def test_language_is_of_this_notebook_and_of_its_messages(choice, said, monkeypatch, capsys):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda html: shown.append(html.data))
    languages.language(choice)
    assert f'<span class="course-{choice}"></span>' in shown[0]
    selectors = re.findall(r"([^{}<>]+) \{", languages.STYLE)
    assert selectors and all(
        part.strip().removeprefix("[data-jp-theme-light=false] ").startswith(".jp-Notebook:has(")
        for line in selectors
        for part in line.split(",")
    )
    hidden = re.findall(r"has\(\.course-(\w+)\) div\[lang=(\w+)\](?=[^}]*display: none)", languages.STYLE)
    assert sorted(hidden) == [("en", "ko"), ("ko", "en")]
    languages.say("가", "a")
    assert capsys.readouterr().out == said


def test_heatmap_has_queries_as_rows_and_keys_as_columns():
    matplotlib.use("Agg")
    ax = plots.attention_heatmap([[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]], ["첫째", "둘째"], ["a", "b", "c"])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["첫째", "둘째"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c"]
    assert "query" in ax.get_ylabel() and "key" in ax.get_xlabel()
    assert ax.images[0].get_array()[0].tolist() == [0.0, 1.0, 0.0]
    assert [text.get_text() for text in ax.texts] == ["0.00", "1.00", "0.00", "0.50", "0.25", "0.25"]
    matplotlib.pyplot.close("all")


def test_heatmap_takes_no_label_for_math():
    matplotlib.use("Agg")
    words = [r"$\frac$", "$x$", "x"]
    ax = plots.attention_heatmap([[0.5] * 3] * 3, words, words)
    ax.set(xlabel="", ylabel="")  # Hangul, for which there may be no font here
    ax.figure.canvas.draw()
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        assert [label.get_text() for label in labels] == words
        _, dollars, letter = (label.get_window_extent().width for label in labels)
        assert dollars > 2 * letter  # $x$ is drawn with its dollar signs
    matplotlib.pyplot.close("all")


def test_map_accumulates():
    matplotlib.use("Agg")

    def looks(**chapters):
        figure = plots.model_map(**chapters)
        colors = [patch.get_facecolor() for patch in figure.axes[0].patches]
        matplotlib.pyplot.close(figure)
        fills = zip(plots.PARTS, plots.FRAMES, strict=True)
        return [sum(colors.count(matplotlib.colors.to_rgba(fill)) for fill in pair) for pair in fills]

    everything = sum(looks())
    assert looks() == [everything, 0, 0]  # without a chapter
    assert looks(now=["01"]) == [2, 0, everything - 2]
    assert looks(done=["01", "02", "03"], now=["04"]) == [3, 6, everything - 9]
    assert looks(done=["01", "08"], now=["09"]) == [2, 3, everything - 5]  # with the frames
