"""What a clause and a sentence are made of, in both languages at once."""

from dataclasses import dataclass
from typing import NamedTuple

from helpers.corpus.lexicon import Verb

NO_TIME = ("", "", 0)


@dataclass
class Clause:
    """Who does what, where and when; `object`, `adjunct` and `time` begin with Korean and English."""

    subject: tuple
    verb: Verb
    tense: str  # "past", "present", "future"
    noun: str = ""  # of the object
    object: tuple = ("", "")
    place: str = ""
    adjunct: tuple = ("", "")  # with whom, with what, or by what
    time: tuple = NO_TIME
    negation: str = ""  # "", "not", "could not"

    @property
    def triples(self):
        """Verb, object and place, if all are there."""
        return {(self.verb.stem, self.noun, self.place)} if self.noun and self.place else set()


class Sentence(NamedTuple):
    """A pair, its number of clauses, and which verb goes with which object at which place."""

    korean: str
    english: str
    clauses: int
    triples: frozenset


def make_sentence(korean, english, *clauses):
    """A sentence of these clauses, its English with a capital and a full stop."""
    english = english[0].upper() + english[1:] + ("" if english.endswith("?") else ".")
    return Sentence(korean, english, len(clauses), frozenset().union(*(clause.triples for clause in clauses)))


def join(*parts):
    """The parts that are not empty, with spaces between them."""
    return " ".join(part for part in parts if part)
