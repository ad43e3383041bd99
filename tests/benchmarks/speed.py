"""make bench: how fast the model is beside torch.nn, as ratios measured side by side in one run.

Each ratio is the median over rounds in which the two take turns, on one thread. Peak memory is measured in
a process of its own, where the system tells it (Linux).
"""

import multiprocessing
import statistics
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from helpers.attention import scaled_dot_product_attention
from helpers.embedding import SinusoidalPositionalEncoding
from helpers.masking import causal_mask
from helpers.transformer import Transformer

VOCAB, BATCH, LENGTH = 8000, 64, 24
STATUS = Path("/proc/self/status")


def side_by_side(ours, theirs, rounds):
    """Median seconds of each, and the median of theirs / ours."""
    for run in (ours, theirs, ours, theirs):
        run()  # warm up
    times = []
    for number in range(rounds):
        if number % 2:
            times.append((seconds(ours), seconds(theirs)))
        else:
            times.append((seconds(theirs), seconds(ours))[::-1])
    first, second = (statistics.median(column) for column in zip(*times, strict=True))
    return first, second, statistics.median(b / a for a, b in times)


def seconds(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


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


def training_step(model):
    """A function that takes one step: forward, loss, backward, Adam."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    src, tgt, answers = (torch.randint(1, VOCAB, (BATCH, LENGTH)) for _ in range(3))

    def step():
        loss = F.cross_entropy(model(src, tgt).flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


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


def peak_memory(fused, length):
    """MiB beyond the inputs, in a process that does nothing else."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(measure_peak, (fused, length))


def measure_peak(fused, length):
    torch.set_num_threads(1)
    attend(fused, 16)()  # what PyTorch loads at the first call
    run = attend(fused, length)
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = peak()
    run()
    return (peak() - before) / 1024


def peak():
    return next(int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"training step, {BATCH} x ({LENGTH}+{LENGTH}) tokens, vocabulary {VOCAB}")
    for dropout in (0.1, 0.0):
        ours = Transformer(VOCAB, VOCAB, 256, 4, 512, n_layers=3, dropout=dropout)
        theirs = TorchTransformer(dropout)
        sizes = [sum(parameter.numel() for parameter in model.parameters()) for model in (ours, theirs)]
        assert sizes[0] == sizes[1], sizes
        a, b, ratio = side_by_side(training_step(ours), training_step(theirs), rounds=14)
        print(
            f"  dropout {dropout}, {sizes[0] / 1e6:.1f} M parameters: "
            f"ours {a * 1000:.0f} ms, nn.Transformer {b * 1000:.0f} ms, x{ratio:.2f}"
        )
    print("\ncausal attention, 8 heads of 64, forward and backward")
    print("     T   explicit      fused    time    explicit      fused    memory")
    for length, rounds in ((128, 41), (512, 21), (2048, 7)):
        a, b, ratio = side_by_side(attend(False, length), attend(True, length), rounds)
        row = f"{length:6} {a * 1000:7.1f} ms {b * 1000:7.1f} ms   x{ratio:.2f}"
        if STATUS.exists():
            c, d = (peak_memory(fused, length) for fused in (False, True))
            row += f" {c:7.1f} MiB {d:6.1f} MiB   x{d / c:.2f}" if c else ""
        print(row)


if __name__ == "__main__":
    main()
