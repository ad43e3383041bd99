"""What a model must be for `Trainer`, `token_loss`, `generate`, `beam_search` and the laws, whoever wrote it.

Enough is an `nn.Module` that is called as model(src, tgt), with token ids (B, T_src) and (B, T_tgt), and
returns logits (B, T_tgt, vocab_size); of a language model, model(ids) → (B, T, vocab_size). For decoding and
most laws any such function will do. What it does not say of itself is taken to be:

    src_pad_id, tgt_pad_id, pad_id   0
    max_len                          no limit
    d_model                          the size of its first `nn.Embedding`, else 512; for the learning rate

Fast is a model that comes in parts, as `Transformer` and `LanguageModel` do: with all of these, `encode`,
`decode` with a `cache`, and `generator`. Then the source is read once, and of the target only what is new.
"""

import inspect
import math

import torch
from torch import nn

from helpers.engine.checks import check_logits

PARTS = {
    "src, tgt": ("encode", "decode", "generator", "src_pad_id", "tgt_pad_id", "max_len", "d_model"),
    "ids": ("decode", "generator", "pad_id", "max_len"),  # of a language model
}


def in_parts(model, src):
    """A model with all that decoding and the loss ask for: itself if it has that, else as a `Whole`.

    Args:
        model: see above.
        src: (B, T_src), what it is to read; None for a language model.

    Returns:
        A model with the parts of a `Transformer`, or without src those of a `LanguageModel`.

    Raises:
        ValueError: the model cannot be called as it should; the message names all that is missing.
    """
    inputs = "ids" if src is None else "src, tgt"
    missing = [name for name in PARTS[inputs] if not hasattr(model, name)]
    if not missing and "cache" in inspect.signature(model.decode).parameters:
        return model
    if isinstance(model, type):
        raise ValueError(f"model: {model.__name__} is a class; pass a model, {model.__name__}(…)")
    if not _can_be_called(model, inputs.split(", ")):
        kind, lacks = type(model).__name__, ", ".join(missing or ["a cache in decode"])
        enough = f"define forward({inputs}), which is enough"
        raise ValueError(f"model: {kind} cannot be called as model({inputs}), and lacks {lacks}; {enough}")
    return Whole(model)


def in_trainable_parts(model, pair):
    """As `in_parts`, of a model that was tried on a pair of ids: what cannot be trained is refused now.

    Args:
        model: see above.
        pair: src (T_src) and tgt (T_tgt), which the model can read.

    Returns:
        As `in_parts`.

    Raises:
        ValueError: as `in_parts`; the model has no parameters, or returns something else than logits.
    """
    src, tgt = (ids.unsqueeze(0) for ids in pair)
    parts = in_parts(model, src)
    weight = next(parts.parameters(), None)
    if weight is None:
        layers = "make it an nn.Module, and assign its layers to self in __init__"
        raise ValueError(f"model: {type(model).__name__} has no parameters to train; {layers}")
    if parts is not model:
        with torch.no_grad(), torch.random.fork_rng([]):  # dropout takes no random number of others
            parts.decode(tgt[:, :-1].to(weight.device), src.to(weight.device))
    return parts


class Whole(nn.Module):
    """A model that can only be called, as if it came in parts: what `decode` returns are logits already.

    Args:
        model: see above.
    """

    def __init__(self, model):
        super().__init__()
        self.model, self.generator = model, nn.Identity()
        for name in ("src_pad_id", "tgt_pad_id", "pad_id"):
            setattr(self, name, getattr(model, name, 0))
        self.max_len = getattr(model, "max_len", math.inf)
        tables = (part.embedding_dim for part in self.modules() if isinstance(part, nn.Embedding))
        self.d_model = getattr(model, "d_model", None) or next(tables, 512)

    def encode(self, src):
        """The source as it is, (B, T_src): it is read with the target."""
        return (src,)

    def decode(self, ids, *src, cache=None):
        """The logits of all tokens.

        Args:
            ids: (B, T).
            src: what `encode` returned; nothing for a language model.
            cache: it stays empty; where one is given, padding may stand between the tokens of a row.

        Returns:
            (B, T, vocab_size).

        Raises:
            ValueError: the model returns something else.
        """
        if cache is None:
            logits = self.model(*src, ids)
            check_logits(logits, ids)
            return logits
        pad_id = self.tgt_pad_id if src else self.pad_id
        order = (ids == pad_id).long().argsort(dim=1, stable=True)  # padding goes to the right
        logits = self.decode(ids.gather(1, order), *src)
        return logits[torch.arange(len(ids), device=ids.device).unsqueeze(1), order.argsort(dim=1)]


def _can_be_called(model, inputs):
    forward = model.forward if isinstance(model, nn.Module) else model
    try:
        inspect.signature(forward).bind(*inputs)
    except TypeError:
        return False
    except ValueError:  # what is not written in Python may have no signature
        return callable(forward)
    return getattr(forward, "__func__", None) is not nn.Module.forward  # which refuses any call
