"""Where the chapters are, and the parts of a notebook that the rules look at."""

import ast
import functools
import re

import nbformat

from project import ROOT

HELPERS = ROOT / "helpers"
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DEPTHS = sorted((ROOT / "notebooks" / "deeper").glob("*.ipynb"))

HEADING = re.compile(r"^#{1,6} (.+)$", re.M)


@functools.cache
def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(nb):
    """(index, cell) of each code cell. Indices count all cells, from 0."""
    return [(i, cell) for i, cell in enumerate(nb.cells) if cell.cell_type == "code"]


def prose_cells(nb):
    """(index, source) of each Markdown cell."""
    return [(i, cell.source) for i, cell in enumerate(nb.cells) if cell.cell_type == "markdown"]


def tags(cell):
    return cell.metadata.get("tags", [])


def trees(nb):
    """(index, syntax tree) of each code cell that is Python."""
    found = []
    for i, cell in code_cells(nb):
        try:
            found.append((i, ast.parse(cell.source)))
        except SyntaxError:
            pass  # the rule plain_python reports it
    return found


def printed(cell):
    """The texts stored below a cell, errors included, pictures not."""
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        yield "\n".join(output.get("traceback", []))
        for kind, value in output.get("data", {}).items():
            if kind.startswith("text/") or kind == "image/svg+xml":
                yield value
