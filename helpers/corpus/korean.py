"""Korean grammar: particles, verb endings, and what stands before the verb."""

from dataclasses import replace

from helpers.corpus.clause import join

# The final consonant (batchim) of a syllable, by its number in Unicode.
NO_BATCHIM, NIEUN, RIEUL, BIEUP, SSANG_SIOT = 0, 4, 8, 17, 20


def batchim(word):
    """The number of the final consonant of a word, 0 if it ends in a vowel."""
    return (ord(word[-1]) - ord("가")) % 28


def with_batchim(word, number):
    """The word with this final consonant in place of its own: 사, ㄴ → 산."""
    return word[:-1] + chr(ord(word[-1]) - batchim(word) + number)


def particle(word, pair):
    """책을, 커피를: the first of the pair after a final consonant, the second after a vowel."""
    after_consonant, after_vowel = pair.split("/")
    if batchim(word) == NO_BATCHIM or (after_consonant == "으로" and batchim(word) == RIEUL):
        return word + after_vowel
    return word + after_consonant


def adnominal(verb, number):
    """The form before a noun, in ㄴ for the past and ㄹ for the future: 산 and 살, 읽은 and 읽을, 구운."""
    if batchim(verb.stem) in (NO_BATCHIM, RIEUL):
        return with_batchim(verb.stem, number)
    if batchim(verb.stem) == BIEUP and verb.infinitive[-1] in "와워":
        return with_batchim(verb.stem, NO_BATCHIM) + with_batchim("우", number)
    return verb.infinitive[:-1] + with_batchim("으", number)  # 들어 of 듣다, 지어 of 짓다


def past_stem(verb):
    """What the endings of the past follow: 읽었, 샀."""
    return with_batchim(verb.infinitive, SSANG_SIOT)


def korean_verb(clause, polite, question=False):
    """The verb at the end of a sentence."""
    verb = clause.verb
    if clause.negation:
        stem, infinitive = ("지 않", "지 않아") if clause.negation == "not" else ("지 못하", "지 못해")
        verb = replace(verb, stem=verb.stem + stem, infinitive=verb.stem + infinitive)
    style = 2 if polite else 1 if question else 0
    if clause.tense == "past":
        ending = past_stem(verb) + ("다", "니", "어요")[style]
    elif clause.tense == "future":
        ending = adnominal(verb, RIEUL) + (" 것이다", " 거니", " 거예요")[style]
    else:
        open_stem = batchim(verb.stem) in (NO_BATCHIM, RIEUL)
        plain = with_batchim(verb.stem, NIEUN) if open_stem else verb.stem + "는"
        asked = with_batchim(verb.stem, NO_BATCHIM) if open_stem else verb.stem
        ending = (plain + "다", asked + "니", verb.infinitive + "요")[style]
    return ending + "?" * question


def before_the_verb(clause, polite, order="STPAO", **changes):
    """Subject, time, place, adjunct and object, in the order asked for; changes replace one, as S="누가"."""
    parts = {
        "S": particle(clause.subject[polite], "은/는"),
        "T": clause.time[0],
        "P": clause.place and clause.place + "에서",
        "A": clause.adjunct[0],
        "O": clause.object[0],
    } | changes
    return join(*(parts[role] for role in order))
