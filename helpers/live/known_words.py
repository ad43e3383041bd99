"""The words of the made sentences, with what they mean and which of them go together."""

import functools
import re

from helpers.corpus import RUNNING_EXAMPLE, make_pairs, words
from helpers.corpus.choosing import ASKED_OF, GO, TAKE_A_TRIP, asked_with, fitting_objects, not_negated
from helpers.corpus.clause import Clause
from helpers.corpus.english import english_noun, english_verb, with_article
from helpers.corpus.korean import korean_verb, particle
from helpers.corpus.lexicon import NOUNS, PLACES, REASONS, SUBJECTS, VERBS, YOU
from helpers.live.glosses import english_of_words, tenses_of_words
from helpers.live.meanings import meanings

SAMPLE = 30_000  # sentences: those of chapter 11; no word of the course is missing in them
EXAMPLES = [
    RUNNING_EXAMPLE,
    ("누나는 내일 도서관에서 책을 읽을 것이다", "My older sister will read a book at the library tomorrow."),
    ("너는 어제 시장에서 무엇을 샀니?", "What did you buy at the market yesterday?"),
    ("민수는 커피를 마셨지만 유나는 차를 마셨다", "Minsu drank coffee, but Yuna drank tea."),
    ("친구들은 비가 와서 공원에 가지 못했다", "Because it was raining, my friends could not go to the park."),
    ("나는 민수가 시장에서 산 사과를 먹었다", "I ate the apple that Minsu bought at the market."),
    ("나는 피곤해서 집에 갔다", "Because I was tired, I went home."),  # put together as it has never seen
    ("나는 어제 강아지를 샀다", "I bought a puppy yesterday."),  # a word that it has never seen
]
TIMES = sorted({word for table in words.TIMES.values() for korean, *_ in table for word in korean.split()})
ENDINGS = [  # of words, by which they stand where they stand in a sentence, each with its letter in a shape
    ("w", f"^({'|'.join(TIMES)})$"),  # some patterns always have a time
    ("", "^(엽서|편지|작은|짧은|.*있는)$"),  # only look like one
    ("b", "지만$"),
    ("c", "[^에]서$"),
    ("l", "에서$"),
    ("d", ".에$"),
    ("m", "^못"),
    ("n", "^않"),
    ("g", ".지$"),
    ("t", ".[은는]$"),
    ("s", ".[이가]$"),
    ("o", ".[을를]$"),
    ("a", ".고$"),
    ("e", "[다니요]$"),
]
ROUND_TRIP = {"past": "went (and came back)", "future": "will go (and come back)"}


@functools.cache
def sample():
    """Korean and English sentences that a translator of the course has been trained on."""
    return tuple(zip(*make_pairs("train", SAMPLE), strict=True))


def is_of_the_course(src_tokenizer, tgt_tokenizer):
    """Whether two tokenizers know no character beyond the made sentences, Korean and English."""
    sides = zip((src_tokenizer, tgt_tokenizer), sample(), strict=True)
    return all({*tokenizer.alphabet} <= {" ", *"".join(texts)} for tokenizer, texts in sides)


