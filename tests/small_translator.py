"""Small translators of the course's sentences, for the pages in which one runs."""

import functools

import torch

from helpers.corpus import make_pairs
from helpers.engine.checkpoints import save_checkpoint
from helpers.lesson.translator import translator_config
from helpers.tokenization import BPETokenizer
from helpers.training import Trainer, encode_pairs
from helpers.transformer import Transformer, TransformerConfig

PAIRS = make_pairs("train", 120)
SMALL = {"d_model": 16, "n_heads": 2, "d_ff": 24, "n_layers": 2, "dropout": 0.0, "max_len": 60}


@functools.cache
def tokenizers():
    return [BPETokenizer(list(side), 700) for side in zip(*PAIRS, strict=True)]


def translator(**options):
    """A translator that nobody has trained, of weights that the page writes without rounding."""
    korean, english = tokenizers()
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(len(korean), len(english), **SMALL | options)).eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight += 0.1 * torch.randn_like(weight)  # biases and norms too
            scale = weight.abs().max() / 32767
            weight.copy_((weight / scale).round() * scale)
    return model, korean, english


def write_checkpoint(path, epochs=0, **options):
    """A checkpoint of a translator; what it writes means nothing before a few epochs."""
    korean, english = tokenizers()
    options = SMALL | options
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(len(korean), len(english), **options))
    config = translator_config(options, korean, english)
    trainer = Trainer(
        model, encode_pairs(PAIRS, korean, english), batch_size=16, warmup_steps=10, config=config
    )
    for _ in range(epochs):
        trainer.run_epoch()
    save_checkpoint(trainer, path)
    return path
