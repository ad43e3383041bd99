"""make bench: greedy decoding with and without the KV cache, 64 sentences, no sentence ends early."""

import torch

from helpers.decoding import CachedSteps, FullSteps, generate
from helpers.transformer import Transformer
from measure import side_by_side

BOS, EOS = 2, 3


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    # As `python -m helpers train` makes for Multi30k.
    model = Transformer(7853, 5893, 256, 8, 512, n_layers=3)
    with torch.no_grad():
        model.generator.linear.bias[:4] = -torch.inf  # never pad, unk, bos or eos
    src = torch.randint(4, 7853, (64, 14))  # as long as Multi30k's sentences in the mean

    def decode(steps, length):
        return lambda: generate(model, src, BOS, EOS, length, steps=steps)

    size = sum(parameter.numel() for parameter in model.parameters())
    print(f"\ngreedy decoding, 64 sentences, {size / 1e6:.1f} M parameters")
    print("  length    cached      full   ratio")
    for length, rounds in ((16, 9), (32, 9), (64, 3), (128, 1)):
        a, b, ratio = side_by_side(decode(CachedSteps, length), decode(FullSteps, length), rounds)
        print(f"{length:8} {a:8.2f} s {b:8.2f} s  x{ratio:.1f}")


if __name__ == "__main__":
    main()
