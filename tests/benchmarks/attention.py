"""make bench: attention by the fused kernel beside attention step by step, time and memory."""

import torch
from torch.nn import functional as F

from benchmarks.measure import CAN_MEASURE_MEMORY, Memory, Times, show
from helpers.attention import scaled_dot_product_attention
from helpers.masking import causal_mask


def attend(fused, n_heads, length, d_head):
    """A function that runs causal attention forward and backward."""
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, n_heads, length, d_head, requires_grad=True) for _ in range(3))
    mask = causal_mask(length)

    def run():
        if fused:
            output = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            output, _ = scaled_dot_product_attention(q, k, v, mask)
        output.sum().backward()

    return run


def rows(n_heads=8, d_head=64, lengths=((128, 41), (512, 21), (2048, 7))):
    """The rows of the table; lengths are pairs of T and a number of rounds."""
    found = []
    for length, rounds in lengths:
        fused, explicit = ((fused, n_heads, length, d_head) for fused in (True, False))
        found.append(Times(f"time, T = {length}", attend(*fused), attend(*explicit), rounds=rounds))
        if CAN_MEASURE_MEMORY:
            found.append(Memory(f"memory, T = {length}", attend, fused, explicit))
    return found


if __name__ == "__main__":
    title = (
        "causal attention, 8 heads of 64, forward and backward: PyTorch's fused kernel (our model calls it)"
    )
    show(f"{title}\nbeside scaled_dot_product_attention of chapter 04, which gives the weights, too", rows)
