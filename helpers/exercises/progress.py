"""Which exercises are tried and solved: kept in a folder, so that it outlives a restart.

Each is an empty file of its own, such as 05.silence_head.solved: processes that mark at once need no lock,
and nothing that happens to one file touches the others.
"""

import contextlib
import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path

from helpers import exercises
from helpers.exercises.kinds import KINDS

PREFIX = f"{exercises.__name__}.chapter_"
_kept = set()  # where there is no folder


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


def mark(chapter, name, solved, folder):
    """Keep that an exercise is solved or tried; where nothing can be written, until this Python ends.

    Args:
        chapter: "05".
        name: of the exercise.
        solved: bool.
        folder: Path in which the folder of these files is.
    """
    note = f"{chapter}.{name}.{'solved' if solved else 'tried'}"
    _kept.add(note)
    if place := _place(folder):
        with contextlib.suppress(OSError):  # an exercise is solved all the same
            place.mkdir(parents=True, exist_ok=True)
            (place / note).touch()


def read(folder):
    """What is tried and solved; files of other names count as nothing.

    Args:
        folder: as in `mark`.

    Returns:
        {("05", "silence_head"): True}, False for what is tried and not solved.
    """
    notes, place = {*_kept, *_earlier(folder)}, _place(folder)
    with contextlib.suppress(OSError):
        notes.update(os.listdir(place) if place else ())
    parts = [note.split(".") for note in sorted(notes, reverse=True) if note.count(".") == 2]
    return {(chapter, name): state == "solved" for chapter, name, state in parts}  # solved comes last


def counts(folder):
    """How many exercises of every chapter are solved and tried.

    Args:
        folder: as in `mark`.

    Returns:
        {"05": (solved, tried and not solved, all)} of all chapters, in order.
    """
    known = read(folder)
    names = sorted(module.name for module in pkgutil.iter_modules(exercises.__path__))
    return {name[-2:]: count(name[-2:], known) for name in names if name.startswith("chapter_")}


def count(chapter, known):
    """How many exercises of one chapter are solved and tried.

    Args:
        chapter: "05".
        known: what `read` returns.

    Returns:
        (solved, tried and not solved, all).
    """
    states = [known.get((chapter, name)) for name in exercises_of(chapter)]
    return states.count(True), states.count(False), len(states)


def _place(folder):
    """The folder of the files; the tests and the stored outputs know none: COURSE_PROGRESS=none."""
    return None if os.environ.get("COURSE_PROGRESS") == "none" else Path(folder) / "progress"


def _earlier(folder):
    """What earlier versions kept in one file: {"05": ["silence_head"]}."""
    try:
        found = json.loads((Path(folder) / "progress.json").read_bytes()) if _place(folder) else {}
    except (OSError, ValueError, RecursionError):
        return
    for chapter, names in found.items() if isinstance(found, dict) else ():
        yield from (f"{chapter}.{name}.solved" for name in (names if isinstance(names, list) else ()))
