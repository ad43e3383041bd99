"""What is said about the reader's parts: in a terminal, and in a chapter."""

import torch

from helpers.engine.files import whole_file
from helpers.engine.languages import say
from helpers.exercises.checking import SYMBOLS
from helpers.mine.checking import check_part
from helpers.mine.rungs import PARTS, RUNGS, parts_of
from helpers.mine.yours import folder, forget


def check_mine(rung=None):
    """Check what you have written in mine/, and say what is right and what is wrong.

    Args:
        rung: name of a rung or of a part; None: all of them, up to the first that is wrong.

    Returns:
        List of `Outcome`.

    Raises:
        ValueError: there is no such rung or part, or no folder mine/.
    """
    if rung not in {None, *RUNGS, *PARTS}:
        raise ValueError(f"part: {rung!r} is not known; use one of {', '.join(RUNGS)}, or a name in them")
    if not (folder() / "adapters.py").is_file():
        raise ValueError("mine: the folder is not there yet; write it with: python -m helpers mine")
    forget()
    names = [rung] if rung in PARTS else [part.name for part in (parts_of(rung) if rung else PARTS.values())]
    outcomes = []
    for name in names:
        outcome = check_part(name)
        outcomes.append(outcome)
        tell(outcome)
        if outcome.passed is False:
            break  # what stands on it would fail, too
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
        print(f'    again:    case = torch.load("{path.relative_to(folder().parent)}")')
