"""Laws that every translating model keeps, whoever wrote it, each with a witness. Chapter 14.

A model is here any function of token ids, src (B, T_src) and tgt (B, T_tgt), that returns logits
(B, T_tgt, V); the laws about parameters need an `nn.Module`. Call `eval()` first: dropout moves every logit.
"""

import copy
import gc
import itertools
import math
import types

import torch
from torch import nn
from torch.nn import functional as F

from helpers.engine.checks import (
    check_another_sentence,
    check_gradients_left,
    check_later_token,
    check_split,
    check_swapped,
)
from helpers.engine.verdicts import TOLERANCE, Verdict, distances, every, logits_of, nothing_moves


def causality(model, src, tgt):
    """No logit knows a later token of the target.

    Args:
        model: a function of src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt); at least 2 tokens in the target.

    Returns:
        A `Verdict`.

    Raises:
        ValueError: the target has fewer tokens.
    """
    check_later_token(tgt)
    before = logits_of(model, src, tgt)

    def trials():
        for token in range(1, tgt.size(1)):
            changed = tgt.clone()
            changed[:, token] = (tgt[:, token] + 1) % before.size(-1)
            for change, ids in (("changes", changed), ("and all after it are cut off", tgt[:, :token])):
                moved = distances(before[:, :token], logits_of(model, src, ids)[:, :token])
                yield f"token {token} of the target {change}", moved

    return nothing_moves("causality", trials())


def padding_invariance(model, src, tgt, src_pad_id, tgt_pad_id):
    """Padding moves no logit of a real token.

    Args:
        model: a function of src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt).
        src_pad_id, tgt_pad_id: the ids that fill up short sentences.

    Returns:
        A `Verdict`.
    """
    before = logits_of(model, src, tgt)
    real = tgt != tgt_pad_id

    def trials():
        for side, in_src, in_tgt in (("source", 2, 0), ("target", 0, 2)):
            padded_src = F.pad(src, (0, in_src), value=src_pad_id)
            padded_tgt = F.pad(tgt, (0, in_tgt), value=tgt_pad_id)
            after = logits_of(model, padded_src, padded_tgt)[:, : tgt.size(1)]
            yield f"the {side} is padded by 2", distances(before, after).masked_fill(~real, 0.0)

    return nothing_moves("padding invariance", trials())


def batch_invariance(model, src, tgt):
    """A sentence has the logits that it has alone, whatever stands beside it.

    Args:
        model: a function of src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt); at least 2 sentences.

    Returns:
        A `Verdict`.

    Raises:
        ValueError: there are fewer sentences.
    """
    check_another_sentence(src)
    rows = zip(src.split(1), tgt.split(1), strict=True)
    alone = torch.cat([logits_of(model, *pair) for pair in rows])
    moved = distances(logits_of(model, src, tgt), alone)
    return nothing_moves("batch invariance", [("it stands alone", moved)])


def parity(model, twin, src, tgt):
    """A model gives the logits of its twin, another implementation with the same weights.

    Args:
        model, twin: functions of src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        A `Verdict`.
    """
    moved = distances(logits_of(model, src, tgt), logits_of(twin, src, tgt))
    return nothing_moves("parity", [("the twin takes over", moved)])


def order(model, src, tgt):
    """Order matters: swapping two neighboring tokens of the source moves a logit.

    Args:
        model: a function of src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt); the first two tokens of a source differ.

    Returns:
        A `Verdict`.

    Raises:
        ValueError: they differ in none.
    """
    swapped = torch.cat([src[:, :2].flip(1), src[:, 2:]], dim=1)
    check_swapped(src, swapped)
    moved = distances(logits_of(model, src, tgt), logits_of(model, swapped, tgt)).max().item()
    change = "when tokens 0 and 1 of the source change places"
    return Verdict("order", moved > TOLERANCE, f"the largest movement is ≈ {moved:.2g} {change}")


def repeatable(model, src, tgt):
    """The same input gives the same logits again; dropout that is still on breaks this.

    Args:
        model: a function of src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        A `Verdict`.
    """
    moved = distances(logits_of(model, src, tgt), logits_of(model, src, tgt))
    return nothing_moves("repeatable", [("the same input comes again", moved)])


def gradients(model, src, tgt):
    """Every parameter gets a finite gradient that is not 0 everywhere.

    The bias of the keys gets one by rounding alone: what is added to all scores of a query changes no weight.

    Args:
        model: an `nn.Module` called with src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt), at least 2 tokens each: the weight of a single key is
            always 1, and lets no gradient through to queries and keys.

    Returns:
        A `Verdict`; its witness counts the parameters without, and names the first.
    """
    named = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
    if not named:
        return Verdict("gradients", False, "the model has no parameters")
    logits = model(src, tgt)
    weights = torch.linspace(-1, 1, logits.numel()).view_as(logits)  # the plain sum may be constant
    found = torch.autograd.grad((logits * weights).sum(), list(named.values()), allow_unused=True)
    silent = [
        name
        for name, gradient in zip(named, found, strict=True)
        if gradient is None or not 0 < gradient.float().abs().sum() < math.inf  # nor is NaN
    ]
    return every("gradients", "parameter tensors without a finite gradient", silent)


