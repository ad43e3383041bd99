"""Hints come in steps."""

from helpers.engine.languages import say


def say_next(hints, given, about=""):
    """Say the hint after those that were given; the last one stays.

    Args:
        hints: list of (Korean, English).
        given: how many were given.
        about: text in front of it.

    Returns:
        How many are given now.
    """
    number = min(given + 1, len(hints))
    ko, en = hints[number - 1]
    say(f"{about}힌트 {number}/{len(hints)}: {ko}", f"{about}Hint {number} of {len(hints)}: {en}")
    return number
