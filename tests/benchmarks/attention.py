"""make bench: attention step by step against the fused kernel, time and memory."""

import torch
from torch.nn import functional as F

from helpers.attention import scaled_dot_product_attention
from helpers.masking import causal_mask
from measure import peak_memory, side_by_side


def attend(fused, length):
    """A function that runs causal attention, 8 heads of 64, forward and backward."""
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, 8, length, 64, requires_grad=True) for _ in range(3))
    mask = causal_mask(length)

    def run():
        if fused:
            output = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            output, _ = scaled_dot_product_attention(q, k, v, mask)
        output.sum().backward()

    return run


def main():
    torch.set_num_threads(1)
    print("\ncausal attention, 8 heads of 64, forward and backward")
    print("     T   explicit      fused    time    explicit      fused    memory")
    for length, rounds in ((128, 41), (512, 21), (2048, 7)):
        a, b, ratio = side_by_side(attend(False, length), attend(True, length), rounds)
        row = f"{length:6} {a * 1000:7.1f} ms {b * 1000:7.1f} ms   x{ratio:.2f}"
        c, d = (peak_memory(attend, fused, length) for fused in (False, True))
        print(row + (f" {c:7.1f} MiB {d:6.1f} MiB   x{d / c:.2f}" if c else ""))


if __name__ == "__main__":
    main()
