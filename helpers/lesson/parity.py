"""The same weights in a stack of ours and in its counterpart in torch.nn, so that the two can be compared."""

import torch
from torch import nn

from helpers.multi_head_attention import MultiHeadAttention


def copy_weights(ours, theirs):
    """Draw all parameters of ours anew, norms included, and copy them.

    Args:
        ours: a layer or stack of helpers.
        theirs: its counterpart in torch.nn, of the same sizes.

    Raises:
        ValueError: theirs has another number of parameters.
    """
    for parameter in ours.parameters():
        nn.init.normal_(parameter, std=0.3)
    for one, other in zip(in_their_order(ours), theirs.parameters(), strict=True):
        other.data.copy_(one)


def in_their_order(module):
    """The parameters of a module as torch.nn keeps them.

    Args:
        module: a part of helpers.

    Returns:
        A list of tensors: in an attention W_Q, W_K and W_V are one matrix, their biases one vector.
    """
    if isinstance(module, MultiHeadAttention):
        layers = module.w_q, module.w_k, module.w_v
        weight, bias = (torch.cat([getattr(layer, name) for layer in layers]) for name in ("weight", "bias"))
        return [weight, bias, *module.w_o.parameters()]
    own = list(module.parameters(recurse=False))
    return own + [parameter for child in module.children() for parameter in in_their_order(child)]
