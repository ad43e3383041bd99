"""English grammar: verb forms, word order, questions."""

from helpers.corpus import words
from helpers.corpus.clause import join
from helpers.corpus.lexicon import NOUNS, PLACES, YOU


def is_third_person(clause):
    """Whether the verb takes an s in the present."""
    return clause.subject[3] in ("he", "she")


def third_person(verb):
    """The verb with its s: reads, goes, studies, buys, takes a walk."""
    first, _, rest = verb.partition(" ")
    if first.endswith(("o", "s", "sh", "ch", "x", "z")):
        return join(first + "es", rest)
    if first.endswith("y") and first[-2] not in "aeiou":
        return join(first[:-1] + "ies", rest)
    return join(first + "s", rest)


def english_verb(clause):
    """The verb after its subject, with an adverb such as "often" in its place."""
    verb = clause.verb
    adverb = clause.time[1] if clause.time[2] else ""
    if clause.negation == "could not":
        return f"could not {verb.english}"
    if clause.tense == "future":
        return join("will", clause.negation, adverb, verb.english)
    if clause.negation:
        auxiliary = "did" if clause.tense == "past" else "does" if is_third_person(clause) else "do"
        return join(auxiliary, "not", adverb, verb.english)
    if clause.tense == "past":
        return join(adverb, verb.english_past)
    return join(adverb, third_person(verb.english) if is_third_person(clause) else verb.english)


def time_at_the_end(clause):
    """The time where it does not stand before the verb, as "yesterday" does not."""
    return "" if clause.time[2] else clause.time[1]


def english_rest(clause, with_object=True):
    """What follows the verb."""
    place = PLACES[clause.place][0] if clause.place else ""
    if place and clause.verb.stem in words.FROM_PLACE:
        place = "from " + PLACES[clause.place][1].removeprefix("to ")
    object = clause.object[1] if with_object else ""
    return join(object, clause.adjunct[1], place, time_at_the_end(clause))


def english_clause(clause):
    """The clause without capital and full stop."""
    return join(clause.subject[2], english_verb(clause), english_rest(clause))


def english_question(clause, question_word="", with_object=True):
    """Did you …? with a question word in front, if there is one."""
    auxiliary = {"past": "did", "present": "does" if is_third_person(clause) else "do", "future": "will"}
    rest = english_rest(clause, with_object)
    if clause.tense == "future" and clause.subject == YOU:
        return join(question_word, "are you going to", clause.verb.english, rest) + "?"
    subject, verb = clause.subject[2], clause.verb.english
    return join(question_word, auxiliary[clause.tense], subject, verb, rest) + "?"


def english_noun(noun):
    """The singular, or the only form there is: book, bread."""
    singular, plural, *_ = NOUNS[noun]
    return singular or plural


def with_article(phrase):
    """A book, an umbrella."""
    return ("an " if phrase[0] in "aeiou" else "a ") + phrase
