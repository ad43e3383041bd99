"""Looking inside: every attention weight of a model, and the model without some of its parts. Chapter 13."""

import contextlib

import torch
from torch import nn

from helpers.encoder import Residual
from helpers.multi_head_attention import MultiHeadAttention


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
def zeroed(*tensors):
    """While this is open, the tensors hold zeros; then they are as before."""
    before = [tensor.clone() for tensor in tensors]
    for tensor in tensors:
        tensor.zero_()
    try:
        yield
    finally:
        for tensor, values in zip(tensors, before, strict=True):
            tensor.copy_(values)


@contextlib.contextmanager
def ablate_head(attention, head):
    """While this is open, a head adds nothing to the output of its attention.

    Args:
        attention: a `MultiHeadAttention`.
        head: its number, from 0.

    Raises:
        ValueError: attention has no such head.

    Source: Michel et al. 2019, https://arxiv.org/abs/1905.10650, section 3.
    """
    if not isinstance(head, int) or head not in range(attention.n_heads):
        raise ValueError(f"head: value is {head!r}; choose one from 0 to {attention.n_heads - 1}")
    d_head = attention.w_o.in_features // attention.n_heads
    with zeroed(attention.w_o.weight.data[:, head * d_head : (head + 1) * d_head]):
        yield


@contextlib.contextmanager
def ablate_module(parent, name):
    """While this is open, the model runs without one of its modules; then that is back in its place.

    A layer is taken out of its stack. The output of a `MultiHeadAttention` becomes 0, since W_O does. Any
    other module hands on its first argument.

    Args:
        parent: what holds the module, e.g. `model.encoder.layers` or `model.src_embed`.
        name: of the module in `parent.named_children()`, e.g. "0" or "feed_forward".

    Raises:
        ValueError: parent holds no module of this name.
    """
    modules = dict(parent.named_children())
    if name not in modules:
        raise ValueError(f"name: value is {name!r}; choose one of {list(modules)}")
    module = modules[name]
    if isinstance(module, MultiHeadAttention):
        with zeroed(module.w_o.weight.data, module.w_o.bias.data):
            yield
        return
    in_stack = isinstance(parent, nn.ModuleList) and not isinstance(module, Residual)
    if in_stack:
        del parent[int(name)]
    else:
        identity = nn.Identity()
        identity.register_forward_pre_hook(lambda _, inputs, options: (inputs[:1], {}), with_kwargs=True)
        setattr(parent, name, identity)
    try:
        yield
    finally:
        if in_stack:
            parent.insert(int(name), module)
        else:
            setattr(parent, name, module)
