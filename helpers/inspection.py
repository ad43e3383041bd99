"""Looking inside: every attention weight of a model, and the model without some of its parts. Chapter 13."""

import contextlib

import torch
from torch import nn


@torch.no_grad()
def attention_weights(model, src, tgt):
    """The weights of every head, from one forward pass.

    Args:
        model: a `Transformer`; it is set to evaluation.
        src: (B, T_src).
        tgt: (B, T_tgt).

    Returns:
        A dictionary: "encoder" (n_layers, B, n_heads, T_src, T_src), "decoder" (…, T_tgt, T_tgt) and "cross"
        (…, T_tgt, T_src). The row of token i of the target belongs to the step that writes token i + 1.

    Raises:
        ValueError: as `Transformer`.
    """
    parts = {
        "encoder": [layer.attention for layer in model.encoder.layers],
        "decoder": [layer.attention for layer in model.decoder.layers],
        "cross": [layer.cross_attention for layer in model.decoder.layers],
    }
    kept = {name: [] for name in parts}

    def ask(attention, inputs, options):
        return inputs, {**options, "need_weights": True}

    def keep(weights):
        return lambda attention, inputs, output: weights.append(output[1])

    with contextlib.ExitStack() as hooks:  # takes every hook away at the end
        for name, attentions in parts.items():
            for attention in attentions:
                hooks.enter_context(attention.register_forward_pre_hook(ask, with_kwargs=True))
                hooks.enter_context(attention.register_forward_hook(keep(kept[name])))
        model.eval()(src, tgt)
    return {name: torch.stack(weights) for name, weights in kept.items()}


@contextlib.contextmanager
def without_head(attention, head):
    """While this is open, a head of a `MultiHeadAttention` adds nothing to the output."""
    d_head = attention.w_o.in_features // attention.n_heads
    columns = attention.w_o.weight.data[:, head * d_head : (head + 1) * d_head]
    before = columns.clone()
    columns.zero_()
    try:
        yield
    finally:
        columns.copy_(before)


class PassOn(nn.Module):
    """Returns its first input, whatever else it is given."""

    def forward(self, x, *others):
        return x


@contextlib.contextmanager
def without_part(parent, name):
    """While this is open, a module of `parent`, known by name, hands on its input unchanged."""
    part = getattr(parent, name)
    setattr(parent, name, PassOn())
    try:
        yield
    finally:
        setattr(parent, name, part)
