"""Masks: which query may see which key, True = may attend. Chapter 06."""

import torch


def padding_mask(ids, pad_id):
    """Hide padding from every query.

    Args:
        ids: token ids (B, T).
        pad_id: the id that fills up short sentences.

    Returns:
        Boolean (B, 1, 1, T), True where the key is a real token.
    """
    return (ids != pad_id)[:, None, None, :]


def causal_mask(length, device=None):
    """Hide the future: query i sees the keys 0 … i.

    Args:
        length: number of tokens T.
        device: where the mask is made.

    Returns:
        Boolean (T, T), True on and below the diagonal.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.3.
    """
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def combine_masks(*masks):
    """Allow only what every mask allows.

    Args:
        masks: boolean tensors that broadcast to each other, or None for no mask.

    Returns:
        Their logical and, or None if there is no mask at all.
    """
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined & mask
    return combined
