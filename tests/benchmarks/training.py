"""make bench: training beside nn.Transformer: one step at equal shapes, and real tokens a second.

Each ratio is the median over rounds in which the two take turns, on one thread.
"""

import random
import time

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.flop_counter import FlopCounterMode

from helpers.embedding import SinusoidalPositionalEncoding
from helpers.masking import causal_mask
from helpers.training import length_buckets, token_loss
from helpers.transformer import Transformer
from measure import peak_memory, side_by_side

VOCAB, DROPOUT = 8000, 0.1


class TorchTransformer(nn.Module):
    """nn.Transformer with what it lacks: embeddings, positions, masks, generator."""

    def __init__(self, dropout):
        super().__init__()
        self.src_embed, self.tgt_embed = nn.Embedding(VOCAB, 256), nn.Embedding(VOCAB, 256)
        self.place, self.dropout = SinusoidalPositionalEncoding(256), nn.Dropout(dropout)
        self.transformer = nn.Transformer(256, 4, 3, 3, 512, dropout, batch_first=True)
        self.transformer.encoder.norm = self.transformer.decoder.norm = None  # as in the paper, and in ours
        self.generator = nn.Linear(256, VOCAB)

    def forward(self, src, tgt):
        output = self.transformer(
            self.dropout(self.place(self.src_embed(src) * 16)),
            self.dropout(self.place(self.tgt_embed(tgt) * 16)),
            tgt_mask=~causal_mask(tgt.size(1)),
            src_key_padding_mask=src == 0,
            tgt_key_padding_mask=tgt == 0,
            memory_key_padding_mask=src == 0,
        )
        return self.generator(output)


def models():
    """Ours and nn.Transformer, of equal size."""
    torch.manual_seed(0)
    both = Transformer(VOCAB, VOCAB, 256, 4, 512, n_layers=3, dropout=DROPOUT), TorchTransformer(DROPOUT)
    sizes = [sum(parameter.numel() for parameter in model.parameters()) for model in both]
    assert sizes[0] == sizes[1], sizes
    return both


def trained(model, batches, bf16=False):
    """A function that trains on the batches once: ours with `token_loss` and fused Adam, theirs plainly."""
    ours = isinstance(model, Transformer)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=ours)

    def run():
        for src, tgt in batches:
            with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                if ours:
                    loss, _ = token_loss(model, src, tgt)
                else:
                    logits = model(src, tgt[:, :-1])
                    loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=0)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return run


def equal_batch():
    """One batch without padding, 64 x (24 + 24)."""
    generator = torch.Generator().manual_seed(0)
    return [tuple(torch.randint(1, VOCAB, (64, length), generator=generator) for length in (24, 25))]


def step_of(number):
    return trained(models()[number], equal_batch())


def sentences(count):
    """Pairs with about the lengths of Multi30k: 13 tokens in the mean, up to 45."""
    rng = random.Random(0)
    lengths = [min(45, max(4, round(rng.lognormvariate(2.5, 0.32)))) for _ in range(count)]
    sizes = [(length, max(4, length + rng.randint(-2, 2))) for length in lengths]
    return [tuple(torch.randint(1, VOCAB, (size,)) for size in pair) for pair in sizes]


def padded(pairs, places):
    """Batches of pairs, by their places."""
    batches = [zip(*(pairs[i] for i in batch), strict=True) for batch in places]
    return [[pad_sequence(side, batch_first=True) for side in batch] for batch in batches]


def matmul_limit():
    """FLOP a second of a product of large float32 matrices, the best of some."""
    a, best = torch.randn(1024, 1024), 0
    for _ in range(20):
        start = time.perf_counter()
        a @ a
        best = max(best, 2 * 1024**3 / (time.perf_counter() - start))
    return best


def main():
    torch.set_num_threads(1)
    ours, theirs = models()
    bf16 = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    print(f"training step, 64 x (24+24) tokens, vocabulary {VOCAB}, dropout {DROPOUT}")
    batch = equal_batch()
    with FlopCounterMode(display=False) as counter:
        trained(ours, batch)()
    flop = counter.get_total_flops()
    for name, half in (("fp32", False), ("bf16", True))[: 1 + bf16]:
        a, b, ratio = side_by_side(trained(ours, batch, half), trained(theirs, batch), rounds=9)
        line = f"  ours {name} {a * 1000:.0f} ms, nn.Transformer fp32 {b * 1000:.0f} ms, x{ratio:.2f}"
        print(line + ("" if half else f"; {flop / a / matmul_limit():.0%} of the matrix-multiply limit"))
    memory = [peak_memory(step_of, number) for number in (0, 1)]
    if memory[0]:
        print("  memory of a step: ours {:.0f} MiB, nn.Transformer {:.0f} MiB".format(*memory))

    print("\nreal tokens a second, lengths as in Multi30k, 1280 pairs in batches of 128")
    pairs = sentences(1280)
    tokens = sum(len(src) + len(tgt) for src, tgt in pairs)
    buckets = padded(pairs, length_buckets([(len(tgt), len(src)) for src, tgt in pairs], 128, 0))
    at_random = padded(pairs, [range(start, start + 128) for start in range(0, 1280, 128)])
    for name, half in (("fp32", False), ("bf16", True))[: 1 + bf16]:
        a, b, ratio = side_by_side(trained(ours, buckets, half), trained(theirs, at_random), rounds=3)
        line = f"  ours {name}, buckets {tokens / a:.0f}, nn.Transformer fp32, random {tokens / b:.0f}"
        print(f"{line}, x{ratio:.2f}")


if __name__ == "__main__":
    main()
