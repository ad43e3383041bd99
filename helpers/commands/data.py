"""Where the pairs of a training come from, and which of them are left out."""

import itertools
from pathlib import Path

from helpers.commands.terminal import say
from helpers.corpus import load_pairs, make_pairs, read_pairs
from helpers.training import encode_pairs

COURSE_PAIRS = 30000


def find_pairs(name, settings):
    """The course's own pairs, a file's, or a data set's; says which lines were left out.

    Args:
        name: "course", a path, or a name of the datasets library.
        settings: dictionary with seed, columns and languages.

    Returns:
        List of (source, target); and the number of the line that each came from, from 1.

    Raises:
        ValueError: as `read_pairs` and `load_pairs`.
    """
    if name == "course":
        return make_pairs("train", COURSE_PAIRS, settings["seed"]), list(range(1, COURSE_PAIRS + 1))
    if Path(name).exists() or Path(name).suffix:
        found = read_pairs(name, settings["columns"])
    else:
        found = load_pairs(name, *settings["languages"])
    for problem, numbers in found.problems.items():
        say_left_out(name, problem, numbers)
    skipped = set().union(*found.problems.values())
    kept = (number for number in itertools.count(1) if number not in skipped)
    return found.pairs, list(itertools.islice(kept, len(found.pairs)))


def encode_short(name, pairs, numbers, tokenizers, max_len):
    """Pairs as ids, without those that are too long for the model; says which lines these were.

    Args:
        name: of the pairs, for the message.
        pairs, numbers: as from `find_pairs`.
        tokenizers: of source and target.
        max_len: tokens that the model can take.

    Returns:
        List of (src, tgt), as from `encode_pairs`; and the pairs that they came from.

    Raises:
        ValueError: none is short enough.
    """
    encoded = encode_pairs(pairs, *tokenizers)
    fits = [len(src) <= max_len and len(tgt) - 1 <= max_len for src, tgt in encoded]  # the input is tgt[:-1]
    too_long = [number for number, fit in zip(numbers, fits, strict=True) if not fit]
    say_left_out(name, f"longer than max_len, {max_len} tokens", too_long)
    if not any(fits):
        raise ValueError(f"max_len: value is {max_len}, but all pairs of {name} are longer; raise --max-len")
    return list(itertools.compress(encoded, fits)), list(itertools.compress(pairs, fits))


def say_left_out(name, problem, numbers):
    """Say how many lines were left out and which, if any were.

    Args:
        name: of the pairs.
        problem: why.
        numbers: of the lines, from 1.
    """
    if numbers:
        lines = ", ".join(map(str, numbers[:5])) + (", …" if len(numbers) > 5 else "")
        say(f"{name}: left out {len(numbers)}, {problem} (lines {lines})")
