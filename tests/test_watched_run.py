"""The kernel that nbval runs the chapters on: each thing it watches for makes a cell fail."""

import os
import subprocess
import sys
from xml.etree import ElementTree

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from alone import WATCHED
from project import ROOT

IMPORTS = """import logging, math, os, socket, subprocess, sys, urllib.request, warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import font_manager
from matplotlib.collections import LineCollection"""
IN_COLAB = """print(*map(find_spec, ["helpers", "koreanize_matplotlib"]))
import google.colab, torch
print({Path(font.fname).parents[1].name for font in font_manager.fontManager.ttflist})"""
DRAWN = """plt.plot(["a", "b"], [1, 2])
plt.imshow(np.ma.masked_where([[True, False]], [[math.inf, 1.0]]))
plt.show()
os.makedirs("build", exist_ok=True)
print("fine")"""
FIGURE = {"image/png": "", "text/plain": "<Figure size 640x480 with 1 Axes>"}
GOOD = [  # code of a cell, what it shows
    (IMPORTS, []),
    (IN_COLAB, [new_output("stream", text="None None\n{'fonts'}\n")]),
    (DRAWN, [new_output("display_data", data=FIGURE), new_output("stream", text="fine\n")]),
]
CAUGHT = [  # code of a cell, what it fails with
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
    ("Path('note.txt').touch()", "left behind: note.txt"),
    ("1 / 0", "ZeroDivisionError"),
    ("print('look', file=sys.stderr)", "now: stderr"),
]


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What nbval says of the good cells, the broken ones, and a good one again: "" where a cell passes."""
    folder = tmp_path_factory.mktemp("watched")
    nb = new_notebook(metadata={"kernelspec": WATCHED})
    for source, outputs in [*GOOD, *((source, []) for source, _ in CAUGHT), GOOD[-1]]:
        nb.cells.append(new_code_cell(source, outputs=outputs, execution_count=len(nb.cells) + 1))
    nbformat.write(nb, folder / "small.ipynb")
    report = folder.with_suffix(".xml")
    command = [sys.executable, "-m", "pytest", "--nbval", "-p", "conftest", f"--junitxml={report}", "."]
    paths = os.pathsep.join(str(ROOT / place) for place in (".", "tests/workbench"))
    subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": paths}, capture_output=True)
    cases = ElementTree.parse(report).iter("testcase")
    return ["".join(failure.text for failure in case.iter("failure")) for case in cases]


@pytest.mark.parametrize("number", range(len(CAUGHT)), ids=[phrase for _, phrase in CAUGHT])
def test_the_watch_catches(number, said):
    traceback = said[len(GOOD) + number].partition("Traceback:")[2]
    assert CAUGHT[number][1] in traceback


def test_the_watch_lets_the_good_pass(said):
    assert said[: len(GOOD)] + said[-1:] == [""] * (len(GOOD) + 1)
    assert len(said) == len(GOOD) + len(CAUGHT) + 1
