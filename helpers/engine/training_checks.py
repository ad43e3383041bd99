"""What training cannot go on with: settings out of their range, a device that cannot compute, a lost loss."""

import math

import torch

from helpers.engine.checks import check_sizes


def check_pairs(pairs):
    """There is something to train on.

    Args:
        pairs: a list.

    Raises:
        ValueError: it is empty.
    """
    if len(pairs) == 0:
        raise ValueError("pairs: none; pass at least one (source, target)")


def check_training(batch_size, warmup_steps, lr_scale, label_smoothing):
    """The settings of a `Trainer` are in their range.

    Args:
        batch_size, warmup_steps, lr_scale, label_smoothing: as of `Trainer`.

    Raises:
        ValueError: one is not; the message names it.
    """
    check_sizes(batch_size=batch_size, warmup_steps=warmup_steps)
    if not 0 < lr_scale < math.inf:
        raise ValueError(f"lr_scale: value is {lr_scale}; use a number above 0")
    check_fractions(label_smoothing=label_smoothing)


def check_fractions(**values):
    """Values given by name are at least 0 and below 1.

    Args:
        values: numbers, by the names that the caller knows.

    Raises:
        ValueError: one is not, or is no number.
    """
    for name, value in values.items():
        if not 0 <= value < 1:
            raise ValueError(f"{name}: value is {value}; use a number from 0, below 1")


def check_device(device):
    """The device can compute here.

    Args:
        device: its name, e.g. "cuda".

    Raises:
        ValueError: it cannot, or there is none of this name.
    """
    try:
        torch.zeros(1, device=device).item()
    except (RuntimeError, AssertionError, ImportError):
        raise ValueError(f"device: value is {device}, which cannot compute here; use cpu") from None


def check_step(step, loss, norm, lr_scale):
    """The loss and the norm of the gradient are finite, so that the weights will be.

    Args:
        step: number of the step, from 1.
        loss, norm: floats.
        lr_scale: for the message.

    Raises:
        ValueError: one is not.
    """
    if not math.isfinite(loss + norm):
        what = f"loss: value is {loss} at step {step}, with a gradient of norm {norm}"
        raise ValueError(f"{what}; lower lr_scale, which is {lr_scale}")
