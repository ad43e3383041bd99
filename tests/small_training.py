"""A training so small that tests can run it many times."""

import torch

from helpers.corpus import make_pairs
from helpers.tokenization import WhitespaceTokenizer
from helpers.training import Trainer, encode_pairs
from helpers.transformer import Transformer, TransformerConfig

PAIRS = make_pairs("train", 120)
KOREAN, ENGLISH = (WhitespaceTokenizer(list(side)) for side in zip(*PAIRS, strict=True))
DATA = encode_pairs(PAIRS, KOREAN, ENGLISH)


def small_trainer(seed=0, settings=None, **changes):
    """A trainer of 8 steps an epoch; `settings` are the trainer's, `changes` the model's."""
    torch.manual_seed(0)
    options = {"d_model": 8, "n_heads": 2, "d_ff": 16, "n_layers": 1, "dropout": 0.1} | changes
    model = Transformer(TransformerConfig(len(KOREAN), len(ENGLISH), **options))
    config = {"options": options}
    return Trainer(model, DATA, batch_size=16, warmup_steps=10, seed=seed, config=config, **(settings or {}))


def weights(trainer):
    return torch.cat([parameter.detach().flatten() for parameter in trainer.model.parameters()])
