"""Typical wrong answers to the exercises, one module a chapter, to see that each is told what is wrong.

Each is a function as a reader would write it, under the name of its exercise.
"""

from collections import defaultdict

WRONG = defaultdict(list)  # (chapter, exercise): a list of (function, phrase)


def wrong(phrase):
    """Keep a function as a wrong answer, with a phrase of the English diagnosis that it must get."""

    def keep(answer):
        WRONG[answer.__module__[-2:], answer.__name__].append((answer, phrase))
        return answer

    return keep
