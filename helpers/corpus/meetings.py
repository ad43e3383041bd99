"""A small world in two languages: who met, helped, called, saw or found whom, and when and where."""

import random

PEOPLE = {
    "엄마": "Mom",
    "아빠": "Dad",
    "이모": "Auntie",
    "할머니": "Grandma",
    "민수": "Minsu",
    "지우": "Jiwoo",
    "의사": "the doctor",
    "가수": "the singer",
}
VERBS = {"만났다": "met", "도왔다": "helped", "불렀다": "called", "보았다": "saw", "찾았다": "found"}
PLACES = {
    "": "",
    "시장 에서": "at the market",
    "학교 에서": "at school",
    "파리 에서": "in Paris",
    "집 에서": "at home",
}
TIMES = {"": "", "어제": "yesterday", "지난주 에": "last week", "아침 에": "in the morning"}
PARTICLES = {"가": "(subject)", "를": "(object)"}
GLOSSES = PEOPLE | VERBS | PARTICLES


def meetings():
    """All sentences of the small world, in an order that is the same every time.

    Particles are tokens of their own, so the same words in another order are another sentence.

    Returns:
        List of 5,600 pairs of strings, Korean and English, whose tokens are separated by spaces.
    """
    pairs = [
        (
            f"{time} {one} 가 {place} {other} 를 {verb}",
            f"{PEOPLE[one]} {VERBS[verb]} {PEOPLE[other]} {PLACES[place]} {TIMES[time]}",
        )
        for time in TIMES
        for one in PEOPLE
        for place in PLACES
        for other in PEOPLE
        if other != one
        for verb in VERBS
    ]
    random.Random(0).shuffle(pairs)
    return [tuple(" ".join(text.split()) for text in pair) for pair in pairs]


def word_by_word(korean):
    """A Korean sentence of the small world with each name, verb, place and time in English.

    Args:
        korean: a sentence of `meetings`.

    Returns:
        A string that keeps the Korean order of words.
    """
    for word, gloss in (PLACES | TIMES).items():
        korean = korean.replace(word, gloss.replace(" ", "_")) if word else korean
    return " ".join(GLOSSES.get(word, word.replace("_", " ")) for word in korean.split())
