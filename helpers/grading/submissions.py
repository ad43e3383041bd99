"""What students hand in: whose notebook or folder mine/ it is, of which chapter, and what is run of it."""

import json
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

from helpers.mine.rungs import PARTS

MOST_BYTES = 20_000_000  # of a notebook, with all its figures
IMPORTED = re.compile(r"\bhelpers\.exercises[\s.]+(?:import[\s(]+)?chapter_(\d\d)\b")
NAMED = re.compile(r"(.*)(?<!\d)(\d\d)_[a-z][^/]*")  # anna_04_attention, anna/04_attention (1)
MINE = "mine"  # in place of a chapter
FOLDER = re.compile(r"(?:(.*)[ _/-])?mine(?: \(\d+\))?")  # anna/mine, anna_mine (1)
IN_FOLDER = "adapters.py"  # by which a folder mine/ is known
CHECK = """\
from helpers.exercises import chapter_mine
from helpers.lesson import check

check(None, chapter_mine.{})"""  # the cell that checks a part
CARRIER = re.compile(r"^helpers_zip = ", re.M)  # the first cell of an edition
INSTALLS = re.compile(
    r"^([ \t]*)[%!][ \t]*(?:pip|pip3|python3? -m pip|uv|conda|mamba|apt|apt-get)\b.*$", re.M
)
NO_FILE = "읽을 수 있는 파일이 아닙니다.", "This is not a file that can be read."
TOO_LARGE = "파일이 너무 큽니다.", "This file is too large."


@dataclass
class Submission:
    """A notebook: where it lies, whose it is, its chapter ("05"), and the sources of its code cells.

    Of a folder mine/ the chapter is "mine"; it has files, {name: bytes}, and a cell for each part. Where
    there is nothing to run, there are no cells, and problem says why in both languages.
    """

    path: Path
    student: str
    chapter: str | None = None
    cells: list | tuple = ()
    files: dict = field(default_factory=dict)
    problem: tuple = ()


def find_submissions(folder):
    """All notebooks and all folders mine/ in a folder and in the folders in it.

    Args:
        folder: a path.

    Returns:
        List of `Submission`, by name.

    Raises:
        ValueError: there are none.
    """
    folder = Path(folder)
    notebooks, adapters = (
        sorted(path for path in folder.rglob(name) if not is_hidden(path.relative_to(folder)))
        for name in ("*.ipynb", IN_FOLDER)
    )
    read = [read_submission(path, folder) for path in notebooks]
    read += [read_mine(path.parent, folder) for path in adapters]
    if not read:
        raise ValueError(
            f"folder: {folder} holds no notebooks and no mine/; name the one with the students' files"
        )
    whose = [(one.student, one.chapter) for one in read]
    for one in read:
        if whose.count((one.student, one.chapter)) > 1:
            one.student = one.path.relative_to(folder).as_posix()
    return read


def is_hidden(path):
    """Whether a file is no submission but what Jupyter or the system keeps beside it.

    Args:
        path: relative to the folder of the submissions.

    Returns:
        A boolean.
    """
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)


def named_by(path):
    """Whose notebook it is, and of which chapter, by its name.

    Args:
        path: relative to the folder of the submissions: anna_04_attention.ipynb, or anna/04_attention.ipynb.

    Returns:
        A name, "anna", which is the file's where nothing is left; and "04", or None.
    """
    whole = path.with_suffix("").as_posix()
    student, chapter = found.groups() if (found := NAMED.fullmatch(whole)) else ("", None)
    return student.strip(" _-/") or whole, chapter


def read_mine(path, folder):
    """Read a folder mine/.

    Args:
        path: of the folder.
        folder: of all submissions.

    Returns:
        A `Submission`.
    """
    whole = path.relative_to(folder).as_posix() if path != folder else folder.resolve().name
    found = FOLDER.fullmatch(whole)
    student = (found and found[1] or "").strip(" _-/") or whole
    one = Submission(path, student, MINE, [CHECK.format(name) for name in PARTS])
    try:
        one.files = {file.name: read_file(file) for file in sorted(path.glob("*.py"))}
    except OSError:
        one.problem = NO_FILE
    if sum(map(len, one.files.values())) > MOST_BYTES:
        one.problem = TOO_LARGE
    if one.problem:
        one.cells, one.files = (), {}
    return one


def read_submission(path, folder):
    """Read a notebook as JSON, since it may have any version, or be none.

    Args:
        path: of the file.
        folder: of all submissions.

    Returns:
        A `Submission`.
    """
    student, chapter = named_by(path.relative_to(folder))
    one = Submission(path, student)
    try:
        content = read_file(path)
    except OSError:
        one.problem = NO_FILE
        return one
    if len(content) > MOST_BYTES:
        one.problem = TOO_LARGE
        return one
    try:
        sources = ["".join(cell["source"]) for cell in json.loads(content)["cells"] if is_code(cell)]
    except (ValueError, LookupError, TypeError, RecursionError):
        one.problem = "노트북이 아닙니다.", "This is not a notebook."
        return one
    imported = [match[1] for source in sources for match in IMPORTED.finditer(source)]
    one.chapter = imported[-1] if imported else chapter
    one.cells = [without_installing(source) for source in sources]
    return one


def read_file(path):
    """Read a file, but no link, and nothing that is not a file and may have no end.

    Args:
        path: of a file that comes from anyone.

    Returns:
        Bytes; one more than `MOST_BYTES` if there are more.

    Raises:
        OSError: it is no file, or cannot be read.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError("no file")
        return file.read(MOST_BYTES + 1)


def is_code(cell):
    """Whether a cell of a notebook is code.

    Args:
        cell: a dictionary.

    Returns:
        A boolean.
    """
    return cell["cell_type"] == "code"


def without_installing(source):
    """The code of a cell without what would change the teacher's environment or bring other helpers along.

    Args:
        source: of a code cell.

    Returns:
        A string.
    """
    return "" if CARRIER.search(source) else INSTALLS.sub(r"\1pass", source)
