"""The tables of `words` as Python objects, looked up by their Korean."""

from dataclasses import dataclass

from helpers.corpus import words


@dataclass
class Verb:
    """A row of `words.VERBS`: a verb in both languages, and what goes with it."""

    stem: str
    infinitive: str  # with 아 or 어: the past 읽었다 and the polite 읽어요 are made of it
    english: str
    english_past: str
    objects: list
    places: list


def parse_rows(table):
    """The rows of a table, each a list of its cells; a "-" becomes the empty string."""
    lines = table.strip().splitlines()
    return [["" if cell == "-" else cell for cell in line.split("|")] for line in lines]


def parse_verbs(table):
    """The verbs of a table as `words.VERBS`, by stem; 도시 stands for every city."""
    verbs = {}
    for stem, infinitive, english, english_past, objects, places in parse_rows(table):
        places = places.replace("도시", " ".join(words.CITIES)).split()
        verbs[stem] = Verb(stem, infinitive, english, english_past, objects.split(), places)
    return verbs


NOUNS = {korean: row for korean, *row in parse_rows(words.NOUNS)}
PLACES = {korean: row for korean, *row in parse_rows(words.PLACES)}
SUBJECTS = [tuple(row) for row in parse_rows(words.SUBJECTS)]
YOU = ("너", "너", "you", "you")
VERBS = parse_verbs(words.VERBS)
REASONS = [
    (korean, english, follow.split(), follow_negated.split())
    for korean, english, follow, follow_negated in parse_rows(words.REASONS)
]
