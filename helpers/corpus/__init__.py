"""Sentence pairs to train on: made here, read from a file, or loaded by name. Chapter 11.

`splits.make_pairs` makes Korean-English pairs offline, as many as one likes: `sentences` holds the patterns,
`choosing` chooses who does what, `korean` and `english` inflect and order it, `words` lists the words and
says how to add a verb. `reading` reads pairs that others wrote; `course_text` has the
paragraphs of this course, `alice` the opening of Alice's Adventures in Wonderland (chapter 15).
"""

from helpers.corpus.course_text import course_paragraphs
from helpers.corpus.reading import PairsRead, load_pairs, read_pairs
from helpers.corpus.splits import RUNNING_EXAMPLE, SPLITS, make_pairs, split_of

__all__ = [
    "RUNNING_EXAMPLE",
    "SPLITS",
    "PairsRead",
    "course_paragraphs",
    "load_pairs",
    "make_pairs",
    "read_pairs",
    "split_of",
]
