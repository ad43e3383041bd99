"""Where the chapters are, and how a notebook is run and written."""

import os
import re
from pathlib import Path

import nbformat

os.environ.setdefault("TQDM_DISABLE", "1")  # no progress bar in what is stored and compared
os.environ["COURSE_PROGRESS"] = "none"  # what somebody has solved is neither shown nor changed

ROOT = Path(__file__).resolve().parents[2]
QUIET = [
    "--log-level=CRITICAL"
]  # of a kernel's own log: a failing cell is reported without it, and so is Ctrl-C
FENCE = re.compile(r"^```.*?^```[^\n]*$", re.M | re.S)  # code inside Markdown
FOLDED = {"jupyter": {"source_hidden": True}, "cellView": "form"}  # in JupyterLab, in Colab
METADATA = {  # of every chapter
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def chapters():
    """The chapters in order: notebooks/00_start_here.ipynb, …"""
    return sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def metadata_of(cell):
    """All the metadata that a cell may have: its tags; one that only draws is shown folded."""
    tags = cell.metadata.get("tags", [])
    return ({"tags": tags} if tags else {}) | (FOLDED if "drawing" in tags else {})


def write(notebook, path):
    """Write a notebook."""
    nbformat.validate(notebook)
    write_text(nbformat.writes(notebook) + "\n", path)


def write_text(text, path):
    """Write a file under a temporary name first, so that an interruption leaves the old one whole."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
