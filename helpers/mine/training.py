"""One step of training, as one writes it first; `Trainer` of chapter 11 does the same and more."""

import torch

from helpers.training import token_loss


def train_step(model, optimizer, src, tgt, label_smoothing=0.0):
    """One step of training: the loss of a batch, its gradient, clipped to a norm of 1, and the optimizer.

    Args:
        model: called as model(src, tgt); it is set to training.
        optimizer: of its parameters.
        src: (B, T_src).
        tgt: (B, T_tgt) with bos and eos.
        label_smoothing: as in `token_loss`.

    Returns:
        The loss before the step, a float.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 5.
    """
    model.train()
    loss, _ = token_loss(model, src, tgt, label_smoothing)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    return loss.item()