def registration(model):
    """Every tensor that a model holds moves with it to another device.

    Parameters and registered buffers do; so any other tensor that can be reached from the model, through
    whatever holds it, stays behind.

    Args:
        model: an `nn.Module`.

    Returns:
        A `Verdict`; its witness counts the tensors that stay behind, and names the first.
    """
    moving = [*model.parameters(), *(module._buffers for module in model.modules())]
    known, left, reached = {id(value) for value in moving}, [], [("", model)]
    for name, value in reached:  # which grows meanwhile
        if id(value) in known:
            continue
        known.add(id(value))
        if isinstance(value, torch.Tensor):
            left.append(name.lstrip("."))
        else:
            reached += contents(name, value)
    return every("registration", "tensors that do not move with the model", left)


def contents(name, value):
    """What a value holds, each with a name.

    Args:
        name: of the value.
        value: anything. Of an `nn.Module` the attributes of its classes count, too; of a function, only
            what it has closed over and its defaults.

    Returns:
        List of pairs: a name, and a part. A part may come twice, first by its attribute or place.
    """
    if isinstance(value, type | types.ModuleType):
        return []
    attributes = [getattr(value, "__dict__", {})]
    if isinstance(value, nn.Module):
        attributes += [value._modules, value._parameters, *map(vars, type(value).__mro__)]
    found = [(f"{name}.{key}", part) for group in attributes for key, part in group.items()]
    if isinstance(value, dict | list | tuple):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        found += [(f"{name}[{key!r}]", part) for key, part in items]
    inner = gc.get_referents(value)  # of a set, a partial, a cell, …
    if isinstance(value, types.FunctionType):  # not what its module defines
        inner = [value.__closure__, value.__defaults__, value.__kwdefaults__]
    return found + [(name, part) for part in inner]


def distinct_weights(model):
    """No two weight matrices begin with the same numbers, as clones of one layer do.

    Args:
        model: an `nn.Module` before training; its matrices of zeros do not count.

    Returns:
        A `Verdict`; its witness counts the pairs, and names the first.
    """
    named = [(name, w) for name, w in model.named_parameters() if w.dim() > 1 and w.requires_grad]
    matrices = [(name, w) for name, w in named if w.any()]
    pairs = [
        f"{first} and {second}"
        for (first, a), (second, b) in itertools.combinations(matrices, 2)
        if torch.equal(a, b)
    ]
    return every("distinct weights", "pairs of equal weight matrices", pairs)


def overfits(model, src, tgt, pad_id, steps=200, lr=3e-3):
    """A copy of the model learns one batch by heart.

    Args:
        model: an `nn.Module` called with src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt); tgt[:, :-1] is read, and tgt[:, 1:] is to be written.
        pad_id: of the target; its positions do not count.
        steps, lr: of Adam.

    Returns:
        A `Verdict`: whether the loss ends below 0.1; its witness says how many tokens are right, too, which
        a model that returns probabilities gets right with a high loss.
    """
    model, labels, losses = copy.deepcopy(model), tgt[:, 1:], []
    if not list(model.parameters()):
        return Verdict("overfits", False, "the model has no parameters")
    adam = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(steps):
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=pad_id)
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    right = (logits.argmax(dim=-1) == labels)[labels != pad_id].float().mean()
    witness = f"the loss goes from ≈ {losses[0]:.2f} to ≈ {losses[-1]:.2f} in {steps} steps"
    return Verdict("overfits", losses[-1] < 0.1, f"{witness}, ≈ {right:.2f} of the tokens right")


def fresh_gradients(model, step):
    """A step uses the gradients of its own batch alone, whatever stood there before.

    Args:
        model: an `nn.Module` without dropout, or in evaluation; its weights are as before in the end.
        step: a function without arguments: one step of a training loop, always with the same batch.

    Returns:
        A `Verdict`.

    Raises:
        ValueError: the step leaves no gradients.
    """
    before, left = copy.deepcopy(model.state_dict()), []
    for stale in (0.0, 1.0):
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, stale) if parameter.requires_grad else None
        step()
        left.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
        model.load_state_dict(before)
    check_gradients_left(left[0])
    apart = [(first - again).abs().max().item() for first, again in zip(*left, strict=True)]
    witness = f"gradients left from before change those of a step by ≈ {max(apart):.2g}"
    return Verdict("fresh gradients", all(moved <= TOLERANCE for moved in apart), witness)


def disjoint(training, test):
    """No pair of the test is also used for training.

    Args:
        training, test: lists of what can stand in a set, as pairs of strings.

    Returns:
        A `Verdict`; its witness counts what is in both, and names the first.

    Raises:
        ValueError: one is empty.
    """
    check_split(training, test)
    known = set(training)
    return every("disjoint", "test pairs that are also in training", [pair for pair in test if pair in known])
