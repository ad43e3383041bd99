"""Answers to the exercises of chapter 17, right ones and wrong ones that no exercise lists."""

from wrong_answers import also, right, wrong

also("sentences_for_half", ("Not quite", 600), ("Not quite", 4800))


@right
def clean_test(train, test):
    rest = list(test)
    for side in (0, 1):
        known = [pair[side].strip().casefold() for pair in train]
        rest = [pair for pair in rest if pair[side].strip().casefold() not in known]
    return rest


@wrong("It raises an error (AttributeError)")
def clean_test(train, test):  # noqa: F811
    seen = {text for pair in train for text in pair.strip()}
    return [pair for pair in test if seen.isdisjoint(pair)]
