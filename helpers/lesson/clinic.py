"""The bug clinic of chapter 14: a small translator, its training, and what an examination needs."""

from typing import NamedTuple

import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.optim.lr_scheduler import LambdaLR

from helpers.corpus.meetings import meetings
from helpers.tokenization import WhitespaceTokenizer
from helpers.transformer import Transformer, TransformerConfig

PAD, BOS = 0, 2
TRAINING = 100, 1900  # rows of the small world; those before are for the test
N_TOKENS = 28  # of either language
SIZES = {"d_model": 32, "n_heads": 2, "d_ff": 64, "n_layers": 2, "max_len": 20, "norm_first": True}


class World(NamedTuple):
    """The sentences of the small world, as text and as ids."""

    pairs: list  # (Korean, English)
    src: torch.Tensor  # (5600, 9)
    tgt: torch.Tensor  # (5600, 13), bos … eos
    english: WhitespaceTokenizer


def small_world():
    """The pairs of `meetings`, the first 100 for the test and the next 1,800 for training.

    Returns:
        A `World`; its ids are filled up with 0.
    """
    pairs = meetings()
    korean, english = zip(*pairs, strict=True)
    sources, targets = WhitespaceTokenizer(korean), WhitespaceTokenizer(english)
    src = [torch.tensor(sources.encode(text)) for text in korean]
    tgt = [torch.tensor([BOS, *targets.encode(text), targets.eos_id]) for text in english]
    return World(pairs, pad_sequence(src, True, PAD), pad_sequence(tgt, True, PAD), targets)


def translator(seed, dropout=0.0):
    """The `Transformer` of chapter 10, small, with random weights.

    Args:
        seed: of the weights.
        dropout: as in `TransformerConfig`.

    Returns:
        A `Transformer` in training mode.
    """
    torch.manual_seed(seed)
    return Transformer(TransformerConfig(N_TOKENS, N_TOKENS, **SIZES, dropout=dropout))


def loss_of(model, src, tgt):
    """The mean loss of the tokens that are to be written, padding aside.

    Args:
        model: called with src and tgt[:, :-1].
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        A tensor of one number.
    """
    logits = model(src, tgt[:, :-1])  # (B, T - 1, V)
    return F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD)


def healthy_step(model, optimizer, src, tgt):
    """One step of a training loop.

    Args:
        model, src, tgt: as in `loss_of`.
        optimizer: of torch.

    Returns:
        The loss, a float.
    """
    loss = loss_of(model, src, tgt)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def batches(seed, steps=100):
    """The rows of each batch of `train`.

    Args:
        seed, steps: as in `train`.

    Returns:
        List of tensors (24): rows of the pairs for training.
    """
    generator = torch.Generator().manual_seed(seed)
    return [torch.randint(*TRAINING, (24,), generator=generator) for _ in range(steps)]


def train(model, seed, src, tgt, step=healthy_step, steps=100, lr=0.015):
    """Train with Adam on batches of 24 of the 1,800 pairs for training.

    Args:
        model: set to training.
        seed: of the `batches`.
        src, tgt: all pairs of the world, or what a fault in the data makes of them.
        step: as `healthy_step`.
        steps: of training.
        lr: the highest learning rate, after 20 steps.

    Returns:
        List of the losses.
    """
    optimizer = torch.optim.Adam(model.train().parameters(), lr=lr, betas=(0.9, 0.98), fused=True)
    schedule = LambdaLR(optimizer, lambda step: min(1, (step + 1) / 20) * (1 - step / steps))
    losses = []
    for rows in batches(seed, steps):
        losses.append(step(model, optimizer, src[rows], tgt[rows]))
        schedule.step()
    return losses


@torch.no_grad()
def write(model, src, length=12):
    """What a model writes, token by token, each time the likeliest.

    Args:
        model: set to evaluation.
        src: token ids (B, T_src).
        length: how many tokens.

    Returns:
        Token ids (B, 1 + length), bos first.
    """
    written = torch.full((len(src), 1), BOS)
    for _ in range(length):
        likeliest = model.eval()(src, written)[:, -1].argmax(dim=-1, keepdim=True)
        written = torch.cat([written, likeliest], dim=1)
    return written


@torch.no_grad()
def examine(model, src, tgt):
    """The loss of some pairs, and the share of sentences that a model translates without a mistake.

    Args:
        model: set to evaluation.
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        Two floats.
    """
    correct = ((write(model, src, tgt.size(1) - 1) == tgt) | (tgt == PAD)).all(dim=1)  # up to eos
    return loss_of(model, src, tgt).item(), correct.float().mean().item()


def calls(model, src, tgt):
    """What goes into each module of a model and what comes out, collected by hooks (chapter 13).

    Args:
        model: an `nn.Module` called with src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        Dictionary from the names of the modules, in the order in which they finish, to a list of inputs and
        the output, masks as numbers. A module that is given a function, as `Residual` is, is left out:
        what is in the function cannot be compared.
    """
    found, hooks = {}, []

    def hook_for(name):
        def hook(module, inputs, output):
            if not any(callable(value) for value in inputs):
                tensors = [value.float() for value in inputs if isinstance(value, torch.Tensor)]
                found[name] = tensors, output[0] if isinstance(output, tuple) else output

        return hook

    for name, module in model.named_modules():
        hooks.append(module.register_forward_hook(hook_for(name or "the model itself")))
    with torch.no_grad():
        model(src, tgt)
    for hook in hooks:
        hook.remove()
    return found
