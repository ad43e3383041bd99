"""Three translators of different makers, each with the same faults planted, for the laws of chapter 14.

Each is built as MAKERS[name](ahead, hides_padding): how many tokens beyond its own a position sees,
and whether padding is hidden.
"""

import torch
from torch import nn
from torch.nn import functional as F

from helpers.masking import padding_mask
from helpers.transformer import Transformer, TransformerConfig
from marian import marian

PAD, VOCAB = 0, 9


def visible(tgt, ahead):
    """Boolean (T, T): position i sees up to i + ahead."""
    length = tgt.size(1)
    return torch.ones(length, length, dtype=torch.bool, device=tgt.device).tril(ahead)


class Ours(nn.Module):
    """Our `Transformer`, its masks made here."""

    def __init__(self, ahead=0, hides_padding=True):
        super().__init__()
        self.model = Transformer(
            TransformerConfig(
                VOCAB,
                VOCAB,
                d_model=16,
                n_heads=2,
                d_ff=32,
                n_layers=2,
                positions="learned",
                max_len=12,
            )
        )
        self.ahead, self.pad_id = ahead, PAD if hides_padding else -1

    def forward(self, src, tgt):
        hidden = padding_mask(src, self.pad_id)
        memory = self.model.encoder(self.model.src_embed(src), hidden)
        mask = visible(tgt, self.ahead) & padding_mask(tgt, PAD)
        return self.model.generator(self.model.decoder(self.model.tgt_embed(tgt), memory, mask, hidden))

    @property
    def src_positions(self):
        return self.model.src_embed.positions.weight

    @property
    def layers(self):
        return self.model.encoder.layers


class PyTorchs(nn.Module):
    """`nn.Transformer` between tables of our own."""

    def __init__(self, ahead=0, hides_padding=True):
        super().__init__()
        self.tokens, self.linear = nn.Embedding(VOCAB, 16), nn.Linear(16, VOCAB)
        self.positions = nn.ModuleList(nn.Embedding(12, 16) for _ in range(2))
        self.model = nn.Transformer(16, 2, 2, 2, 32, batch_first=True)
        self.ahead, self.hides_padding = ahead, hides_padding

    def forward(self, src, tgt):
        x, y = (
            self.tokens(ids) + places.weight[: ids.size(1)]
            for ids, places in zip((src, tgt), self.positions, strict=True)
        )
        hidden = src == PAD if self.hides_padding else None
        out = self.model(
            x,
            y,
            tgt_mask=~visible(tgt, self.ahead),
            src_key_padding_mask=hidden,
            tgt_key_padding_mask=tgt == PAD,
            memory_key_padding_mask=hidden,
        )
        return self.linear(out)

    @property
    def src_positions(self):
        return self.positions[0].weight

    @property
    def layers(self):
        return self.model.encoder.layers


class Marian(nn.Module):
    """`MarianMTModel` of transformers; its padding is its last id, and ours here."""

    def __init__(self, ahead=0, hides_padding=True):
        super().__init__()
        self.model = marian(VOCAB, 16, 2, 32, 2)
        self.ahead, self.hides_padding = ahead, hides_padding

    def forward(self, src, tgt):
        mask = visible(tgt, self.ahead) & padding_mask(tgt, PAD)
        return self.model(
            input_ids=(src - 1) % VOCAB,
            attention_mask=(src != PAD).long() if self.hides_padding else None,
            decoder_input_ids=(tgt - 1) % VOCAB,
            decoder_attention_mask=torch.where(mask, 0.0, -torch.inf),
            use_cache=False,
        ).logits.roll(1, dims=-1)

    @property
    def src_positions(self):
        return self.model.model.encoder.embed_positions.weight

    @property
    def layers(self):
        return self.model.model.encoder.layers


MAKERS = {"ours": Ours, "nn.Transformer": PyTorchs, "Marian": Marian}


class Changed(nn.Module):
    """A model whose logits a function changes."""

    def __init__(self, model, change):
        super().__init__()
        self.model, self.change = model, change

    def forward(self, src, tgt):
        return self.change(self.model(src, tgt))


class CountsTheTarget(nn.Module):
    """A model whose logits tell how many tokens the target has, which later tokens decide."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, src, tgt):
        return self.model(src, tgt) + (tgt != PAD).sum(dim=1)[:, None, None]


class InAList(nn.Module):
    """A model that stands in a plain list, so that PyTorch does not know of it."""

    def __init__(self, model):
        super().__init__()
        self.models = [model]

    def forward(self, src, tgt):
        return self.models[0](src, tgt)


def without_positions(model):
    model.src_positions.data.zero_()
    return model


def with_clones(model):
    model.layers[1].load_state_dict(model.layers[0].state_dict())
    return model


def with_a_spare_norm(model):
    model.norm = nn.LayerNorm(16)
    return model


def moved_a_little(logits):
    return logits + F.one_hot(torch.tensor(3), VOCAB) * 0.01


# fault → (from a maker, the model with it; the laws that it breaks)
FAULTS = {
    "none": (lambda make: make(), set()),
    "no causal mask": (lambda make: make(ahead=99), {"causality", "parity"}),
    "causal mask off by one": (lambda make: make(ahead=1), {"causality", "parity"}),
    "length of the target known": (lambda make: CountsTheTarget(make()), {"causality", "parity"}),
    "padding visible": (lambda make: make(hides_padding=False), {"padding invariance", "parity"}),
    "source without positions": (lambda make: without_positions(make()), {"order", "parity"}),
    "sentences mixed": (
        lambda make: Changed(make(), lambda logits: logits + logits.mean(dim=0)),
        {"batch invariance", "parity"},
    ),
    "positions mixed": (
        lambda make: Changed(make(), lambda logits: logits.mean(dim=1, keepdim=True).expand_as(logits)),
        {"causality", "padding invariance", "parity", "overfits"},
    ),
    "a norm made, not called": (lambda make: with_a_spare_norm(make()), {"gradients"}),
    "layers in a plain list": (
        lambda make: InAList(make().eval()),
        {"registration", "gradients", "overfits"},
    ),
    "layers begin as clones": (lambda make: with_clones(make()), {"distinct weights", "parity"}),
    "NaN": (
        lambda make: Changed(make(), lambda logits: logits * torch.nan),
        {"causality", "padding invariance", "batch invariance", "order", "parity", "gradients", "overfits"},
    ),
    "logits off by 0.01": (lambda make: Changed(make(), moved_a_little), {"parity"}),
}
