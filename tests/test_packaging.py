"""What is installed, where it is said, and that all places say the same."""

import ast
import re
import sys
import tomllib

import pytest
from packaging.requirements import Requirement

from notebook_parts import HELPERS, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
IMPORTED_AS = {"pillow": "PIL", "ipython": "IPython", "koreanize-matplotlib": "koreanize_matplotlib"}
# Imported only where a reader names a data set or a model's file, or has very many pairs; or by `grade`.
OPTIONAL = {
    "ctranslate2",
    "datasets",
    "huggingface_hub",
    "numpy",
    "pyarrow",
    "psutil",
    "safetensors",
    "gguf",
    "tokenizers",
    "traitlets",
}
OPTIONAL |= {"nbclient", "nbformat", "psutil"}
PINNED = re.compile(r"([a-z0-9-]+)==\d+(\.(?:post)?\d+)+  # \S.*")


def lines(name):
    return (ROOT / name).read_text("utf-8").splitlines()


def pins(name):
    """{package: version} of a requirements file."""
    return dict(line.split()[0].split("==") for line in lines(name) if "==" in line)


@pytest.mark.parametrize("name", ["requirements.txt", "tests/requirements.txt"])
def test_requirements_are_exact_and_each_says_why(name):
    for line in lines(name):
        assert PINNED.fullmatch(line) or line.startswith("-e .  # "), line


def test_readers_get_the_course_and_nothing_that_only_tests_need():
    readers, tests = pins("requirements.txt"), pins("tests/requirements.txt")
    assert readers["torch"] == "2.13.0"
    assert {"jupyter", "matplotlib", "nbval", "papermill"} <= set(readers)
    assert not set(readers) & set(tests)
    assert sum(line.startswith("-e .") for line in lines("requirements.txt")) == 1


def test_the_project_asks_for_lower_bounds_that_the_pins_meet():
    for text in PROJECT["project"]["dependencies"]:
        requirement = Requirement(text)
        assert [specifier.operator for specifier in requirement.specifier] == [">="], text
        version = pins("requirements.txt").get(requirement.name)
        assert version is None or requirement.specifier.contains(version), text


def test_the_project_names_what_helpers_imports():
    named = {Requirement(text).name for text in PROJECT["project"]["dependencies"]}
    named = {IMPORTED_AS.get(name, name) for name in named}
    imported = {"koreanize_matplotlib"}  # its font is found without importing it
    for path in HELPERS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module.split(".")[0])
    assert imported - set(sys.stdlib_module_names) - OPTIONAL - {"helpers"} == named


def test_the_workflow_tests_the_lower_bounds():
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    [job] = re.findall(r"^  lowest:.*?(?=^  \w)", workflow, re.M | re.S)
    assert "uv pip install --resolution lowest-direct --torch-backend cpu -e ." in job
    named = re.findall(r"tests/\w+\.py", job)
    assert {"tests/test_model.py", "tests/test_pretrained.py", "tests/test_training.py"} <= set(named)
    assert [name for name in named if not (ROOT / name).exists()] == []


PACKAGED = {"helpers.corpus": ["*.tsv", "*.txt"], "helpers.live": ["*.js", "*.css", "*.html"]}


def test_all_of_helpers_is_installed():
    """Only folders with an __init__.py are found; besides modules, only the kinds named come along."""
    files = [path for path in HELPERS.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    others = {path for path in files if path.suffix != ".py"}
    folders = {name: HELPERS.parent.joinpath(*name.split(".")) for name in PACKAGED}
    assert others == {
        path for name, kinds in PACKAGED.items() for kind in kinds for path in folders[name].glob(kind)
    }
    assert PROJECT["tool"]["setuptools"]["package-data"] == PACKAGED
    assert [path for path in files if not (path.parent / "__init__.py").exists()] == []


def test_every_place_names_the_same_versions_of_python():
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert PROJECT["tool"]["ruff"]["target-version"] == "py311"
    assert re.findall(r'"Python (3\.\d+)\."', (ROOT / "Makefile").read_text("utf-8")) == [
        "3.11",
        "3.12",
        "3.13",
        "3.14",
    ]
    assert "Python 3.11–3.14" in (ROOT / "README.md").read_text("utf-8")
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert {"3.11", "3.14"} <= set(re.findall(r"\b3\.\d\d\b", workflow)) <= {"3.11", "3.12", "3.13", "3.14"}
