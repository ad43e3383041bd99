"""The made pairs, in four splits that share no sentence."""

import random
from zlib import crc32

from helpers.corpus.sentences import LONG_PATTERNS, PATTERNS, random_sentences

SPLITS = ("train", "held_out", "unseen", "longer")
RUNNING_EXAMPLE = "나는 최근 파리 여행을 다녀왔다", "I recently took a trip to Paris."  # never trained on


def split_of(sentence):
    """Which split a sentence belongs to, whatever the seed: no two splits can share one.

    Args:
        sentence: a `Sentence`.

    Returns:
        "longer" if it has three clauses; "unseen" if a verb stands with an object and a place that never
        meet in training, one such triple in ten; "held_out" for the running example and one English
        sentence in twenty of the rest; else "train".
    """
    if sentence.clauses > 2:
        return "longer"
    if any(crc32(" ".join(triple).encode()) % 10 == 0 for triple in sentence.triples):
        return "unseen"
    held_out = sentence.english == RUNNING_EXAMPLE[1] or crc32(sentence.english.encode()) % 20 == 0
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
    if split not in SPLITS:
        raise ValueError(f"split: {split!r} is not known; use one of {', '.join(SPLITS)}")
    if not isinstance(count, int) or count < 1:
        raise ValueError(f"count: {count!r} is not a number of pairs; use an integer of at least 1")
    pairs, without_a_new_one = {}, 0
    for sentence in random_sentences(random.Random(seed), LONG_PATTERNS if split == "longer" else PATTERNS):
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
