"""Pairs that others wrote: from a file, or from a data set of the `datasets` library."""

import functools
import unicodedata
from typing import NamedTuple

PROBLEMS = ("too few columns", "empty side", "not UTF-8", "duplicate")


class PairsRead(NamedTuple):
    """What came of a file: the pairs, and of each kind of problem the line numbers, from 1."""

    pairs: list
    problems: dict


def clean(text):
    """One line of text in Unicode's composed form, NFC: a line break inside it becomes a space."""
    return " ".join(unicodedata.normalize("NFC", text).splitlines()).strip()


def sort_out(name, found, problems):
    """Pairs that are new and have two sides, one after the other.

    A pair is remembered by its hash of 64 bits. That one of three million different pairs is taken for a
    duplicate happens once in four million such corpora.

    Args:
        name: of the file or data set, for the message.
        found: (source, target), or the kind of problem in its place, one after the other.
        problems: dictionary from kinds to lists, which get the numbers of what is left out, from 1; it has
            "empty side", "duplicate", and the kinds in `found`.

    Yields:
        The number, and (source, target).

    Raises:
        ValueError: there is none.
    """
    seen = set()
    for number, pair in enumerate(found, start=1):
        problem = pair if isinstance(pair, str) else None if all(pair) else "empty side"
        if not problem and hash(pair) in seen:
            problem = "duplicate"
        if problem:
            problems[problem].append(number)
        else:
            seen.add(hash(pair))
            yield number, pair
    if not seen:
        counts = ", ".join(f"{kind} {len(numbers)}" for kind, numbers in problems.items())
        raise ValueError(f"path: {name} holds no pair ({counts}); use UTF-8 lines of source, tab, target")


def pairs_in_file(path, columns=(0, 1)):
    """The lines of a file of pairs, one after the other, as `read_pairs` reads them.

    Args:
        path, columns: as for `read_pairs`.

    Yields:
        (source, target); or, of a line that is none, "too few columns" or "not UTF-8".

    Raises:
        ValueError: columns are not two different numbers from 0; the file is missing.
    """
    if len(columns) != 2 or min(columns) < 0 or columns[0] == columns[1]:
        raise ValueError(f"columns: {tuple(columns)} are not two different columns; count from 0, as in 0, 1")
    try:
        with open(path, "rb") as lines:
            for line in lines:
                try:
                    cells = line.decode("utf-8-sig").split("\t")
                except UnicodeDecodeError:
                    yield "not UTF-8"
                    continue
                if len(cells) > max(columns):
                    yield tuple(clean(cells[column]) for column in columns)
                else:
                    yield "too few columns"
    except OSError as error:
        raise ValueError(f"path: {path} cannot be read ({error.strerror}); name a file of pairs") from None


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
    problems = {kind: [] for kind in PROBLEMS}
    pairs = [pair for _, pair in sort_out(path, pairs_in_file(path, columns), problems)]
    return PairsRead(pairs, problems)


@functools.cache  # a training asks for its data set several times
def load_rows(name, split):
    """A data set of the `datasets` library, by name; needs that library and a network.

    Args:
        name, split: as for `load_pairs`.

    Returns:
        A Dataset of that library.

    Raises:
        ValueError: the library is missing, or the data set cannot be loaded.
    """
    try:
        from datasets import load_dataset
    except ImportError:
        raise ValueError(f"name: {name} needs the datasets library; pip install datasets") from None
    try:
        _look_up(name.split(",")[0])
        return load_dataset(*name.split(","), split=split)
    except Exception as error:  # a wrong name, no network, a missing split: many kinds
        kind = type(error).__name__
        raise ValueError(f"name: {name} cannot be loaded ({kind}); check name, split and network") from None


def _look_up(name):
    """Ask the hub once for a data set; `load_dataset` would go on asking for half a minute."""
    import datasets
    from huggingface_hub import HfApi
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        HfApi().dataset_info(name, timeout=10)
    except RepositoryNotFoundError:
        raise
    except Exception:  # no network, of which there are many kinds
        datasets.config.HF_HUB_OFFLINE = True  # what was loaded earlier is still found


def pairs_in_rows(name, rows, source="ko", target="en"):
    """The rows of a data set as pairs, one after the other.

    Args:
        name, source, target: as for `load_pairs`.
        rows: as from `load_rows`.

    Yields:
        (source, target).

    Raises:
        ValueError: a row has no such languages.
    """
    for row in rows:
        row = row.get("translation", row)
        if source not in row or target not in row:
            raise ValueError(f"source, target: {source} and {target} asked for; {name} has {', '.join(row)}")
        yield tuple(clean(row[side] or "") for side in (source, target))


def load_pairs(name, source="ko", target="en", split="train"):
    """Pairs of a data set of the `datasets` library, by name; needs that library and a network.

    Args:
        name: as on the hub, with its configuration after a comma if it has one.
        source, target: the languages as the data set names them.
        split: as the data set names it.

    Returns:
        `PairsRead`, as from `read_pairs`, with the numbers of rows, from 1.

    Raises:
        ValueError: as `load_rows` and `pairs_in_rows`; or there is no pair.
    """
    problems = {"empty side": [], "duplicate": []}
    found = pairs_in_rows(name, load_rows(name, split), source, target)
    return PairsRead([pair for _, pair in sort_out(name, found, problems)], problems)
