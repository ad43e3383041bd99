"""The scripts behind the make targets, on small notebooks; and the Makefile itself."""

import os
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
from project import ROOT

TARGETS = ["help", "course", "test", "lab", "notebooks", "editions", "links"]


def notebook(path, *sources):
    """Write a notebook with a title and the code cells given."""
    cells = [new_markdown_cell("# 가 · a\n\n<!-- colab -->"), *map(new_code_cell, sources)]
    cells[1].metadata["tags"] = ["setup"]
    nbformat.write(new_notebook(cells=cells, metadata=refresh.METADATA), path)
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
    assert after.metadata == refresh.METADATA
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


# The Makefile and requirements.txt


def run(command, folder, **settings):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **settings)


def make(folder, *arguments, python=None):
    """`make` in a folder, without what an outer make or a caller's PYTHON would change."""
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON")
    environment = {key: value for key, value in os.environ.items() if key not in outer}
    return run(["make", *arguments], folder, env=environment | ({"PYTHON": str(python)} if python else {}))


@pytest.fixture
def bench(tmp_path):
    """A folder (with a space in its name) that holds the Makefile and an environment that seems installed."""
    folder = tmp_path / "the course"
    (folder / ".venv" / "bin").mkdir(parents=True)
    for name in ("Makefile", "requirements.txt"):
        shutil.copy(ROOT / name, folder)
    executable(folder / ".venv" / "bin" / "python", 'echo "Python 3.11.1"')
    (folder / ".venv" / ".installed").touch()
    os.utime(folder / "requirements.txt", (0, 0))
    return folder


def executable(path, script):
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_help_is_the_default_and_lists_every_target_on_a_line(bench):
    lines = make(bench).stdout.splitlines()
    assert [re.match(r"make (\w+) +\S", line)[1] for line in lines] == TARGETS
    assert make(bench, "help").stdout.splitlines() == lines


@pytest.mark.parametrize("target", TARGETS[1:])
def test_a_second_call_installs_nothing(bench, target):
    assert "pip install" not in make(bench, "-n", target).stdout
    (bench / ".venv" / ".installed").unlink()  # an interrupted installation
    assert "pip install" in make(bench, "-n", target).stdout


def test_changed_requirements_are_installed(bench):
    assert make(bench, "-q", ".venv/.installed").returncode == 0
    os.utime(bench / "requirements.txt")
    os.utime(bench / ".venv" / ".installed", (0, 0))
    assert make(bench, "-q", ".venv/.installed").returncode == 1


@pytest.mark.parametrize("version, rebuilt", [("3.11.1", False), ("3.13.0", True)])
def test_python_picks_the_interpreter(bench, version, rebuilt):
    python = executable(bench / "python", f'echo "Python {version}"; echo "$@" >> called')
    assert make(bench, "links", python=python).returncode == 0
    called = (bench / "called").read_text().splitlines()
    assert ("-m venv --clear .venv" in called) == rebuilt


@pytest.mark.parametrize("version", ["3.9.18", "3.14.0", "2.7.18"])
def test_another_python_is_refused_in_one_line(bench, version):
    python = executable(bench / "python", f'echo "Python {version}"; echo "$@" >> called')
    done = make(bench, "links", python=python)
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1 and f"3.10-3.13, but {python} is: Python {version}" in said[0]
    assert "-m venv" not in (bench / "called").read_text()


def test_requirements_are_exact_and_each_says_why():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        assert re.fullmatch(r"[a-z-]+==\d+(\.\d+)+(; python_version [<>]=? \"3\.\d+\")?  # \S.*", line), line
    assert "torch==2.13.0" in [line.split()[0] for line in lines]


def test_every_script_of_the_makefile_is_there():
    scripts = re.findall(r"tests/workbench/\w+\.py", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert len(scripts) == 4
    assert all((ROOT / script).exists() for script in scripts)
