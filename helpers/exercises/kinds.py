"""The four kinds of exercises: build and debug a function, predict a value, explore."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

RANDOM_CASES = 24  # of an exercise that draws any


def in_turn(values, number):
    """What is written one after the other, such as Korean and English in turn, taken together again.

    Args:
        values: list.
        number: of values that belong together.

    Returns:
        List of tuples of that many.
    """
    return list(zip(*[iter(values)] * number, strict=True))


@dataclass
class Mistake:
    """A typical wrong answer, as a function, and what to say to it in both languages."""

    answer: Callable
    ko: str
    en: str


@dataclass
class Exercise:
    """Build or debug: a plain specification, and cases (tuples of arguments), smallest first.

    mistakes: typical wrong answers: function, Korean and English in turn; kept as `Mistake`s.
    forbidden: names of functions, classes and modules of torch and helpers that the answer does without.
    hints: from a nudge to almost the answer, Korean and English in turn; kept as pairs.
    start: debug only: the wrong function that the reader is to mend.
    draw: a function of a `random.Random` that returns one more case; `RANDOM_CASES` of them, the same in
        every run, follow the given cases.
    read: a function of a result and the arguments, called before results are compared, where several forms
        are right.
    by_hand: arguments whose result can be found without a computer, or the index of the case that has them;
        kept as arguments. The website asks for that result.
    """

    spec: Callable
    cases: list
    mistakes: list | tuple = ()
    forbidden: tuple = ()
    hints: list | tuple = ()
    start: Callable | None = None
    draw: Callable | None = None
    read: Callable | None = None
    by_hand: tuple | int = 0

    def __post_init__(self):
        """Draw the further cases."""
        self.by_hand = self.cases[self.by_hand] if isinstance(self.by_hand, int) else self.by_hand
        self.hints = in_turn(self.hints, 2)
        self.mistakes = [Mistake(*mistake) for mistake in in_turn(self.mistakes, 3)]
        rng = random.Random(0)
        self.shown = len(self.cases)  # those that were written by hand
        self.cases = [*self.cases, *(self.draw(rng) for _ in range(RANDOM_CASES if self.draw else 0))]


@dataclass
class Prediction:
    """Predict: the reader commits a guess, and then sees the answer and why.

    answer: a number, a text, or a list or tuple of them for an order; or a function that computes it.
    hints: as in `Exercise`.
    near: how far a guessed number may be off, as a share of the answer.
    why: (Korean, English).
    slips: wrong answers that come easily, and what to say to each: answer, Korean and English in turn; kept
        as triples.
    choices: the texts among which to choose, where the exercise names them.
    """

    answer: Any
    hints: list | tuple = ()
    near: float = 0.0
    why: tuple = ("", "")
    slips: list | tuple = ()
    choices: tuple = ()

    def __post_init__(self):
        """Pair the hints, and take each slip with what to say to it."""
        self.hints = in_turn(self.hints, 2)
        self.slips = in_turn(self.slips, 3)


@dataclass
class Exploration:
    """Explore: the reader writes down what there is to see; then what to look for is shown.

    look_for: (Korean, English).
    hints: as in `Exercise`.
    """

    look_for: tuple
    hints: list | tuple = ()

    def __post_init__(self):
        """Pair the hints."""
        self.hints = in_turn(self.hints, 2)


KINDS = (Exercise, Prediction, Exploration)


def random_tensors():
    """A function from a shape to a random tensor, for cases; each call differs, every run is the same."""
    rng = torch.Generator().manual_seed(0)
    return lambda *shape: torch.randn(*shape, generator=rng)
