"""A typical fault of a part, and what to say about it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A part that is wrong in one way.

    Args:
        wrong: a function, or a class that is made like ours and takes the weights of ours.
        section: of the course that explains it, such as "5.5".
        ko, en: what is wrong, in both languages.
    """

    wrong: Callable
    section: str
    ko: str
    en: str
