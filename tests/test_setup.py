"""The setup cell finds helpers wherever a chapter is opened, fetches it, or says what to do."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from notebook_parts import CHAPTERS, ROOT, code_cells, read
from test_editions import NOT_THERE

SETUP = code_cells(read(CHAPTERS[0]))[0][1].source
ALONE = "import helpers; print(helpers.__file__)"


@pytest.fixture
def bare(tmp_path):
    """An empty folder, and the settings of a Python in which helpers is not installed."""
    (tmp_path / "stubs").mkdir()
    (tmp_path / "stubs" / "sitecustomize.py").write_text(NOT_THERE)
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty", {**os.environ, "PYTHONPATH": str(tmp_path / "stubs"), "MPLBACKEND": "agg"}


def run(source, folder, settings):
    command = [sys.executable, "-c", f"{source}\n{ALONE}"]
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True)


@pytest.mark.parametrize("folder", [ROOT, ROOT / "notebooks", ROOT / "tests" / "workbench"])
def test_opened_inside_the_project(folder, bare):
    done = run(SETUP, folder, bare[1])
    assert done.returncode == 0, done.stderr
    assert str(ROOT / "helpers") in done.stdout


def test_opened_elsewhere_with_helpers_installed(bare):
    folder, settings = bare
    done = run(SETUP, folder, {**settings, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr


def test_opened_alone_it_fetches_the_repository_once(bare, tmp_path):
    folder, settings = bare
    remote = tmp_path / "remote"
    shutil.copytree(ROOT / "helpers", remote / "helpers")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in ([*git, "init", "-q"], [*git, "add", "."], [*git, "commit", "-qm", "x"]):
        subprocess.run(command, cwd=remote, check=True)
    source = re.sub('^REPOSITORY = ".*"', f'REPOSITORY = "{remote.as_uri()}"', SETUP, flags=re.M)
    for _ in range(2):
        done = run(source, folder, settings)
        assert done.returncode == 0, done.stderr
        assert str(folder / "transformer-piece-by-piece" / "helpers") in done.stdout
        shutil.rmtree(remote, ignore_errors=True)  # the second time nothing is fetched


def test_opened_alone_and_out_of_reach_it_says_what_to_do(bare):
    folder, settings = bare
    done = run(re.sub('^REPOSITORY = ".*"', 'REPOSITORY = ""', SETUP, flags=re.M), folder, settings)
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert (
        said.startswith("ModuleNotFoundError") and "저장소를 받아" in said and "clone the repository" in said
    )
