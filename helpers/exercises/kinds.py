"""The four kinds of exercises: build and debug a function, predict a value, explore."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch


@dataclass
class Mistake:
    """A typical wrong answer, as a function, and what to say to it in both languages."""

    answer: Callable
    ko: str
    en: str


@dataclass
class Exercise:
    """Build or debug: a plain specification, cases (tuples of arguments, smallest first), typical mistakes.

    forbidden: names that the answer must do without, where the exercise says so.
    hints: (Korean, English), from a nudge to almost the answer.
    start: debug only: the wrong function that the reader is to mend.
    """

    spec: Callable
    cases: list
    mistakes: list
    forbidden: tuple = ()
    hints: list | tuple = ()
    start: Callable | None = None


@dataclass
class Prediction:
    """Predict: the reader commits a guess, and then sees the answer and why.

    answer: a number, a text, or a list or tuple of them for an order; or a function that computes it.
    hints: as in `Exercise`.
    near: how far a guessed number may be off, as a share of the answer.
    why: (Korean, English).
    """

    answer: Any
    hints: list | tuple = ()
    near: float = 0.0
    why: tuple = ("", "")


@dataclass
class Exploration:
    """Explore: the reader writes down what there is to see; then what to look for is shown.

    look_for: (Korean, English).
    hints: as in `Exercise`.
    """

    look_for: tuple
    hints: list | tuple = ()


KINDS = (Exercise, Prediction, Exploration)


def random_tensors():
    """A function from a shape to a random tensor, for cases; each call differs, every run is the same."""
    generator = torch.Generator().manual_seed(0)
    return lambda *shape: torch.randn(*shape, generator=generator)
