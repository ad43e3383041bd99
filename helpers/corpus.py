"""Sentence pairs to train on: made here, read from a file, or loaded by name. Chapter 11."""

import random
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from helpers.guards import guard_choice, guard_sizes
from helpers.sentences import FRAMES, LONG_FRAMES, sentences

SPLITS = ("train", "held_out", "unseen", "longer")
THREAD = "나는 최근 파리 여행을 다녀왔다", "I recently took a trip to Paris."  # never trained on


def split_of(sentence):
    """Which split a sentence belongs to, whatever the seed: no two splits can share one.

    Args:
        sentence: a `Sentence` of `sentences`.

    Returns:
        "longer" if it has three clauses; "unseen" if a verb stands with an object and a place that never
        meet in training, one such triple in ten; "held_out" for the thread sentence and one English
        sentence in twenty of the rest; else "train".
    """
    if sentence.clauses > 2:
        return "longer"
    if any(crc32(" ".join(triple).encode()) % 10 == 0 for triple in sentence.triples):
        return "unseen"
    held_out = sentence.english == THREAD[1] or crc32(sentence.english.encode()) % 20 == 0
    return "held_out" if held_out else "train"


def make_pairs(split, count, seed=0):
    """Different Korean-English pairs of a split, the same for the same seed.

    Args:
        split: "train", "held_out", "unseen" or "longer".
        count: number of pairs.
        seed: of the random choices.

    Returns:
        List of (Korean, English).

    Raises:
        ValueError: split is not known; count is not a positive integer, or more than there are.
    """
    guard_choice(SPLITS, split=split)
    guard_sizes(count=count)
    pairs, without_a_new_one = {}, 0
    for sentence in sentences(random.Random(seed), LONG_FRAMES if split == "longer" else FRAMES):
        before = len(pairs)
        if split_of(sentence) == split:
            pairs[sentence.korean, sentence.english] = None
        without_a_new_one = 0 if len(pairs) > before else without_a_new_one + 1
        if without_a_new_one > 20000:
            raise ValueError(
                f"count: {count} pairs of {split} asked for, about {len(pairs)} exist; ask for fewer"
            )
        if len(pairs) == count:
            return list(pairs)


class Read(NamedTuple):
    """What came of a file: the pairs, and of each kind of problem the line numbers, from 1."""

    pairs: list
    problems: dict


def _sift(pair, number, pairs, problems):
    """Keep a pair that is new and has two sides; else note its number."""
    if not all(pair):
        problems["empty side"].append(number)
    elif pair in pairs:
        problems["duplicate"].append(number)
    else:
        pairs[pair] = None


def read_pairs(path, columns=(0, 1)):
    """Read a file of pairs separated by tabs, one pair a line, and say what was left out.

    Args:
        path: the file, UTF-8.
        columns: where source and target stand, from 0; (1, 0) for a file with the target first.

    Returns:
        `Read`: pairs, a list of (source, target), each once, in the order of the file; and problems, a
        dictionary from "too few columns", "empty side", "not UTF-8" and "duplicate" to lists of line numbers.

    Raises:
        ValueError: the file is missing, or holds no pair.
    """
    try:
        lines = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        raise ValueError(f"path: {path} cannot be read ({error.strerror}); name a file of pairs") from None
    pairs, problems = {}, {"too few columns": [], "empty side": [], "not UTF-8": [], "duplicate": []}
    for number, line in enumerate(lines[:-1] if lines[-1] == b"" else lines, start=1):
        try:
            cells = line.decode().rstrip("\r").split("\t")
        except UnicodeDecodeError:
            problems["not UTF-8"].append(number)
            continue
        if len(cells) <= max(columns):
            problems["too few columns"].append(number)
            continue
        _sift(tuple(cells[column].strip() for column in columns), number, pairs, problems)
    if not pairs:
        counts = ", ".join(f"{kind} {len(numbers)}" for kind, numbers in problems.items())
        raise ValueError(f"path: {path} holds no pair ({counts}); use UTF-8 lines of source, tab, target")
    return Read(list(pairs), problems)


def load_pairs(name, source="ko", target="en", split="train"):
    """Pairs of a data set of the `datasets` library, by name; needs that library and a network.

    Args:
        name: as on the hub, with its configuration after a comma if it has one.
        source, target: the languages as the data set names them.
        split: as the data set names it.

    Returns:
        `Read`, as from `read_pairs`, with the numbers of rows, from 1.

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
        _sift(tuple((row[side] or "").strip() for side in (source, target)), number, pairs, problems)
    return Read(list(pairs), problems)