def course_words():
    """What someone without Korean needs to put a sentence together.

    Returns:
        A dictionary: "examples", pairs of a sentence and its meaning; "known", every word of the
        sample; "english", every word of its translations; "longest", how many words its longest
        sentence has; "times", of each word that tells when or how often the tense that goes with it;
        "glosses", "tenses" and "meanings", as the functions of their modules return them; "slots", for
        each part of a sentence, in the order of Korean, its words with their meanings; "parts", single
        words of those; "asked_of", who does it in questions; "kinds", for each noun its adjectives;
        "verbs", for each form how a sentence ends in it, denies and asks, its English, also with "not",
        the words of every slot that go with it, and for which slots one asks; and "reasons": each with
        the stem of a verb that follows, whether that is denied, and a word of its English. "endings"
        are `ENDINGS`, and "shapes" those that sentences of the sample have, and those without their
        place or without a reason (비가 와서), which are translated as well: strings, of each word the
        letter of its ending.
    """
    shapes = {shape_of(text) for text in sample()[0]}
    shapes |= {re.sub(part, "", shape, count=1) for shape in shapes for part in ("l", "s?c")}
    slots = {name: {} for name in ("who", "when", "where", "kind", "what")}
    verbs, english = [], [verb.english for verb in VERBS.values()]
    for tense in words.TIMES:
        for stem, verb in VERBS.items():
            if stem not in words.NOT_IN_TENSE.get(tense, []):
                clause, negated = (Clause(SUBJECTS[0], verb, tense, negation=one) for one in ("", "not"))
                fitting = {
                    "who": subjects_of(stem),
                    "when": times_of(verb, tense),
                    "where": {place + "에서": PLACES[place][0] for place in verb.places},
                    "kind": kinds_of(verb, tense),
                    "what": objects_of(verb, tense),
                }
                for name, glosses in fitting.items():
                    slots[name] |= glosses
                meaning = ROUND_TRIP[tense] if stem == TAKE_A_TRIP else english_verb(clause)
                if english.count(verb.english) > 1 and fitting["what"]:
                    meaning += f" ({next(iter(fitting['what'].values()))})"  # took (a photo), took (the bus)
                form = {
                    "stem": stem,
                    "korean": korean_verb(clause, polite=False),
                    "polite": korean_verb(clause, polite=True),
                    "denied": "" if stem in not_negated(tense) else korean_verb(negated, polite=False),
                    "question": korean_verb(clause, polite=False, question=True),
                    "english": meaning,
                    "not": english_verb(negated),
                    "tense": tense,
                    "asked": [kind for kind in ("who", "where", "what") if stem in asked_with(kind)],
                }
                verbs.append(form | {name: list(glosses) for name, glosses in fitting.items()})
    return {
        "examples": EXAMPLES,
        "endings": ENDINGS,
        "shapes": sorted(shapes),
        "known": sorted({word.removesuffix("?") for text in sample()[0] for word in text.split()}),
        "english": sorted({word for text in sample()[1] for word in re.findall("[A-Za-z]+", text)}),
        "longest": max(len(text.split()) for text in sample()[0]),
        "times": {korean: tense for tense, table in words.TIMES.items() for korean, *_ in table},
        "glosses": english_of_words(),
        "tenses": tenses_of_words(),
        "meanings": meanings(),
        "slots": slots,
        "asked_of": [particle(name, "은/는") for name, *_ in (YOU, *ASKED_OF)],
        "parts": {city: PLACES[city][1].removeprefix("to ") for city in words.CITIES} | {"여행을": "a trip"},
        "kinds": {particle(noun, "을/를"): row[4].split() for noun, row in NOUNS.items()},
        "verbs": verbs,
        "reasons": [
            (korean, (follow + denied)[0], not follow, english.split()[-1])
            for korean, english, follow, denied in REASONS
        ],
    }


def shape_of(text):
    """How a sentence is put together: of each word the letter that `ENDINGS` have for it, joined."""
    return "".join(letter_of(word.removesuffix("?")) for word in text.split())


@functools.cache  # the course has a few hundred words
def letter_of(word):
    """The letter that `ENDINGS` have for a word, or none."""
    return next((letter for letter, ending in ENDINGS if re.search(ending, word)), "")


def subjects_of(stem):
    """Who does it: Korean with its particle, and English."""
    excluded = words.NOT_DONE_BY
    who = [(korean, english) for korean, _, english, _ in SUBJECTS if stem not in excluded.get(korean, [])]
    return {particle(korean, "은/는"): english for korean, english in who}


def times_of(verb, tense):
    """When it is done, as `choosing.choose_time` has it."""
    to_somewhere = verb.stem in (GO, TAKE_A_TRIP)
    excluded = []
    if verb.stem in words.NOT_AT_VAGUE_TIMES:
        excluded += words.VAGUE_TIMES
    if verb.stem in words.NOT_OFTEN:
        excluded += ["자주"]
    if verb.stem == TAKE_A_TRIP:
        excluded += ["어제", "내일"]  # nobody is in Rome and back in a day
    times = [time for time in words.TIMES[tense] if not time[2] or verb.objects or to_somewhere]
    return {korean: english for korean, english, _ in times if korean not in excluded}


def kinds_of(verb, tense):
    """Which adjectives its objects may have."""
    excluded = words.ADJECTIVES_NOT_IN_FUTURE if tense == "future" else []
    kinds = [kind for noun in verb.objects for kind in NOUNS[noun][4].split()]
    return {kind: words.ADJECTIVES[kind] for kind in kinds if kind not in excluded}


def objects_of(verb, tense):
    """What it is done to, or where one goes."""
    if verb.stem == GO:
        places = [place for place in PLACES if tense != "present" or place not in words.CITIES]
        return {place + "에": PLACES[place][1] for place in places}
    if verb.stem == TAKE_A_TRIP:
        return {place + " 여행을": "a trip " + PLACES[place][1] for place in words.CITIES}
    nouns = fitting_objects(verb, tense, "")
    return {
        particle(noun, "을/를"): with_article(noun_en) if NOUNS[noun][0] else noun_en
        for noun, noun_en in ((noun, english_noun(noun)) for noun in nouns)
    }
