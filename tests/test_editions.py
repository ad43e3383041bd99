"""The one-file editions: one language each. What nbval runs are those in both languages."""

import copy
import os
import re
import subprocess
import sys
from io import BytesIO
from zipfile import ZipFile

import nbformat
import pytest
from fontTools.ttLib import TTFont
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import alone
import editions
from approximate import outputs_difference
from helpers.mine.rungs import RUNGS
from notebook_parts import code_cells, tags
from project import FENCE, ROOT, chapters, depths, place

CHAPTERS = chapters()
NOTEBOOKS = CHAPTERS + depths()
ADDED = ("LICENSE", "fonts/CourseHangul.ttf", "fonts/NOTICE.txt")
FENCED = '```python\n# a · b\n\n\n<div lang="ko">\n</div>\n```'


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("editions")
    editions.build(NOTEBOOKS, folder)
    return folder


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["ko", "en"])
def test_edition_holds_one_language(path, language, built):
    notebook = nbformat.read(built / language / place(path), as_version=4)
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
    folded = ["drawing" in tags(cell) for cell in original]
    labeled = [
        editions.one_label(source, language, fold) for source, fold in zip(chosen, folded, strict=True)
    ]
    assert [cell.source for cell in code[1:]] == labeled
    assert "folded above" not in code[1].source
    assert f'start_chapter("{language}"' in code[1].source
    assert f'class="course-{language}"' in str(code[1].outputs)
    assert not any("install" in tags(cell) for cell in notebook.cells)
    assert ('find_spec("sacrebleu")' in code[0].source) == (
        "sacrebleu" in "".join(cell.source for cell in original)
    )


def test_an_edition_carries_all_of_helpers():
    with ZipFile(BytesIO(editions.helpers_zip())) as archive:
        carried = {name for name in archive.namelist() if name.startswith("helpers/")}
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "helpers").rglob("*.*")}
    files = {name for name in files if not name.endswith(".pyc")}
    assert carried == files | {f"helpers/{name}" for name in ADDED}


def test_nbval_runs_and_compares_every_cell_of_every_chapter(tmp_path):
    alone.write_chapters(tmp_path / "alone")
    written = {path.name for path in (tmp_path / "alone").iterdir()}
    assert written == {path.name for path in NOTEBOOKS} and len(written) == len(NOTEBOOKS)
    for path in NOTEBOOKS:
        run, original = (nbformat.read(file, as_version=4) for file in (tmp_path / "alone" / path.name, path))
        assert run.metadata.kernelspec.name == "watched"
        (_, helpers), *rest = code_cells(run)
        assert helpers.source.startswith("#@title") and helpers.execution_count == 0 and not helpers.outputs
        expected = [cell for _, cell in code_cells(original)]
        expected[0].source = expected[0].source.replace(editions.REMEDY, "")
        assert [cell for _, cell in rest] == expected


MESSAGE = re.compile("[✓✗…] ")
SPEAKS = re.compile(r"\b(?:say|hint|language)\(")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_edition_has_its_half_of_the_messages(path, built):
    """Nothing but `check` speaks in the chosen language: one line, with a mark before it."""
    both, ko, en = (nbformat.read(built / name / place(path), as_version=4) for name in ("both", "ko", "en"))
    assert not [i for i, cell in code_cells(both)[1:] if SPEAKS.search(cell.source)]
    for (_, cell), (_, korean), (_, english) in zip(*map(code_cells, (both, ko, en)), strict=True):
        lines, ours, theirs = (messages(found) for found in (cell, korean, english))
        assert lines == [line for pair in zip(ours, theirs, strict=True) for line in pair]
        assert all(re.search("[가-힣]", line) for line in ours)
        assert not any(re.search("[가-힣]", line) for line in theirs)


def messages(cell):
    lines = "".join(output.get("text", "") for output in cell.outputs).splitlines()
    return list(filter(MESSAGE.match, lines))


SETUP = """import matplotlib.pyplot as plt
from helpers.figures import plots
from helpers.exercises.kinds import Prediction
from helpers.lesson import check, start_chapter, table
start_chapter("both", seed=0)"""
SPEAK = """two = Prediction(answer=2, why=("하나 더하기 하나입니다.", "One plus one."))
for guess in (2, 3, ...):
    check(guess, two)
plt.plot([1, 2])
plots.show("직선", "a line")
table([[("나눔", "divided"), 0.5]], [("방법", "way"), ("≈ 손실", "≈ loss")])"""


