"""The setup cell: where helpers is installed it works in any folder; where not, it says what to do."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import links
from helpers import lesson
from notebook_parts import CHAPTERS, DEPTHS, ROOT, code_cells, read, tags

SETUP = code_cells(read(CHAPTERS[0]))[0][1].source
CHECK = """
print(torch.initial_seed(), plt.rcParams["figure.dpi"], check.__module__)"""


@pytest.fixture
def run(tmp_path):
    """A function that runs the setup cell in an empty folder, with another PYTHONPATH."""
    (tmp_path / "setup.py").write_text(SETUP + CHECK, encoding="utf-8")
    (tmp_path / "empty").mkdir()

    def run(path):
        settings = {**os.environ, "PYTHONPATH": str(path), "MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, tmp_path / "setup.py"]
        return subprocess.run(
            command, cwd=tmp_path / "empty", env=settings, capture_output=True, encoding="utf-8"
        )

    return run


def test_where_helpers_is_installed_the_setup_works_in_any_folder(run):
    done = run(ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "0 100.0 helpers.lesson"


def test_where_helpers_is_missing_the_error_says_what_to_do(run, tmp_path):
    shutil.copy(ROOT / "tests" / "kernels" / "watched" / "fresh_colab.py", tmp_path / "sitecustomize.py")
    done = run(tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'helpers'"
    assert "# not found? run what is folded above" in done.stderr


def test_the_line_to_run_is_folded_above_every_setup_and_names_the_repository_of_the_readme():
    sources = set()
    for path in CHAPTERS + DEPTHS:
        _, install, setup = read(path).cells[:3]
        assert (tags(install), tags(setup)) == (["install"], ["setup"])
        assert [cell for cell in read(path).cells if "install" in tags(cell)] == [install]
        sources.add(install.source)
    [source] = sources
    assert source.startswith("<details>") and "%pip install git+https://" in source
    readme = (ROOT / "README.md").read_text("utf-8")
    addresses = {re.search(r"https://\S+", match[0])[0] for match in links.ADDRESS.finditer(readme + source)}
    assert len(addresses) == 1
    assert links.ADDRESS.search(readme)[1] == "git clone "


def test_what_chapters_train_is_kept_in_the_project_or_where_it_is_missing_in_the_current_folder(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert lesson.build_folder() == ROOT / "build"
    monkeypatch.setattr(lesson, "__file__", str(tmp_path / "site-packages/helpers/lesson/__init__.py"))
    assert lesson.build_folder() == tmp_path / "build"
