"""What each word form of the made sentences means, for those who read no Korean."""

from helpers.corpus import words
from helpers.corpus.clause import Clause
from helpers.corpus.english import english_noun
from helpers.corpus.korean import NIEUN, adnominal, korean_verb, particle, past_stem
from helpers.corpus.lexicon import NOUNS, SUBJECTS, VERBS, YOU

OTHERS = {  # whole words
    "누가": "who",
    "무엇을": "what",
    "어디에서": "where",
    "것이다 거예요 거니": "will",
    "않았다 않았어요": "did not",
    "않는다 않아요": "do not",
    "않을": "not",
    "못했다 못했어요": "could not",
    "다음": "next",
    "주에": "week",
    "배가": "stomach",
    "고파서": "empty, so",
    "목이": "throat",
    "말라서": "dry, so",
    "피곤해서": "tired, so",
    "바빠서": "busy, so",
    "시간이": "time",
    "없어서": "there is none, so",
    "비가": "rain",
    "와서": "comes, so",
    "날씨가": "weather",
    "좋아서": "good, so",
}


def meanings():
    """The English of every word form of the course.

    Returns:
        A dictionary from Korean words to English; a word of several meanings has one of them.
    """
    found = {}
    for noun in NOUNS:
        found[noun] = english_noun(noun)
        if NOUNS[noun][3]:
            found[particle(NOUNS[noun][3], "을/를")] = "(counted)"
    found |= words.NUMBERS
    for korean, polite, english, _ in [*SUBJECTS, YOU]:
        for name in (korean, polite):
            found |= {particle(name, pair): english for pair in ("은/는", "이/가")}
    found |= {"내가": "I", "제가": "I"}
    found |= {particle(korean, "과/와"): english for korean, english in words.COMPANIONS.items()}
    transport = words.TRANSPORT_IN_KOREA | words.TRANSPORT_ABROAD | words.TRANSPORT_IN_TOWN
    for table in (words.INSTRUMENTS, transport):
        found |= {particle(korean, "으로/로"): english for korean, english in table.items()}
    for verb in VERBS.values():
        found |= {form: english for form, english, _ in verb_forms(verb) if form not in found}
    return found | {form: english for forms, english in OTHERS.items() for form in forms.split()}


def verb_forms(verb):
    """A verb in its forms, of two words the first, each with its English and its own tense, or ""."""
    for tense in words.TIMES:
        for polite, question in ((False, False), (False, True), (True, False)):
            korean = korean_verb(Clause((), verb, tense), polite, question).removesuffix("?")
            english = verb.english_past if tense == "past" else verb.english
            yield korean.split()[0], english, "" if tense == "future" else tense
    yield past_stem(verb) + "지만", f"{verb.english_past}, but", "past"
    yield verb.stem + "고", f"{verb.english}, and", ""
    yield verb.stem + "지", verb.english, ""  # before “not”
    yield adnominal(verb, NIEUN), verb.english_past, "past"  # before a noun: that one bought
