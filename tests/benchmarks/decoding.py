"""make bench: greedy decoding with and without the KV cache, 64 sentences, no sentence ends early."""

import torch

from helpers.decoding import CachedSteps, FullSteps, generate
from helpers.transformer import Transformer
from measure import side_by_side

VOCAB = 8000


def never_end(logits):
    return logits[:, 4:].argmax(dim=-1) + 4


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = Transformer(VOCAB, VOCAB, 256, 4, 512, n_layers=3)
    src = torch.randint(4, VOCAB, (64, 24))

    def decode(steps, length):
        return lambda: generate(model, src, 2, 3, length, never_end, steps)

    print("\ngreedy decoding, 64 sentences, 10.1 M parameters")
    print("  length    cached      full   ratio")
    for length, rounds in ((16, 5), (32, 5), (64, 3), (128, 1)):
        a, b, ratio = side_by_side(decode(CachedSteps, length), decode(FullSteps, length), rounds)
        print(f"{length:8} {a:8.2f} s {b:8.2f} s  x{ratio:.1f}")


if __name__ == "__main__":
    main()
