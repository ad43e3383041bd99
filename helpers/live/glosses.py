"""What no right translation of a sentence of the course lacks: each Korean word, and its English."""

from helpers.corpus import words
from helpers.corpus.choosing import TAKE_A_TRIP
from helpers.corpus.english import third_person
from helpers.corpus.korean import BIEUP, NO_BATCHIM, RIEUL, batchim, past_stem, with_batchim
from helpers.corpus.lexicon import NOUNS, PLACES, SUBJECTS, VERBS, YOU
from helpers.live.meanings import verb_forms

PARTICLES = ["", *"은 는 이 가 을 를 에 에서 으로 로 와 과 에게 한테 도 만 까지 부터 하고".split()]
AFTER_PAST = ["고", "습니다", "습니까"]  # endings besides those of the course; the English words are the same
OTHERS = {  # whole words
    "나는 저는 내가 제가": "I",
    "누가": "who",
    "최근에": "recently",
    "보았다 보았어요": "watch|watches|watched|saw",
    "친구는 친구가": "friend",  # of friends the course has 친구들
    "무엇을 뭐": "what",
    "어디에서 어디에": "where",
    "않았다 않았니 않았어요 않았습니다 않았지만 않고 않아서 않는다 않아요 않을 안": "not",
    "못했다 못했어요 못했습니다 못했지만 못해서 못": "not",
    "것이다 거예요 거니 겁니다": "will|going",
    "고파서": "hungry",
    "말라서": "thirsty",
    "피곤해서": "tired",
    "바빠서": "busy",
    "시간이": "time",
    "비가": "raining",
    "날씨가": "weather",
    "좋아서": "nice",
    "지난주에": "last",
    "다음": "next",
    "매일": "day",
    "주말마다": "weekend",
    "여행을": "trip",
}
OF_A_TRIP = "went|go|goes|take|takes|took|make|makes|made|trip"  # of 다녀왔다, with 여행을 and without
ALSO = {"사진": "picture|pictures"}  # right, too, though the course has another word
TENSES = {  # whole words
    "않았다 않았니 않았어요": "did",
    "않는다 않아요": "do|does",
    "못했다 못했어요": "could",
    "보았다 보았어요": "watched|saw|did|could",
}


def english_of_words():
    """The English of each form of a word that the course has, or that means the same.

    Returns:
        A dictionary from Korean words to the English words, with | between them, of which a right translation
        has one for each time that the Korean stands in a sentence.
    """
    found = {form: english for forms, english in OTHERS.items() for form in forms.split()}
    for table in words.TIMES.values():
        found |= {korean: english for korean, english, _ in table if " " not in korean + english}
    found |= words.ADJECTIVES | words.NUMBERS
    for nouns, english in stems():
        found |= {nouns + particle: english for particle in PARTICLES} | found
    for verb in VERBS.values():
        found |= dict.fromkeys(forms_of(verb), english_forms(verb)) | found
    del found["그리고"]  # draws and …, but to most readers “and”
    del found["우리"]  # we, but to most readers “our”
    return found


def tenses_of_words():
    """The English of a Korean verb in its tense.

    Returns:
        A dictionary from Korean words to English ones, with | between them, of which a right translation has
        one: of a past form did, too, with which one asks, and of one after 안 or 못 did and could.
    """
    found = {form: english for forms, english in TENSES.items() for form in forms.split()}
    for verb in VERBS.values():
        first, past = verb.english.split()[0], verb.english_past.split()[0]
        past += "|went|made" * (verb.stem == TAKE_A_TRIP)
        english = {"past": f"{past}|did|could", "present": f"{first}|{third_person(first)}|do|does"}
        for form, _, tense in verb_forms(verb):
            if tense:  # 써요: writes, uses
                found[form] = "|".join(filter(None, [found.get(form), english[tense]]))
    return found


def stems():
    """Nouns without particles, and their English."""
    for korean, (singular, plural, *_) in NOUNS.items():
        forms = {form.split()[-1]: "" for form in (singular, plural, ALSO.get(korean)) if form}
        yield korean, "|".join(forms)
    for korean, (english, _) in PLACES.items():
        yield korean, english.split()[-1]
    for korean, _, english, _ in [*SUBJECTS[1:], YOU]:
        yield korean, english.split()[-1]
    for table in (words.INSTRUMENTS, words.TRANSPORT_ABROAD, words.TRANSPORT_IN_TOWN):
        for korean, english in table.items():
            yield korean, english.split()[-1]


def forms_of(verb):
    """A verb as it ends a sentence or a clause, or stands before a noun; of two words the first."""
    yield from (form for form, _, _ in verb_forms(verb))
    yield from (past_stem(verb) + ending for ending in AFTER_PAST)
    is_open = batchim(verb.stem) in (NO_BATCHIM, RIEUL)
    yield (with_batchim(verb.stem, BIEUP) if is_open else verb.stem + "습") + "니다"


def english_forms(verb):
    """The words of the English verb by which one knows it: read; buy, buys, bought; trip."""
    first, *rest = verb.english.split()
    if verb.stem == TAKE_A_TRIP:
        return OF_A_TRIP
    if len(rest) > 1:  # take a walk
        return rest[1]
    return "|".join({first: "", third_person(first): "", verb.english_past.split()[0]: ""})
