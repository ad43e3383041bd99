"""Answers to the exercises as readers write them, one module a chapter: right ones, and wrong ones that no
exercise lists as a mistake, so that something general must name them.

Each is a function under the name of its exercise, or a lambda or a guess beside that name.
"""

import sys
from collections import defaultdict

RIGHT = defaultdict(list)  # (chapter, exercise): functions
WRONG = defaultdict(list)  # (chapter, exercise): pairs of a function and a phrase


def wrong(phrase):
    """Keep a function as a wrong answer, with a phrase of the English diagnosis that it must get."""

    def keep(answer):
        WRONG[answer.__module__[-2:], answer.__name__].append((answer, phrase))
        return answer

    return keep


def right(answer):
    """Keep a function as a right answer."""
    RIGHT[answer.__module__[-2:], answer.__name__].append(answer)
    return answer


def also(exercise, *answers):
    """Keep short answers to an exercise: pairs of a phrase (None: it is right) and a function or a guess."""
    key = sys._getframe(1).f_globals["__name__"][-2:], exercise
    for phrase, answer in answers:
        RIGHT[key].append(answer) if phrase is None else WRONG[key].append((answer, phrase))
