"""make bench: training beside nn.Transformer: a step at equal shapes, its memory, real tokens a second."""

import random
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from benchmarks.measure import BF16, CAN_MEASURE_MEMORY, Memory, Times
from helpers.masking import causal_mask
from helpers.positional_encoding import SinusoidalPositionalEncoding
from helpers.training import length_buckets, token_loss
from helpers.transformer import Transformer, TransformerConfig


class Sizes(NamedTuple):
    """Of the models, and of what they are trained on."""

    vocab_size: int = 8000
    d_model: int = 256
    n_heads: int = 4
    d_ff: int = 512
    n_layers: int = 3
    dropout: float = 0.1
    batch: int = 64  # sentences of the equal shapes
    length: int = 24  # tokens of each, on both sides
    pairs: int = 640  # sentences with the lengths of Multi30k
    bucket: int = 128  # of them a batch


class TorchTransformer(nn.Module):
    """nn.Transformer with what it lacks: embeddings, positions, masks, generator."""

    def __init__(self, sizes):
        super().__init__()
        d_model, layers, dropout = sizes.d_model, sizes.n_layers, sizes.dropout
        self.scale = d_model**0.5
        self.src_embed, self.tgt_embed = (nn.Embedding(sizes.vocab_size, d_model) for _ in range(2))
        self.positions, self.dropout = SinusoidalPositionalEncoding(d_model), nn.Dropout(dropout)
        self.transformer = nn.Transformer(
            d_model, sizes.n_heads, layers, layers, sizes.d_ff, dropout, batch_first=True
        )
        self.transformer.encoder.norm = self.transformer.decoder.norm = None  # as in the paper, and in ours
        self.generator = nn.Linear(d_model, sizes.vocab_size)

    def forward(self, src, tgt):
        output = self.transformer(
            self.dropout(self.positions(self.src_embed(src) * self.scale)),
            self.dropout(self.positions(self.tgt_embed(tgt) * self.scale)),
            tgt_mask=~causal_mask(tgt.size(1)),
            src_key_padding_mask=src == 0,
            tgt_key_padding_mask=tgt == 0,
            memory_key_padding_mask=src == 0,
        )
        return self.generator(output)


def our_model(sizes):
    shape = {name: getattr(sizes, name) for name in ("d_model", "n_heads", "d_ff", "n_layers", "dropout")}
    config = TransformerConfig(sizes.vocab_size, sizes.vocab_size, **shape)
    return Transformer(config)


def without_inner_dropout(model):
    """Switch off the dropout that nn.Transformer, unlike the paper and ours, has in feed-forward layers."""
    for layer in (*model.transformer.encoder.layers, *model.transformer.decoder.layers):
        layer.dropout.p = 0.0
    return model


def our_loss(model, src, tgt):
    return token_loss(model, src, tgt)[0]


def their_loss(model, src, tgt):
    logits = model(src, tgt[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=0)


def training(model, loss_of, batches, fused=False, bf16=False):
    """A function that trains a model with Adam on the batches, once."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=fused)

    def run():
        for src, tgt in batches:
            with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                loss = loss_of(model, src, tgt)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return run


def ours_as_written(batches, sizes, bf16=False):
    return training(our_model(sizes), our_loss, batches, fused=True, bf16=bf16)


def theirs_as_written(batches, sizes):
    return training(TorchTransformer(sizes), their_loss, batches)


def step_as_written(which, sizes):
    return which(equal_shapes(sizes), sizes)


def equal_shapes(sizes):
    """One batch without padding."""
    generator = torch.Generator().manual_seed(0)
    shapes = ((sizes.batch, sizes.length), (sizes.batch, sizes.length + 1))
    return [tuple(torch.randint(1, sizes.vocab_size, shape, generator=generator) for shape in shapes)]


def sentences(sizes):
    """Pairs with about the lengths of Multi30k: 13 tokens in the mean, up to 45."""
    rng, generator = random.Random(0), torch.Generator().manual_seed(0)
    lengths = [min(45, max(4, round(rng.lognormvariate(2.5, 0.32)))) for _ in range(sizes.pairs)]
    lengths = [(length, max(4, length + rng.randint(-2, 2))) for length in lengths]
    return [
        tuple(torch.randint(1, sizes.vocab_size, (length,), generator=generator) for length in pair)
        for pair in lengths
    ]


def in_buckets(pairs, size):
    return padded(pairs, length_buckets([(len(tgt), len(src)) for src, tgt in pairs], size, 0))


def at_random(pairs, size):
    return padded(pairs, [range(len(pairs))[start : start + size] for start in range(0, len(pairs), size)])


def padded(pairs, batches):
    """Batches, lists of places in pairs, as tensors."""
    return [
        [pad_sequence([pairs[place][side] for place in batch], batch_first=True) for side in (0, 1)]
        for batch in batches
    ]


def rows(**sizes):
    """The rows of the table; sizes as in `Sizes`."""
    sizes = Sizes(**sizes)
    shape = f"{sizes.batch} x ({sizes.length} + {sizes.length}) tokens"
    batch = equal_shapes(sizes)
    written = (
        "as usually written: ours with fused Adam, theirs with plain Adam and dropout inside feed-forward"
    )
    found = [
        Times(
            f"training step, {shape}: on both sides the same Adam (not fused) and dropout; "
            "ours with token_loss, theirs with F.cross_entropy",
            training(our_model(sizes), our_loss, batch),
            training(without_inner_dropout(TorchTransformer(sizes)), their_loss, batch),
            wanted=">= 1.05",
        ),
        Times(
            f"training step, {shape}, {written}",
            ours_as_written(batch, sizes),
            theirs_as_written(batch, sizes),
            wanted=">= 1.15",
        ),
    ]
    if CAN_MEASURE_MEMORY:
        ours, theirs = ((which, sizes) for which in (ours_as_written, theirs_as_written))
        text = f"memory that a step adds at its peak, {shape}, {written}"
        found.append(Memory(text, step_as_written, ours, theirs, wanted="<= 0.85"))
    pairs = sentences(sizes)
    for name, wanted in (("fp32", ">= 2.2"), ("bf16", ">= 4.5"))[: 1 + BF16]:
        found.append(
            Times(
                f"real tokens, {sizes.pairs} pairs as long as Multi30k's in batches of {sizes.bucket}: "
                f"ours {name} in length buckets, theirs fp32 in random batches; {written}",
                ours_as_written(in_buckets(pairs, sizes.bucket), sizes, name == "bf16"),
                theirs_as_written(at_random(pairs, sizes.bucket), sizes),
                wanted=wanted,
                tokens=sum(len(src) + len(tgt) for src, tgt in pairs),
            )
        )
    return found


TITLE = """training beside nn.Transformer: vocabulary 8000, d_model 256, 4 heads, d_ff 512, 3+3 layers,
dropout 0.1; fp32 where nothing else is said"""
