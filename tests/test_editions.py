"""The one-file editions: one language each, and each chapter runs alone, as in Colab.

Every chapter is executed twice: where it lies, by nbval, which compares its outputs, and here, as its edition
in an empty folder, where a watched run sees what it reaches for and what it draws.
"""

import copy
import re
import shutil
import subprocess
import sys
from io import BytesIO

import nbformat
import pytest
from fontTools.ttLib import TTFont
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import editions
from approximate import first_difference, outputs_difference, share_of
from notebook_parts import code_cells, tags
from project import ROOT, chapters
from watched_run import watched_run

CHAPTERS = chapters()
LANGUAGE_OF = {path: ("ko", "en")[i % 2] for i, path in enumerate(CHAPTERS)}  # which edition of it is run
SHORTER = {"11": {"epochs": 1, "pair_count": 2600}}  # nbval trains the chapter in full

# What a fresh Colab lacks: this project and the Hangul font package are hidden from the kernel …
NOT_THERE = """
import sys
from importlib.machinery import PathFinder
from pathlib import Path

class Hidden(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == "koreanize_matplotlib" else super().find_spec(name, path, target)

sys.meta_path = [Hidden if finder is PathFinder else finder for finder in sys.meta_path]
sys.path = [place for place in sys.path if not (Path(place) / "helpers" / "lesson.py").exists()]
"""
# … and so are all fonts but those that come with matplotlib.
NO_FONTS = """
from matplotlib import font_manager
fonts = font_manager.fontManager.ttflist
font_manager.fontManager.ttflist = [font for font in fonts if "mpl-data" in font.fname]
"""
FENCED = '```python\n# a · b\n\n\n<div lang="ko">\n</div>\n```'


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("editions")
    editions.build(CHAPTERS, folder)
    return folder


@pytest.fixture
def colab(tmp_path, monkeypatch):
    """An empty folder, and the environment variables that make a kernel in it look like a fresh Colab."""
    package = tmp_path / "stubs" / "google" / "colab"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (tmp_path / "stubs" / "sitecustomize.py").write_text(NOT_THERE)
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("COLAB_RELEASE_TAG", "release-colab")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "stubs"))
    return tmp_path / "empty"


def test_the_emulated_colab_has_torch_but_neither_helpers_nor_the_font_package(colab):
    names = ["torch", "google.colab", "helpers", "koreanize_matplotlib"]
    probe = f"from importlib.util import find_spec; print(*[find_spec(name) is not None for name in {names}])"
    command = [sys.executable, "-c", probe]
    found = subprocess.run(command, cwd=colab, capture_output=True, text=True, check=True).stdout
    assert found.split() == ["True", "True", "False", "False"]


@pytest.fixture
def alone(path, built, colab):
    """The edition of a chapter in an empty folder without fonts, and the file that it is executed from."""
    notebook = nbformat.read(built / LANGUAGE_OF[path] / path.name, as_version=4)
    notebook.cells.insert(1, new_code_cell(NO_FONTS))
    nbformat.write(notebook, colab / path.name)
    if path.name >= "12":  # 11 trains what the later ones open
        (colab / "build").mkdir()
        shutil.copy(ROOT / "build" / "translator.pt", colab / "build")
    yield notebook, colab / path.name
    assert {found.name for found in colab.iterdir()} <= {
        path.name,
        "build",
    }  # where chapter 11 keeps its model


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_watched_run(path, alone):
    """It prints what is stored; no cell reaches the network, warns, misses a glyph or plots NaN."""
    notebook, file = alone
    shorter = SHORTER.get(path.name[:2], {})
    report = watched_run(file, **shorter)
    assert not report["problems"], "\n" + "\n".join(report["problems"])
    cells = code_cells(notebook)
    assert len(report["printed"]) == len(cells)
    for (number, cell), printed in zip(cells, report["printed"], strict=True):
        if not shorter:
            stored = "".join(map(as_printed, cell.outputs))
            difference = first_difference(stored, printed, share_of(tags(cell)))
            assert not difference, f"cell {number} of the edition, {difference}"
    pictures = [out for _, cell in cells for out in cell.outputs if "image/png" in out.get("data", {})]
    assert report["figures"] == len(pictures)


def as_printed(output):
    """A stored output as it is printed without a notebook: a displayed object by its name, no figures."""
    data = output.get("data", {})
    if output.output_type == "display_data" and "image/png" not in data:
        return data["text/plain"] + "\n"
    return output.get("text", "")


