"""The watched run and strict nbval, each shown to catch what it is there to catch."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from project import ROOT
from rules_hygiene import run_in_order
from small_notebooks import PATH, code, small
from watched_run import watched_run

CAUGHT = [  # code of a cell, what the watched run says about it
    ("with suppress(OSError):\n    urllib.request.urlopen('http://127.0.0.1:9')", "socket."),
    ("with suppress(OSError):\n    socket.create_server(('127.0.0.1', 0))", "socket.bind"),
    ("with suppress(OSError):\n    subprocess.run(['true'])", "subprocess.Popen"),
    ("plt.title('\u13a0')\nplt.show()", "Glyph 5024"),
    ("plt.title('$\u13a0$')\nplt.show()", "does not have a glyph"),
    ("plt.title('x', fontfamily='No Such Font')\nplt.show()", "findfont"),
    ("plt.plot([1, math.nan])\nplt.show()", "Line2D: NaN"),
    ("plt.bar([0, 1], [1, math.inf])", "Rectangle: NaN"),
    ("plt.gca().add_collection(LineCollection([[(0, 0), (1, math.nan)]]))", "LineCollection: NaN"),
    ("plt.imshow([[1, math.nan]])", "imshow: NaN"),
    ("plt.scatter([1, 2], [1, math.nan])", "scatter: NaN"),
    ("plt.hist([1, 2, math.nan])", "hist: NaN"),
    ("plt.axis('off')\nplt.text(0.5, 0.5, 'head')\nplt.text(0.5, 0.51, 'W_O')", "text 'head' lies on 'W_O'"),
    ("warnings.warn('look')", "UserWarning: look"),
    ("logging.getLogger('x').warning('look')", "log: look"),
    ("1 / 0", "ZeroDivisionError"),
]
IMPORTS = """import logging, math, socket, subprocess, urllib.request, warnings
from contextlib import suppress

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection"""
FINE = """plt.plot(["a", "b"], [1, 2])
plt.imshow(np.ma.masked_where([[True, False]], [[math.inf, 1.0]]))
plt.show()
print("fine")"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What one run says of two cells that are fine and of the broken ones, each in a cell of its own."""
    path = tmp_path_factory.mktemp("watched") / "small.ipynb"
    cells = [IMPORTS, FINE, *(source for source, _ in CAUGHT)]
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in cells]), path)
    return watched_run(path)


@pytest.mark.parametrize("number", range(len(CAUGHT)), ids=[phrase for _, phrase in CAUGHT])
def test_watched_run_catches(number, report):
    problems = [problem for problem in report["problems"] if problem.startswith(f"cell {number + 2}: ")]
    assert CAUGHT[number][1] in "\n".join(problems)


def test_watched_run_lets_the_good_pass(report):
    assert not [problem for problem in report["problems"] if problem.startswith(("cell 0:", "cell 1:"))]
    assert len(report["printed"]) == len(CAUGHT) + 1  # all but the last, which stops with an error
    assert report["printed"][1] == "fine\n"
    assert report["figures"] == 11


def test_a_figure_without_a_description_is_reported_where_others_have_one(tmp_path):
    shown = "plt.plot([1])\nplots.show('직선', 'a line')"
    bare = "plt.plot([1])\nplt.show()"
    setup = "import matplotlib.pyplot as plt\nfrom helpers import plots\nplots.use_style()"
    for name, cells in (("some", [setup, shown, bare]), ("none", [setup, bare])):
        nbformat.write(new_notebook(cells=list(map(new_code_cell, cells))), tmp_path / f"{name}.ipynb")
    (tmp_path / "helpers").symlink_to(ROOT / "helpers")
    some, none = (watched_run(tmp_path / f"{name}.ipynb") for name in ("some", "none"))
    assert some["problems"] == ["cell 2: figure without a description"] and some["figures"] == 2
    assert none["problems"] == [] and none["figures"] == 1


@pytest.fixture(scope="module")
def nbval(tmp_path_factory):
    """What `pytest --nbval` says of a right output, a wrong one, and a cell that has not run."""
    folder = tmp_path_factory.mktemp("nbval")
    for name, output in (("right", "2\n"), ("wrong", "3\n"), ("not_run", "")):
        nb = small(code("print(1 + 1)", output))
        if not output:
            nb.cells[-1].execution_count = None
        nbformat.write(nb, folder / f"{name}.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "-rA", "--color=no", "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stdout, nbformat.read(folder / "not_run.ipynb", as_version=4)


@pytest.mark.parametrize("outcome", ["PASSED right", "FAILED wrong", "PASSED not_run"])
def test_strict_nbval(outcome, nbval):
    assert f"{outcome}.ipynb::Cell 2" in nbval[0]


def test_what_nbval_lets_pass_is_caught(nbval):
    assert run_in_order(nbval[1], PATH) == ["cell 5: execution count None, expected 3"]
