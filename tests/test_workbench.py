"""The scripts behind the make targets, on small notebooks."""

import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import course
import links
import refresh
from project import METADATA, ROOT


def run(command, folder, **settings):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **settings)


def notebook(path, *sources):
    """Write a notebook with a title and the code cells given."""
    cells = [new_markdown_cell("# 가 · a\n\n<!-- colab -->"), *map(new_code_cell, sources)]
    cells[1].metadata["tags"] = ["setup"]
    nbformat.write(new_notebook(cells=cells, metadata=METADATA), path)
    return path


# make course


def test_course_goes_on_past_a_failure_and_names_it(tmp_path, capfd):
    first = notebook(tmp_path / "01_broken.ipynb", "x = 1", "print(x)\nx / 0", "x")
    second = notebook(tmp_path / "02_whole.ipynb", "open('made_here', 'w').close()")
    assert course.run([first, second], tmp_path / "build") == 1
    printed = capfd.readouterr().out
    assert re.search(r"^01_broken +\d+\.\d +no$", printed, re.M)
    assert re.search(r"^02_whole +\d+\.\d +yes$", printed, re.M)
    assert printed.endswith("failed:\n01_broken, cell [2]: ZeroDivisionError: division by zero\n")
    assert (tmp_path / "made_here").exists()  # it ran in its own folder
    assert nbformat.read(tmp_path / "build" / second.name, 4).cells[-1].execution_count == 1


def test_course_names_the_cell_in_which_a_kernel_died(tmp_path, capfd):
    dying = notebook(tmp_path / "01_dying.ipynb", "1", "import os; os._exit(1)", "2")
    assert course.run([dying], tmp_path / "build") == 1
    assert "01_dying, cell [2]: DeadKernelError" in capfd.readouterr().out


@pytest.mark.parametrize("source, status", [("1", 0), ("1 / 0", 1)])
def test_exit_status_of_course(tmp_path, source, status):
    folder = tmp_path / "tests" / "workbench"
    shutil.copytree(ROOT / "tests" / "workbench", folder)
    (tmp_path / "notebooks").mkdir()
    notebook(tmp_path / "notebooks" / "01_small.ipynb", source)
    done = run([sys.executable, folder / "course.py"], tmp_path)
    assert done.returncode == status
    assert (tmp_path / "build" / "01_small.ipynb").exists()


# make notebooks


def test_refresh_gives_the_same_bytes_twice(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "import sys; print(1); print(2, file=sys.stderr)", "[3]")
    assert not refresh.refresh_all([path])
    once = path.read_bytes()
    assert not refresh.refresh_all([path])
    assert path.read_bytes() == once
    assert once.endswith(b"}\n") and not once.endswith(b"\n\n")
    assert [cell.execution_count for cell in nbformat.read(path, 4).cells[1:]] == [1, 2]


def test_refresh_leaves_only_the_metadata_of_the_course(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "1")
    before = nbformat.read(path, 4)
    before.metadata["papermill"] = {"duration": 1}
    before.cells[1].metadata["execution"] = {"started": "now"}
    nbformat.write(before, path)
    refresh.refresh_all([path])
    after = nbformat.read(path, 4)
    assert after.metadata == METADATA
    assert [cell.metadata for cell in after.cells] == [{}, {"tags": ["setup"]}]
    assert [cell.id for cell in after.cells] == [cell.id for cell in before.cells]


def test_refresh_leaves_a_failing_notebook_as_it_was(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", "1", "import nothing_like_it")
    before = path.read_bytes()
    [failure] = refresh.refresh_all([path])
    assert failure == "01_small, cell [2]: ModuleNotFoundError: No module named 'nothing_like_it'"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# make links


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/someone/the.course.git",
        "https://github.com/someone/the.course",
        "https://user@github.com/someone/the.course/",
        "git@github.com:someone/the.course.git",
        "ssh://git@github.com/someone/the.course.git",
    ],
)
def test_the_repository_is_read_from_the_remote(tmp_path, remote):
    run(["git", "init", "-q"], tmp_path)
    run(["git", "remote", "add", "origin", remote], tmp_path)
    assert links.repository(tmp_path) == "someone/the.course"


@pytest.mark.parametrize(
    "remote", [None, "https://example.org/someone/course", "/srv/github.com", "../course"]
)
def test_without_a_github_remote_links_says_so(tmp_path, remote):
    run(["git", "init", "-q"], tmp_path)
    if remote:
        run(["git", "remote", "add", "origin", remote], tmp_path)
    with pytest.raises(ValueError, match="^origin: .*GitHub.*git remote add origin"):
        links.repository(tmp_path)


def test_links_fills_in_the_setup_cell_and_the_badge_once(tmp_path):
    path = notebook(tmp_path / "01_small.ipynb", 'REPOSITORY = ""\nprint(REPOSITORY)', 'REPOSITORY = "mine"')
    assert links.link(path, "someone/course")
    title, setup, other = nbformat.read(path, 4).cells
    assert setup.source == 'REPOSITORY = "https://github.com/someone/course"\nprint(REPOSITORY)'
    assert other.source == 'REPOSITORY = "mine"'
    page = "https://colab.research.google.com/github/someone/course/blob/main/notebooks/01_small.ipynb"
    assert re.fullmatch(rf'# 가 · a\n\n<!-- colab --> <a href="{page}"><img .*></a>', title.source)
    once = path.read_bytes()
    assert not links.link(path, "someone/course")
    assert path.read_bytes() == once
    assert links.link(path, "another/course")
    assert "someone" not in path.read_text(encoding="utf-8")
