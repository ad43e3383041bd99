"""Korean and English grammar for the sentences of chapter 11: particles, verb forms, articles, word order.

A clause holds its parts in both languages; `sentences` chooses them. Nothing here is the Transformer: it is
what there is to learn.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from helpers import words

N, D, L, SS = 4, 7, 8, 20  # finals of a Hangul syllable: ㄴ, ㄷ, ㄹ, ㅆ; 0 is none


class Sentence(NamedTuple):
    """A pair, its number of clauses, and which verb goes with which object at which place."""

    korean: str
    english: str
    clauses: int
    triples: frozenset


@dataclass
class Verb:
    """A verb of both languages, and what goes with it."""

    stem: str
    form: str  # with 아 or 어
    base: str
    past: str
    objects: list
    places: list


@dataclass
class Clause:
    """Who does what, where and when; `object`, `extra` and `time` begin with Korean and English."""

    subject: tuple
    verb: Verb
    tense: str
    noun: str = ""
    object: tuple = ("", "")
    place: str = ""
    extra: tuple = ("", "")
    time: tuple = ("", "", 0)
    negation: str = ""  # "", "not", "could not"

    @property
    def middle(self):
        """The time in English if it stands before the verb, as "often" does."""
        return self.time[1] if self.time[2] else ""

    @property
    def end(self):
        """The time in English if it stands at the end, as "yesterday" does."""
        return "" if self.time[2] else self.time[1]

    @property
    def triples(self):
        """Verb, object and place, if all are there."""
        return {(self.verb.stem, self.noun, self.place)} if self.noun and self.place else set()


def rows(table):
    """The lines of a table, cut into cells."""
    return [["" if cell == "-" else cell for cell in line.split("|")] for line in table.split("\n")[1:-1]]


NOUNS = {korean: row for korean, *row in rows(words.NOUNS)}
PLACES = {korean: row for korean, *row in rows(words.PLACES)}
SUBJECTS = [tuple(row) for row in rows(words.SUBJECTS)]
YOU = ("너", "너", "you", "you")
REASONS = [(korean, english, a.split(), b.split()) for korean, english, a, b in rows(words.REASONS)]
VERBS = {}
for *forms, objects, places in rows(words.VERBS):
    places = [p for place in places.split() for p in (words.CITIES if place == "도시" else [place])]
    VERBS[forms[0]] = Verb(*forms, objects.split(), places)


def final(word):
    """The number of the final consonant of a word, 0 if it ends in a vowel."""
    return (ord(word[-1]) - ord("가")) % 28


def with_final(word, number):
    """The word with another final consonant."""
    return word[:-1] + chr(ord(word[-1]) - final(word) + number)


def particle(word, pair):
    """책을, 커피를: the first of the pair after a final consonant, the second after a vowel."""
    first, second = pair.split("/")
    soft = final(word) == 0 or (first == "으로" and final(word) == L)
    return word + (second if soft else first)


def soften(verb, number, syllable):
    """The form before a noun: 산 and 살 of 사다, 판 of 팔다, 읽은 of 읽다, 들은 of 듣다."""
    if final(verb.stem) in (0, L):
        return with_final(verb.stem, number)
    return (verb.form[:-1] if final(verb.stem) == D else verb.stem) + syllable


def korean_verb(clause, polite, question=False):
    """The verb at the end of a sentence."""
    verb = clause.verb
    if clause.negation:
        stem, form = ("지 않", "지 않아") if clause.negation == "not" else ("지 못하", "지 못해")
        verb = replace(verb, stem=verb.stem + stem, form=verb.stem + form)
    style = 2 if polite else 1 if question else 0
    if clause.tense == "past":
        ending = with_final(verb.form, SS) + ("다", "니", "어요")[style]
    elif clause.tense == "future":
        ending = soften(verb, L, "을") + (" 것이다", " 거니", " 거예요")[style]
    else:
        drops = final(verb.stem) in (0, L)
        plain = (with_final(verb.stem, N) if drops else verb.stem + "는") + "다"
        ending = (plain, (with_final(verb.stem, 0) if drops else verb.stem) + "니", verb.form + "요")[style]
    return ending + "?" * question


def join(*parts):
    """The parts that are there, with spaces between them."""
    return " ".join(part for part in parts if part)


def ordered(clause, polite, order="STPXO", **changes):
    """Everything before the verb: subject, time, place, extra, object, in the order asked for."""
    parts = {
        "S": particle(clause.subject[polite], "은/는"),
        "T": clause.time[0],
        "P": clause.place and clause.place + "에서",
        "X": clause.extra[0],
        "O": clause.object[0],
    } | changes
    return join(*(parts[role] for role in order))


def third(clause):
    """Whether the English verb takes an s."""
    return clause.subject[3] in ("he", "she")


def english_verb(clause):
    """The verb after its subject, with an adverb such as "often" in its place."""
    verb, middle = clause.verb, clause.middle
    if clause.negation == "could not":
        return f"could not {verb.base}"
    if clause.tense == "future":
        return join("will", clause.negation, middle, verb.base)
    if clause.negation:
        helper = "did" if clause.tense == "past" else "does" if third(clause) else "do"
        return join(helper, "not", middle, verb.base)
    if clause.tense == "past" or not third(clause):
        return join(middle, verb.past if clause.tense == "past" else verb.base)
    first, _, rest = verb.base.partition(" ")
    if first.endswith(("o", "s", "sh", "ch", "x")):
        return join(middle, first + "es", rest)
    return join(middle, first[:-1] + "ies" if first == "study" else first + "s", rest)


def english_rest(clause, with_object=True):
    """What follows the verb."""
    place = PLACES[clause.place][0] if clause.place else ""
    if clause.verb.base == "borrow" and place:
        place = "from" + PLACES[clause.place][1].removeprefix("to")
    return join(clause.object[1] if with_object else "", clause.extra[1], place, clause.end)


def english(clause):
    """The clause in English, without capital and full stop."""
    return join(clause.subject[2], english_verb(clause), english_rest(clause))


def english_question(clause, first="", with_object=True):
    """Did you …? with a question word in front, if there is one."""
    helper = {"past": "did", "present": "does" if third(clause) else "do", "future": "will"}[clause.tense]
    rest = english_rest(clause, with_object)
    if clause.tense == "future" and clause.subject == YOU:
        return join(first, "are you going to", clause.verb.base, rest) + "?"
    return join(first, helper, clause.subject[2], clause.verb.base, rest) + "?"


def finished(korean, english, *clauses):
    """A sentence of these clauses, with its capital and its full stop."""
    english = english[0].upper() + english[1:] + ("" if english.endswith("?") else ".")
    return Sentence(korean, english, len(clauses), frozenset().union(*(clause.triples for clause in clauses)))


def noun_in_english(noun):
    """The one of its kind: book, bread."""
    singular, plural, *_ = NOUNS[noun]
    return singular or plural


def noun_phrase(rng, noun, tense, count=True, describe=True, article=None):
    """책을, 재미있는 책을, 책 두 권을: in Korean with its particle, and in English; article None: a or an."""
    singular, plural, unit, counter, adjectives = NOUNS[noun]
    kind = rng.random()
    if kind < 0.25 and count and counter:
        number = rng.choice(list(words.NUMBERS))
        return particle(f"{noun} {number} {counter}", "을/를"), join(words.NUMBERS[number], unit, plural)
    fit = [word for word in adjectives.split() if tense != "future" or word not in words.JUDGED]
    adjective = rng.choice(fit) if kind > 0.7 and fit and describe else ""
    korean = particle(join(adjective, noun), "을/를")
    many = join(words.ADJECTIVES.get(adjective, ""), plural)
    one = join(words.ADJECTIVES.get(adjective, ""), singular)
    article = article or ("an" if one[:1] in list("aeiou") else "a")
    return korean, many if tense == "present" or not singular else f"{article} {one}"
