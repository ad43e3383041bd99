"""Where the pairs of a training come from, and which of them are left out."""

import itertools
from pathlib import Path
from zlib import crc32

from helpers.commands.terminal import say
from helpers.corpus import load_pairs, make_pairs, read_pairs
from helpers.corpus.catalogs import catalogs_of_this_computer, split_by_program
from helpers.corpus.reading import load_rows, pairs_in_file, pairs_in_rows
from helpers.training import encode_pairs

COURSE = {"train": ("train", 30000), "validation": ("held_out", 250)}  # sentences of the corpus, and how many
LARGE = 200_000  # lines; so many and more are prepared in files, see helpers.commands.preprocessing


def is_file(name):
    """Whether the pairs are those of a file, and not of a data set.

    Args:
        name: a path, or a name of the datasets library.

    Returns:
        A boolean.
    """
    return Path(name).exists() or bool(Path(name).suffix)


def is_large(name):
    """Whether there are `LARGE` lines or more.

    Args:
        name: "course", "catalogs", a path, or a name of the datasets library.

    Returns:
        A boolean; False for a file that cannot be read.

    Raises:
        ValueError: as `load_rows`.
    """
    if name in ("course", "catalogs"):
        return False
    if not is_file(name):
        return len(load_rows(name, "train")) >= LARGE
    if not Path(name).is_file():
        return False
    with open(name, "rb") as lines:
        return sum(1 for _ in itertools.islice(lines, LARGE)) == LARGE


def found_in(name, settings):
    """The lines of a file, or the rows of a data set, one after the other.

    Args:
        name, settings: as for `find_pairs`.

    Returns:
        Iterator as `pairs_in_file` and `pairs_in_rows`.
    """
    if is_file(name):
        return pairs_in_file(name, settings["columns"])
    return pairs_in_rows(name, load_rows(name, "train"), *settings["languages"])


def identity(name, settings, split="train"):
    """What tells these pairs from others, in a few plain values.

    Args:
        name, settings, split: as for `find_pairs`.

    Returns:
        A dictionary.

    Raises:
        ValueError: as `load_rows`.
    """
    if name == "course":
        return {"course": list(COURSE[split]), "seed": settings["seed"]}
    if name == "catalogs":
        return {"catalogs": crc32(repr(pairs_of_catalogs(settings, split)).encode())}
    if not is_file(name):
        return {"data set": load_rows(name, split)._fingerprint, "languages": settings["languages"]}
    checksum = 0
    with open(name, "rb") as file:
        while block := file.read(2**20):
            checksum = crc32(block, checksum)
    return {"checksum": checksum, "columns": settings["columns"]}


def find_pairs(name, settings, split="train"):
    """The course's own pairs, a file's, or a data set's; says which lines were left out.

    Args:
        name: "course", "catalogs", a path, or a name of the datasets library.
        settings: dictionary with seed, columns and languages.
        split: "train" or "validation", of the course, of catalogs and of a data set; a file has none.

    Returns:
        List of (source, target); and the number of the line that each came from, from 1.

    Raises:
        ValueError: as `read_pairs` and `load_pairs`.
    """
    if name == "course":
        part, count = COURSE[split]
        return make_pairs(part, count, settings["seed"]), list(range(1, count + 1))
    if name == "catalogs":
        pairs = pairs_of_catalogs(settings, split)
        return pairs, list(range(1, len(pairs) + 1))
    if is_file(name):
        found = read_pairs(name, settings["columns"])
    else:
        found = load_pairs(name, *settings["languages"], split=split)
    say_problems(name, found.problems)
    skipped = set().union(*found.problems.values())
    kept = (number for number in itertools.count(1) if number not in skipped)
    return found.pairs, list(itertools.islice(kept, len(found.pairs)))


def pairs_of_catalogs(settings, split):
    """The sentences of the programs of this computer; says which catalogs were left out.

    Args:
        settings, split: as for `find_pairs`.

    Returns:
        List of (source, target).

    Raises:
        ValueError: as `read_catalogs`.
    """
    found = catalogs_of_this_computer(*settings["languages"])
    for name, reason in found.left_out.items() if split == "train" else ():
        say(f"catalogs: left out {name} ({reason})")
    parts = split_by_program(found.pairs, unseen=())
    return parts["train" if split == "train" else "known"]


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
    short = [fits(len(src), len(tgt), max_len) for src, tgt in encoded]
    too_long = [number for number, fit in zip(numbers, short, strict=True) if not fit]
    say_too_long(name, too_long, len(numbers), max_len)
    return list(itertools.compress(encoded, short)), list(itertools.compress(pairs, short))


def fits(src_len, tgt_len, max_len):
    """Whether a model can take pairs of these lengths.

    Args:
        src_len, tgt_len: in tokens, with bos and eos; integers or arrays of them.
        max_len: tokens that the model can take.

    Returns:
        A boolean, or an array of them.
    """
    return (src_len <= max_len) & (tgt_len - 1 <= max_len)  # the input of the decoder is tgt[:-1]


def say_too_long(name, numbers, count, max_len):
    """Say which lines were left out for their length.

    Args:
        name: of the pairs.
        numbers: of these lines, from 1.
        count: of all lines.
        max_len: tokens that the model can take.

    Raises:
        ValueError: all were.
    """
    say_left_out(name, f"longer than max_len, {max_len} tokens", numbers)
    if len(numbers) == count:
        raise ValueError(f"max_len: value is {max_len}, but all pairs of {name} are longer; raise --max-len")


def say_problems(name, problems):
    """Say which lines were left out while reading.

    Args:
        name: of the pairs.
        problems: dictionary from reasons to numbers of lines, from 1.
    """
    for problem, numbers in problems.items():
        say_left_out(name, problem, numbers)


def say_left_out(name, problem, numbers):
    """Say how many lines were left out and which, if any were.

    Args:
        name: of the pairs.
        problem: why.
        numbers: of the lines, from 1.
    """
    if len(numbers):
        lines = ", ".join(map(str, numbers[:5])) + (", …" if len(numbers) > 5 else "")
        noun = "line" if len(numbers) == 1 else "lines"
        say(f"{name}: left out {len(numbers)}, {problem} ({noun} {lines})")


def say_known(name, held_out, pairs):
    """Say how many of the pairs to validate on are trained on, too.

    Args:
        name: of the pairs to validate on.
        held_out: these, a list of (source, target).
        pairs: those to train on, one after the other.
    """
    if known := set(held_out).intersection(pairs):
        what = f"{name}: {len(known)} of {len(held_out)} pairs are trained on, too"
        say(f"{what}, so that BLEU will be better than it is on new sentences")
