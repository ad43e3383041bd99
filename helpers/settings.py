"""Settings of training that would be silently wrong, or fail late, out of their range."""

import math

import torch


def check_fractions(**values):
    """Values given by name are at least 0 and below 1.

    Raises:
        ValueError: one is not, or is no number.
    """
    for name, value in values.items():
        if not 0 <= value < 1:
            raise ValueError(f"{name}: value is {value}; use a number from 0, below 1")


def check_factors(**values):
    """Values given by name are above 0 and finite.

    Raises:
        ValueError: one is not, or is no number.
    """
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name}: value is {value}; use a number above 0")


def check_device(device):
    """The device can compute here.

    Raises:
        ValueError: it cannot, or there is none of this name.
    """
    try:
        torch.zeros(1, device=device).item()
    except (RuntimeError, AssertionError, ImportError):
        raise ValueError(f"device: value is {device}, which cannot compute here; use cpu") from None
