"""What goes wrong in a part, as a wrong part and what to say about it. A reader's part that behaves like one
of these in every trial is told so.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch

from helpers.attention import scaled_dot_product_attention
from helpers.multi_head_attention import MultiHeadAttention


@dataclass
class Fault:
    """A typical fault.

    Args:
        wrong: a function, or a class that takes the weights of ours.
        section: of the course that explains it.
        ko, en: what is wrong.
    """

    wrong: Callable
    section: str
    ko: str
    en: str


FAULTS = {}
