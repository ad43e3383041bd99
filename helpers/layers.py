"""The parts between the attentions: layer normalization and the feed-forward network. Chapter 07."""

import torch
from torch import nn
from torch.nn import functional as F

from helpers.guards import guard_choice, guard_inputs, guard_sizes

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


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

    Raises:
        ValueError: x's last size or device is not that of the parameters.

    Source: Ba et al. 2016, https://arxiv.org/abs/1607.06450, section 3.
    """

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        guard_sizes(d_model=d_model)
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        guard_inputs(self.weight, x=x)
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


class FeedForward(nn.Module):
    """Two linear layers with an activation between them, for each token on its own.

    Args:
        d_model: numbers per token.
        d_ff: numbers per token in between, usually 4 times d_model.
        activation: "relu" or "gelu".

    Forward: x (…, T, d_model) → the same shape.

    Raises:
        ValueError: activation is not known; x's last size or device is not that of the parameters.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.3.
    """

    def __init__(self, d_model, d_ff, activation="relu"):
        super().__init__()
        guard_sizes(d_model=d_model, d_ff=d_ff)
        guard_choice(activation=activation, allowed=ACTIVATIONS)
        self.widen = nn.Linear(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model)
        self.activation = activation

    def forward(self, x):
        guard_inputs(self.widen.weight, x=x)
        hidden = ACTIVATIONS[self.activation](self.widen(x))  # (…, T, d_ff)
        return self.narrow(hidden)
