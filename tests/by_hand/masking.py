import torch


def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None]


def causal_mask(length):
    i = torch.arange(length)
    return i[:, None] >= i


def combine_masks(*masks):
    masks = [m for m in masks if m is not None]
    if not masks:
        return None
    out = masks[0]
    for m in masks[1:]:
        out = out & m
    return out
