"""The usual slips: what is wrong with a result, told from what came and what was expected.

A slip is a function of (got, wanted, arguments) that returns the ways in which it explains a wrong result:
an empty set where it does not, None where it would explain anything. One way must explain all wrong results.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch

from helpers.exercises.comparing import Failure, difference


class Slip(NamedTuple):
    """What to say, {} standing for the way; how to tell; and how many numbers it takes to say so.

    vague: it says what is wrong, not why: anything that explains more goes before it.
    """

    ko: str
    en: str
    ways: Callable
    evidence: int = 1
    vague: bool = False


SLIPS = []  # the more specific first


def slip(ko, en, evidence=1, vague=False):
    """Add a function to the usual slips.

    Args:
        ko, en, evidence, vague: as in `Slip`.

    Returns:
        A decorator.
    """

    def keep(function):
        SLIPS.append(Slip(ko, en, function, evidence, vague))
        return function

    return keep


def explain(results, vague):
    """The first slip that explains all wrong results.

    Args:
        results: list of (got, wanted, arguments), the arguments as a dictionary.
        vague: bool, which of the slips to try.

    Returns:
        (Korean, English), or None.
    """
    parts = [
        (*pair, arguments) for got, wanted, arguments in results for pair in differing_parts(got, wanted)
    ]
    found = evidence([wanted for _, wanted, _ in parts])
    for ko, en, function, needed, _ in [one for one in SLIPS if one.vague == vague]:
        ways = [way for part in parts if (way := _tried(function, part)) is not None]
        if ways and found >= needed and (common := set.intersection(*ways)):
            way = min(common, key=lambda way: (len(str(way)), str(way)))
            in_ko, in_en = way if isinstance(way, tuple) else (way, way)
            return ko.format(in_ko), en.format(in_en)
    return None


def differing_parts(got, wanted):
    """Pairs of what differs: of two tuples or dictionaries that fit each other, only some parts may.

    Args:
        got, wanted: two results that differ.

    Returns:
        List of (got, wanted).
    """
    if isinstance(wanted, tuple) and isinstance(got, tuple) and len(got) == len(wanted) > 0:
        pairs = [pair for pair in zip(got, wanted, strict=True) if difference(*pair, inside=True)]
        return [part for pair in pairs for part in differing_parts(*pair)]
    if isinstance(wanted, dict) and isinstance(got, dict) and got.keys() == wanted.keys():
        return [([got[key] for key in wanted], list(wanted.values()))]
    return [(got, wanted)]


def evidence(results):
    """How many numbers or elements results hold.

    Args:
        results: list.

    Returns:
        int.
    """
    sizes = (part.numel() if isinstance(part, torch.Tensor) else len(part) for part in map(_parts, results))
    return sum(sizes)


def _parts(value):
    return value if isinstance(value, torch.Tensor | list | tuple | str | dict) else [value]


def _tried(function, part):
    if any(isinstance(value, Failure) for value in part[:2]):
        return set()
    try:
        ways = function(*part)
    except Exception:  # it is made for other results
        return set()
    return ways if ways is None or isinstance(ways, set) else {""} if ways else set()
