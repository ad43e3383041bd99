import torch


def padding_mask(ids, pad):
    return ids.ne(pad).unsqueeze(1).unsqueeze(1)


def causal_mask(n):
    i = torch.arange(n)
    return i.unsqueeze(1) >= i


def combine_masks(*masks):
    seen = [m for m in masks if m is not None]
    if not seen:
        return None
    both = seen.pop(0)
    for m in seen:
        both = torch.logical_and(both, m)
    return both
