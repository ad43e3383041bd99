"""The Makefile, on an environment that only seems installed; and requirements.txt."""

import os
import re
import shutil

import pytest

from project import ROOT
from test_workbench import run

TARGETS = ["help", "course", "test", "bench", "lab", "notebooks", "editions", "links"]


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
