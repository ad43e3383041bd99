"""What is said about the reader's parts: in a terminal, and in a chapter."""

import os
from difflib import get_close_matches
from pathlib import Path

import torch

from helpers.engine.files import whole_file
from helpers.engine.languages import say
from helpers.exercises.checking import SYMBOLS
from helpers.mine.checking import check_part
from helpers.mine.rungs import PARTS, RUNGS, parts_of
from helpers.mine.yours import folder, forget


def check_mine(rung=None):
    """In a chapter: check what you have written in mine/; where nothing is there yet, say how to begin.

    Args:
        rung: as for `names_in`.

    Raises:
        ValueError: there is no such rung or part.
    """
    if is_there():
        check_parts(rung)
    else:
        say("… mine/ 폴더가 없습니다. 터미널: make mine", "… No mine/ yet. In a terminal: make mine")
        print("  Colab: !python -m helpers mine")


def is_there():
    """Whether the folder mine/ has been written."""
    return (folder() / "adapters.py").is_file()


def names_in(rung):
    """The parts that a name stands for.

    Args:
        rung: name of a rung or of a part; None: all of them.

    Returns:
        List of names of parts.

    Raises:
        ValueError: there is no such rung or part, or no folder mine/.
    """
    if rung not in {None, *RUNGS, *PARTS}:
        meant = get_close_matches(rung, [*RUNGS, *PARTS], n=1)
        what = f"{rung!r} is not known" + (f" (did you mean {meant[0]}?)" if meant else "")
        raise ValueError(f"part: {what}; use one of {', '.join(RUNGS)}, or a name in them")
    if not is_there():
        raise ValueError("mine: the folder is not there yet; write it with: python -m helpers mine")
    return [rung] if rung in PARTS else [part.name for part in (parts_of(rung) if rung else PARTS.values())]


def check_parts(rung=None):
    """Check what you have written in mine/, and say what is right and what is wrong.

    Args:
        rung: as for `names_in`; what follows the first wrong part is left out.

    Returns:
        List of `Outcome`.

    Raises:
        ValueError: as `names_in`.
    """
    names, outcomes = names_in(rung), []
    forget()
    for name in names:
        outcome = check_part(name)
        outcomes.append(outcome)
        tell(outcome)
        if outcome.passed is False:
            left = len(names) - len(outcomes)  # what stands on it would fail, too
            if left:
                say(f"… {left}개는 아직 검사하지 않았습니다.", f"… {left} more are not checked yet.")
            break
    return outcomes


def tell(outcome):
    """Print an outcome, and keep its case.

    Args:
        outcome: an `Outcome`.
    """
    mark = SYMBOLS[outcome.passed]
    say(f"{mark} {outcome.part}: {outcome.ko}", f"{mark} {outcome.part}: {outcome.en}")
    if outcome.example:
        print(outcome.example.removeprefix("\n"))
    if outcome.case:
        path = folder() / "failed" / f"{outcome.part}.pt"
        with whole_file(path) as file:
            torch.save(outcome.case, file)
        print(f'    again:    case = torch.load("{from_here(path)}", weights_only=False)')


def from_here(path):
    """How a file is named from the folder in which one is.

    Args:
        path: of the file.

    Returns:
        A text that is relative where it can be; on Windows a file on another drive has no such name.
    """
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:
        return Path(path).as_posix()
