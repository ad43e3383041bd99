"""The parts between the attentions: layer normalization and the feed-forward network. Chapter 07."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

ACTIVATIONS = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),  # as in GPT-2
    "silu": F.silu,
}


def layer_norm(x, weight, bias, eps=1e-5):
    """The formula of layer normalization, step by step; `LayerNorm` computes it in one kernel.

    Args:
        x: (…, T, d_model).
        weight, bias: (d_model).
        eps: added to the variance.

    Returns:
        (…, T, d_model).

    Source: Ba et al. 2016, https://arxiv.org/abs/1607.06450, section 3.
    """
    centered = x - x.mean(dim=-1, keepdim=True)
    variance = centered.square().mean(dim=-1, keepdim=True)  # (…, T, 1), divided by d_model
    return centered / torch.sqrt(variance + eps) * weight + bias


class LayerNorm(nn.Module):
    """Shifts and scales every token to mean 0 and variance 1, then by two learned vectors.

    Args:
        d_model: numbers per token.
        eps: added to the variance, so that a constant token is not divided by 0.

    Forward: x (…, T, d_model) → the same shape.

    Source: Ba et al. 2016, https://arxiv.org/abs/1607.06450, section 3.
    """

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


class FeedForward(nn.Module):
    """Two linear layers with an activation between them, for each token on its own.

    Args:
        d_model: numbers per token.
        d_ff: numbers per token in between, usually 4 times d_model.
        activation: "relu", "gelu", "gelu_tanh" or "silu".

    Forward: x (…, T, d_model) → the same shape.

    Raises:
        ValueError: activation is not known.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.3.
    """

    def __init__(self, d_model, d_ff, activation="relu"):
        super().__init__()
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation: {activation!r} is not known; use one of {', '.join(ACTIVATIONS)}")
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = activation

    def forward(self, x):
        hidden = ACTIVATIONS[self.activation](self.linear1(x))  # (…, T, d_ff)
        return self.linear2(hidden)
