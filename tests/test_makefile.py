"""The Makefile, on an environment that only seems installed."""

import importlib
import os
import re
import shutil

import pytest

from project import ROOT
from test_workbench import run

TARGETS = [
    "help",
    "course",
    "test",
    "try",
    "bench",
    "lab",
    "mine",
    "smollm",
    "notebooks",
    "editions",
    "classroom",
    "site",
    "paragraphs",
    "links",
]
FOR_TESTS = {"test", "try", "bench", "site"}  # what readers do without needs tests/requirements.txt
STAMPS = (".installed", ".registered", ".tests-installed")


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
    for name in ("Makefile", "requirements.txt", "pyproject.toml", "tests/requirements.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
        os.utime(folder / name, (0, 0))
    executable(folder / ".venv" / "bin" / "python", 'echo "Python 3.11.1"')
    for stamp in STAMPS:
        (folder / ".venv" / stamp).write_text(f"{folder}\n")
    return folder


def executable(path, script):
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_help_is_the_default_and_lists_every_target_on_a_line(bench):
    lines = make(bench).stdout.splitlines()
    assert [re.match(r"make (\w+) +\S", line)[1] for line in lines] == TARGETS
    assert make(bench, "help").stdout.splitlines() == lines


def installed(bench, target):
    """The requirements files that a call installs."""
    return re.findall(r"pip install .*-r (\S+)", make(bench, "-n", target).stdout)


@pytest.mark.parametrize("target", TARGETS[1:])
def test_a_second_call_installs_nothing(bench, target):
    assert installed(bench, target) == []
    for stamp in STAMPS:  # an interrupted installation
        (bench / ".venv" / stamp).unlink()
    tests = ["tests/requirements.txt"] if target in FOR_TESTS else []
    assert installed(bench, target) == ["requirements.txt", *tests]


@pytest.mark.parametrize(
    "changed, by_course, by_test",
    [
        ("requirements.txt", ["requirements.txt"], ["requirements.txt", "tests/requirements.txt"]),
        ("pyproject.toml", ["requirements.txt"], ["requirements.txt", "tests/requirements.txt"]),
        ("tests/requirements.txt", [], ["tests/requirements.txt"]),
    ],
)
def test_changed_requirements_are_installed(bench, changed, by_course, by_test):
    for stamp in STAMPS:
        os.utime(bench / ".venv" / stamp, (1, 1))
    os.utime(bench / changed, (2, 2))
    assert installed(bench, "course") == by_course
    assert installed(bench, "test") == by_test


def test_a_moved_project_is_registered_again(bench):
    moved = bench.rename(bench.with_name("moved"))
    executable(moved / ".venv" / "bin" / "python", 'echo "Python 3.11.1"; echo "$@" >> called')
    assert make(moved, "links").returncode == 0
    called = (moved / "called").read_text()
    assert "--no-deps --no-build-isolation -e ." in called  # without a network
    assert "requirements" not in called and "venv" not in called
    (moved / "called").unlink()
    make(moved, "links")
    assert "pip" not in (moved / "called").read_text()


@pytest.mark.parametrize("interrupted", [True, False])
def test_an_interrupted_installation_is_begun_anew_but_not_an_environment_of_the_readers_own(
    bench, interrupted
):
    (bench / ".venv" / ".installed").unlink()
    if interrupted:
        (bench / ".venv" / ".unfinished").touch()
    assert ("venv --clear" in calls(bench)) == interrupted


def calls(bench):
    """What `make links` asks of a Python 3.11.1 that does nothing."""
    python = executable(bench / "python", 'echo "Python 3.11.1"; echo "$@" >> called')
    make(bench, "links", python=python)
    return (bench / "called").read_text()


def test_the_trained_model_is_the_readers(bench):
    (bench / "build").mkdir()
    (bench / "build" / "translator.pt").touch()
    os.utime(bench / "build" / "translator.pt", (1, 1))
    (bench / "helpers").mkdir()
    (bench / "helpers" / "plots.py").touch()
    assert "Training" not in make(bench, "-n", "notebooks").stdout
    (bench / "build" / "translator.pt").unlink()
    assert "Training build/translator.pt" in make(bench, "-n", "notebooks").stdout


@pytest.mark.parametrize("version, rebuilt", [("3.11.1", False), ("3.14.0", True)])
def test_python_picks_the_interpreter(bench, version, rebuilt):
    python = executable(bench / "python", f'echo "Python {version}"; echo "$@" >> called')
    assert make(bench, "links", python=python).returncode == 0
    called = (bench / "called").read_text().splitlines()
    assert ("-m venv --clear .venv" in called) == rebuilt


@pytest.mark.parametrize("version", ["3.10.13", "3.15.0", "2.7.18"])
def test_another_python_is_refused_in_one_line(bench, version):
    python = executable(bench / "python", f'echo "Python {version}"; echo "$@" >> called')
    done = make(bench, "links", python=python)
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1 and f"3.11-3.14, but {python} is: Python {version}" in said[0]
    assert "-m venv" not in (bench / "called").read_text()


def test_lab_hands_the_language_on(bench):
    assert "lab.py ko\n" in make(bench, "-n", "lab", "language=ko").stdout
    assert make(bench, "-n", "lab").stdout.strip().endswith("lab.py")


def test_the_model_is_not_trained_where_it_cannot_be_kept(bench):
    (bench / "build").touch()
    executable(bench / ".venv" / "bin" / "python", 'echo "Python 3.11.1"; echo "$@" >> called')
    done = make(bench, "notebooks")
    assert done.returncode != 0 and "build" in done.stderr
    assert not (bench / "called").exists() or "course_translator" not in (bench / "called").read_text()


def test_every_script_of_the_makefile_is_there():
    scripts = re.findall(r"tests/workbench/\w+\.py", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert len(scripts) == 10
    assert all((ROOT / script).exists() for script in scripts)


def test_what_a_recipe_imports_or_runs_exists():
    recipes = (ROOT / "Makefile").read_text()
    imports = re.findall(r"from ([\w.]+) import (\w+)", recipes)
    scripts = re.findall(r"tests/workbench/\w+\.py", recipes)
    assert imports and scripts
    for module, name in imports:
        assert hasattr(importlib.import_module(module), name), f"{module}.{name}"
    assert [script for script in scripts if not (ROOT / script).is_file()] == []
