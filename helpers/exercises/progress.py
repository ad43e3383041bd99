"""Which exercises are solved: kept in one small file, so that it outlives a restart."""

import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path

from helpers import exercises
from helpers.engine.files import write_whole
from helpers.exercises.kinds import KINDS

PREFIX = f"{exercises.__name__}.chapter_"
_kept = {}  # where there is no file


def names_of(module):
    """The names of a chapter's exercises.

    Args:
        module: one of `helpers.exercises.chapter_NN`.

    Returns:
        List of str, in the order of the module.
    """
    return [name for name, value in vars(module).items() if isinstance(value, KINDS) and name[0] != "_"]


def exercises_of(chapter):
    """The exercises of a chapter.

    Args:
        chapter: "05", or None.

    Returns:
        {name: exercise}, in the order of the module; empty where there is no such chapter.
    """
    try:
        module = importlib.import_module(f"{PREFIX}{chapter}")
    except ModuleNotFoundError as error:
        if error.name != f"{PREFIX}{chapter}":  # a library that a chapter needs
            raise
        return {}
    return {name: getattr(module, name) for name in names_of(module)}


def find(exercise):
    """The chapter and the name of an exercise, among the chapters that are imported.

    Args:
        exercise: of one of `KINDS`.

    Returns:
        ("05", "silence_head"), or None for an exercise of no chapter.
    """
    for module in [module for name, module in sys.modules.items() if name.startswith(PREFIX)]:
        for name in names_of(module):
            if getattr(module, name) is exercise:
                return module.__name__[-2:], name
    return None


def mark_solved(chapter, name, folder):
    """Keep that an exercise is solved; where nothing can be written, until this Python ends.

    Args:
        chapter: "05".
        name: of the exercise.
        folder: Path of the folder of the file.
    """
    _kept.setdefault(chapter, set()).add(name)
    solved = read(folder)
    text = json.dumps({chapter: sorted(names) for chapter, names in sorted(solved.items())}, indent=1)
    if file := _file(folder):
        try:
            write_whole(file, text.encode())
        except ValueError:
            pass  # an exercise is solved all the same


def read(folder):
    """What is solved; a file that is damaged or is something else counts as none.

    Args:
        folder: as in `mark_solved`.

    Returns:
        {"05": {"silence_head"}}.
    """
    solved = {chapter: set(names) for chapter, names in _kept.items()}
    file = _file(folder)
    try:
        for chapter, names in json.loads(file.read_bytes() if file else "{}").items():
            solved.setdefault(chapter, set()).update(str(name) for name in list(names))
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        pass
    return solved


def counts(folder):
    """How many exercises of every chapter are solved.

    Args:
        folder: as in `mark_solved`.

    Returns:
        {"05": (solved, all)} of all chapters, in order.
    """
    solved = read(folder)
    names = sorted(module.name for module in pkgutil.iter_modules(exercises.__path__))
    return {name[-2:]: count(name[-2:], solved) for name in names if name.startswith("chapter_")}


def count(chapter, solved):
    """How many exercises of one chapter are solved.

    Args:
        chapter: "05".
        solved: what `read` returns.

    Returns:
        (solved, all).
    """
    names = exercises_of(chapter)
    return sum(name in solved.get(chapter, ()) for name in names), len(names)


def _file(folder):
    """The file; the tests and the stored outputs know none: COURSE_PROGRESS=none."""
    return None if os.environ.get("COURSE_PROGRESS") == "none" else Path(folder) / "progress.json"
