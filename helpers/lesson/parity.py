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
    for together, other in zip(in_their_order(ours), theirs.parameters(), strict=True):
        other.data.copy_(torch.cat(together))


def in_their_order(module):
    """The parameters of a module as torch.nn keeps them.

    Args:
        module: a part of helpers.

    Returns:
        A list of lists: those of W_Q, W_K and W_V are together, since torch.nn has one matrix for them and
        one vector for their biases; any other parameter is alone.
    """
    if isinstance(module, MultiHeadAttention):
        layers = module.w_q, module.w_k, module.w_v
        stacked = [[getattr(layer, name) for layer in layers] for name in ("weight", "bias")]
        return stacked + [[parameter] for parameter in module.w_o.parameters()]
    own = [[parameter] for parameter in module.parameters(recurse=False)]
    return own + [together for child in module.children() for together in in_their_order(child)]
