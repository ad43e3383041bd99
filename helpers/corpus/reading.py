"""Pairs that others wrote: from a file, or from a data set of the `datasets` library."""

import unicodedata
from pathlib import Path
from typing import NamedTuple


class PairsRead(NamedTuple):
    """What came of a file: the pairs, and of each kind of problem the line numbers, from 1."""

    pairs: list
    problems: dict


def clean(text):
    """One line of text in Unicode's composed form, NFC: a line break inside it becomes a space."""
    return " ".join(unicodedata.normalize("NFC", text).splitlines()).strip()


def _add_pair(pair, number, pairs, problems):
    """Keep a pair that is new and has two sides; else note its number."""
    if not all(pair):
        problems["empty side"].append(number)
    elif pair in pairs:
        problems["duplicate"].append(number)
    else:
        pairs[pair] = None


def read_pairs(path, columns=(0, 1)):
    """Read a file of pairs separated by tabs, one pair a line, and say what was left out.

    Lines end in LF or CR LF. Every other character that breaks a line, a lone CR for instance, is read as a
    space, and Hangul that is spelled in single letters (NFD) as syllables (NFC).

    Args:
        path: the file, UTF-8, with or without a byte order mark.
        columns: where source and target stand, from 0; (1, 0) for a file with the target first.

    Returns:
        `PairsRead`: pairs, a list of (source, target), each once, in the order of the file; and problems, a
        dictionary from "too few columns", "empty side", "not UTF-8" and "duplicate" to lists of line numbers.

    Raises:
        ValueError: columns are not two different numbers from 0; the file is missing, or holds no pair.
    """
    if len(columns) != 2 or min(columns) < 0 or columns[0] == columns[1]:
        raise ValueError(f"columns: {tuple(columns)} are not two different columns; count from 0, as in 0, 1")
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except OSError as error:
        raise ValueError(f"path: {path} cannot be read ({error.strerror}); name a file of pairs") from None
    pairs, problems = {}, {"too few columns": [], "empty side": [], "not UTF-8": [], "duplicate": []}
    for number, line in enumerate(lines[:-1] if lines[-1] == b"" else lines, start=1):
        try:
            cells = line.decode("utf-8-sig").split("\t")
        except UnicodeDecodeError:
            problems["not UTF-8"].append(number)
            continue
        if len(cells) <= max(columns):
            problems["too few columns"].append(number)
            continue
        _add_pair(tuple(clean(cells[column]) for column in columns), number, pairs, problems)
    if not pairs:
        counts = ", ".join(f"{kind} {len(numbers)}" for kind, numbers in problems.items())
        raise ValueError(f"path: {path} holds no pair ({counts}); use UTF-8 lines of source, tab, target")
    return PairsRead(list(pairs), problems)


def load_pairs(name, source="ko", target="en", split="train"):
    """Pairs of a data set of the `datasets` library, by name; needs that library and a network.

    Args:
        name: as on the hub, with its configuration after a comma if it has one.
        source, target: the languages as the data set names them.
        split: as the data set names it.

    Returns:
        `PairsRead`, as from `read_pairs`, with the numbers of rows, from 1.

    Raises:
        ValueError: the library is missing, the data set cannot be loaded, or it has no such languages.
    """
    try:
        from datasets import load_dataset
    except ImportError:
        raise ValueError(f"name: {name} needs the datasets library; pip install datasets") from None
    try:
        rows = load_dataset(*name.split(","), split=split)
    except Exception as error:  # a wrong name, no network, a missing split: many kinds
        kind = type(error).__name__
        raise ValueError(f"name: {name} cannot be loaded ({kind}); check name, split and network") from None
    pairs, problems = {}, {"empty side": [], "duplicate": []}
    for number, row in enumerate(rows, start=1):
        row = row.get("translation", row)
        if source not in row or target not in row:
            raise ValueError(f"source, target: {source} and {target} asked for; {name} has {', '.join(row)}")
        _add_pair(tuple(clean(row[side] or "") for side in (source, target)), number, pairs, problems)
    return PairsRead(list(pairs), problems)
