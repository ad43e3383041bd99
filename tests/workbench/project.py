"""Where the chapters are, and how a notebook is run and written."""

import contextlib
import hashlib
import os
import re
import sys
from pathlib import Path

import nbformat

from helpers.engine.files import write_whole

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

OF_PICTURES = (  # what is stored with one: words for it, its smallest label, what it is of, other languages
    "alt",
    "smallest_label",
    "code",
    "pictures",
    "ko",
    "en",
)


def chapters():
    """The chapters in order: notebooks/00_start_here.ipynb, …"""
    return sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def depths():
    """The depths, in the order of their chapters: notebooks/deeper/04_do_we_need_sqrt_d.ipynb, …"""
    return sorted((ROOT / "notebooks" / "deeper").glob("[0-9][0-9]_*.ipynb"))


def runs_here(path):
    """Whether a notebook has what it needs: those that speak with SmolLM2 need it to be installed."""
    if "skip_without_smollm2(" not in path.read_text("utf-8"):
        return True
    from helpers.lesson.optional import smollm2_is_missing  # takes seconds

    return not smollm2_is_missing()


def place(path):
    """Where a notebook lies among others: 04_attention.ipynb, or deeper/04_do_we_need_sqrt_d.ipynb."""
    return f"deeper/{path.name}" if path.parent.name == "deeper" else path.name


def metadata_of(cell):
    """All the metadata that a cell may have: its tags; one that only draws, or prepares, is shown folded."""
    tags = cell.metadata.get("tags", [])
    return ({"tags": tags} if tags else {}) | (FOLDED if {"drawing", "preparing"} & {*tags} else {})


def code_up_to(notebook, number):
    """The sources of the code cells up to and including one."""
    return [cell.source for cell in notebook.cells[: number + 1] if cell.cell_type == "code"]


def checksum(texts):
    """What is stored of texts, and a test compares."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def pictures_of(output):
    """A stored picture in both languages, in Korean and in English; "" where it is the same as in both."""
    about = output.metadata.get("image/png", {})
    return [output.data["image/png"], about.get("ko", ""), about.get("en", "")]


def write(notebook, path):
    """Write a notebook."""
    nbformat.validate(notebook)
    write_text(nbformat.writes(notebook) + "\n", path)


def write_text(text, path):
    """Write a file whole, or leave the old one."""
    write_whole(path, text.encode())


@contextlib.contextmanager
def end_in_one_line():
    """A script that cannot read or write ends in one line that says what and why."""
    try:
        yield
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; make needs to read and write there")
    except ValueError as error:
        sys.exit(str(error))