@pytest.mark.parametrize("path", CHAPTERS[:2], ids=lambda path: path.stem)
def test_an_edition_in_a_kernel_gives_the_stored_text_outputs(path, alone):
    notebook, file = alone
    stored = copy.deepcopy(notebook)
    resources = {"metadata": {"path": str(file.parent)}}
    NotebookClient(notebook, timeout=300, coalesce_streams=True, resources=resources).execute()
    for (number, before), (_, now) in zip(code_cells(stored), code_cells(notebook), strict=True):
        difference = outputs_difference(before.outputs, now.outputs, share_of(tags(before)))
        assert not difference, f"cell {number} of the edition, {difference}"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["ko", "en"])
def test_edition_holds_one_language(path, language, built):
    notebook = nbformat.read(built / language / path.name, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            prose = re.sub(r"^```.*?^```", "", cell.source, flags=re.M | re.S)
            assert "<div lang=" not in prose and "</div>" not in prose
            for title in re.findall(r"^#+ .*|<summary>.*", prose, flags=re.M):
                assert " · " not in title
                assert language == "ko" or not re.search("[가-힣]", title)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code[0].source.startswith("#@title") and code[0].metadata["jupyter"]["source_hidden"]
    original = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    chosen = [cell.source.replace('start_chapter("both"', f'start_chapter("{language}"') for cell in original]
    chosen[0] = chosen[0].replace("  # not found? run what is folded above", "")  # which is not there
    assert [cell.source for cell in code[1:]] == chosen
    assert "folded above" not in code[1].source
    assert f'start_chapter("{language}"' in code[1].source
    assert f'class="course-{language}"' in str(code[1].outputs)
    assert not any("install" in tags(cell) for cell in notebook.cells)
    assert ('find_spec("sacrebleu")' in code[0].source) == (
        "sacrebleu" in "".join(cell.source for cell in original)
    )


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_local_links_of_an_edition_lead_to_its_neighbors(path, built):
    for language in editions.LANGUAGES:
        edition = built / language / path.name
        for cell in nbformat.read(edition, as_version=4).cells:
            if cell.cell_type == "markdown":
                for target in re.findall(r"\]\(([^)#]+)", cell.source):
                    assert "://" in target or (edition.parent / target).exists(), target


def test_both_keeps_both_languages():
    source = '## 가 · a\n\n<div lang="ko">\n\n나\n\n</div>\n<div lang="en">\n\nb\n\n</div>'
    assert editions.one_language(source, "both") == source


@pytest.mark.parametrize(
    "source, korean, english",
    [
        ("# 4장. 어텐션 · Chapter 4. Attention", "# 4장. 어텐션", "# Chapter 4. Attention"),
        ("## 4.2 왜 나누나 · Why divide", "## 4.2 왜 나누나", "## 4.2 Why divide"),
        ("### Q. 왜? · Why?", "### Q. 왜?", "### Q. Why?"),
        ("<summary>풀이 · Solution</summary>", "<summary>풀이</summary>", "<summary>Solution</summary>"),
        ("## BPE", "## BPE", "## BPE"),
        ("# a · b\n<!-- colab --> <a>\n\ntext · text", "# a\n\ntext · text", "# b\n\ntext · text"),
        ('<div lang="ko">\n\n가\n\n</div>\n<div lang="en">\n\na\n\n</div>', "가", "a"),
        (FENCED, FENCED, FENCED),
    ],
)
def test_one_language(source, korean, english):
    assert editions.one_language(source, "ko") == korean
    assert editions.one_language(source, "en") == english


def test_the_same_sources_give_the_same_bytes(tmp_path):
    chapter = tmp_path / "01_small.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# 가 · a")]), chapter)
    for folder in ("first", "second"):
        editions.build([chapter], tmp_path / folder)
    for language in editions.LANGUAGES:
        first, second = (tmp_path / folder / language / chapter.name for folder in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()


def test_the_font_has_the_syllables_of_ks_x_1001():
    characters = TTFont(BytesIO(editions.hangul_font()[0])).getBestCmap()
    assert sum(0xAC00 <= code <= 0xD7A3 for code in characters) == 2350
    assert all(ord(character) in characters for character in "나는 최근 파리 여행을 다녀왔다 ㄱ A, é → ·")
