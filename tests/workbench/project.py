"""Where the chapters are, and how a notebook is run and written."""

import os
from pathlib import Path

import nbformat

os.environ.setdefault("TQDM_DISABLE", "1")  # no progress bar in what is stored and compared

ROOT = Path(__file__).resolve().parents[2]
QUIET = ["--log-level=ERROR"]  # of a kernel's own log
METADATA = {  # of every chapter
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def chapters():
    """The chapters in order: notebooks/00_start_here.ipynb, …"""
    return sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def write(notebook, path):
    """Write a notebook under a temporary name first, so that an interruption leaves the old file whole."""
    nbformat.validate(notebook)
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    os.replace(temporary, path)