def test_an_edition_has_the_outputs_of_its_language(tmp_path):
    """The same two cells are executed in both languages, in Korean and in English."""
    choices = ["both", "ko", "en"]
    sources = [code for choice in choices for code in (SETUP.replace("both", choice), SPEAK)]
    notebook = new_notebook(cells=list(map(new_code_cell, sources)))
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, coalesce_streams=True, resources=resources).execute()
    cells = {choice: notebook.cells[2 * i : 2 * i + 2] for i, choice in enumerate(choices)}
    assert cells["both"][1].outputs[0].text.count("\n✓ ") == 1
    for language in ("ko", "en"):
        chapter = new_notebook(cells=copy.deepcopy(cells["both"]))
        _, *derived = editions.edition(chapter, language, carrier="").cells
        for cell, executed in zip(derived, cells[language], strict=True):
            assert cell.source == editions.one_label(executed.source, language)
            assert outputs_difference(cell.outputs, executed.outputs) == ""


BY_HAND = """
from helpers.__main__ import main
main(["mine"])
from helpers.mine.report import check_mine
check_mine("attention")
print(os.environ["PYTHONPATH"].split(os.pathsep)[0] == helpers_folder.name)
"""


def test_in_an_edition_the_reader_writes_beside_the_notebook(built, tmp_path):
    """helpers are unpacked elsewhere, without notebooks; a process that a cell starts finds them, too."""
    script = tmp_path / "cell.py"
    carrier = nbformat.read(built / "both" / CHAPTERS[4].name, as_version=4).cells[0].source
    script.write_text(carrier + BY_HAND, encoding="utf-8")
    others = {
        name: value for name, value in os.environ.items() if name not in ("COURSE_PROGRESS", "PYTHONPATH")
    }
    environment = others | {"PYTHONUTF8": "1"}
    said = subprocess.run(
        [sys.executable, script.name], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8"
    )
    assert said.stderr == ""
    *written, _, korean, english, found = said.stdout.splitlines()  # _: what to do next
    assert written == [f"mine/{name}.py" for name in ("__init__", "adapters", *RUNGS)]
    assert english == "… scaled_dot_product_attention: Not written yet (4)." and korean != english
    assert found == "True"
    stub = (tmp_path / "mine" / "attention.py").read_text(encoding="utf-8")
    assert "def scaled_dot_product_attention(query, key, value, mask=None):" in stub


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_local_links_of_an_edition_lead_to_its_neighbors(path, built):
    for language in editions.LANGUAGES:
        edition = built / language / place(path)
        for cell in nbformat.read(edition, as_version=4).cells:
            if cell.cell_type == "markdown":
                for target in re.findall(
                    r"\]\(([^)#]+)", re.sub("`[^`\n]+`", "", FENCE.sub("", cell.source))
                ):
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


CODE = """\
columns = [("자르기", "cut"), "x", (f"한 {1}", f"a {1}")]
columns += [("더", "more")]
ax.set(xlabel=plots.words("스텝", "step"), ylabel=plots.words(name))
table([(("수", "number"), 1)], [("원문", "source"), ("뜻", "meaning")], digits=1)
sentences["섞은 파리", "Paris, shuffled"] = ("뜻", "meaning")
korean, english = "나는 갔다", "I went"
pairs = [("나는 갔다", "I went.")]
pairs += [("너는", "You")]
"""
ENGLISH = """\
columns = ["cut", "x", f"a {1}"]
columns += ["more"]
ax.set(xlabel="step", ylabel=plots.words(name))
table([("number", 1)], ["source", "meaning"], digits=1)
sentences["Paris, shuffled"] = "meaning"
korean, english = "나는 갔다", "I went"
pairs = [("나는 갔다", "I went.")]
pairs += [("너는", "You")]
"""


def test_labels_in_code_are_in_one_language():
    assert editions.one_label(CODE, "en") == ENGLISH
    assert editions.one_label(CODE, "ko").startswith(
        'columns = ["자르기", "x", f"한 {1}"]\ncolumns += ["더"]\n'
    )


def test_folded_code_keeps_its_pairs_of_labels():
    """What draws them takes pairs: plots.words(*pair)."""
    code = 'for pair in [("위", "up")]:\n    plt.title(plots.words(*pair) + plots.words("수", "number"))'
    drawn = code.replace('plots.words("수", "number")', '"number"')
    assert editions.one_label(code, "en", drawing=True) == drawn


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
