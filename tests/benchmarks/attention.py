"""make bench: attention by the fused kernel beside attention step by step, time and memory."""

import torch
from torch.nn import functional as F

from benchmarks.measure import CAN_MEASURE_MEMORY, Memory, Times
from helpers.attention import scaled_dot_product_attention
from helpers.masking import causal_mask

TITLE = """causal attention, 8 heads of 64, forward and backward: PyTorch's fused kernel (our model calls it)
beside scaled_dot_product_attention of chapter 04, which gives the weights, too"""


def attend(fused, n_heads, length, d_head):
    """A function that runs causal attention forward and backward."""
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, n_heads, length, d_head, requires_grad=True) for _ in range(3))
    mask = causal_mask(length)
    return lambda: output(fused, q, k, v, mask).sum().backward()


def output(fused, q, k, v, mask):
    """What causal attention gives, (1, n_heads, T, d_head), by the fused kernel or step by step."""
    if fused:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return scaled_dot_product_attention(q, k, v, mask)[0]


def rows(n_heads=8, d_head=64, lengths=(128, 512, 2048)):
    """The rows of the table; lengths are in tokens."""
    found = []
    for length in lengths:
        fused, explicit = ((fused, n_heads, length, d_head) for fused in (True, False))
        found.append(Times(f"time, T = {length}", attend(*fused), attend(*explicit)))
        if CAN_MEASURE_MEMORY:
            found.append(Memory(f"memory, T = {length}", attend, fused, explicit))
    return found
