"""What can still be said where a part behaves like no typical fault: an adapter, an unused weight, a law."""

import functools
from itertools import combinations

import torch
from torch import nn

from helpers import laws
from helpers.exercises.comparing import VALUES_DIFFER, Failure, difference, run
from helpers.mine.matching import alike


def explained(said, part, own, calls, cases):
    """Why the values of a part differ.

    Args:
        said: what has been said already: (Korean, English).
        part: a `Part` that is a class.
        own: as from `find`.
        calls: two functions from a module and inputs to its output, for the reader's and for ours.
        cases: its trials.

    Returns:
        (Korean, English): the same, unless it is only that the values differ, and a reason is found.
    """
    if said != VALUES_DIFFER[:2]:
        return said
    return (
        turned(part, own, calls, cases)
        or unused(part, own, calls[0], cases[-1])
        or (part.name == "Transformer" and broken_law(part, own, calls[0], cases))
        or said
    )


def weighed(part, own, trial, change=lambda name, weight: weight):
    """The reader's module and ours with the weights of a trial, which the reader's gets changed."""
    mine, ours = own.make(*trial.sizes), trial.weights(part.ours(*trial.sizes))
    state = {name: change(name, weight) for name, weight in ours.named_parameters()}
    alike(mine, ours, own.tensors).write(state)
    return mine.eval(), ours


def turned(part, own, calls, cases):
    """Whether a part is right but for square weights turned by .T: (Korean, English), or None."""
    ours = part.ours(*cases[-1].sizes)
    layers = [(name, layer) for name, layer in ours.named_children() if isinstance(layer, nn.Linear)]
    squares = [f"{name}.weight" for name, layer in layers if layer.in_features == layer.out_features]
    numbers = range(1, len(squares) + 1)
    for chosen in (chosen for number in numbers for chosen in combinations(squares, number)):

        def turn(name, weight, chosen=chosen):
            square = name in chosen and weight.size(0) == weight.size(1)
            return weight.T if square else weight

        for trial in cases:
            pair = zip(calls, weighed(part, own, trial, turn), strict=True)
            results = [run(functools.partial(call, module), trial.inputs) for call, module in pair]
            if difference(*results):
                break
        else:
            names = ", ".join(chosen)
            return (
                f"{names}의 행과 열이 바뀌었습니다. 어댑터에서 .T로 돌려주세요. nn.Linear의 가중치라면 "
                "x @ W가 아니라 x @ W.T입니다. 5.3절을 보세요.",
                f"Rows and columns of {names} are exchanged: return their .T in the adapter. If they are "
                "weights of nn.Linear, it is x @ W.T, not x @ W. See 5.3.",
            )
    return None


def unused(part, own, call, trial):
    """Whether a weight takes no part in the output: (Korean, English), or None."""
    module = weighed(part, own, trial)[0]
    output = run(functools.partial(call, module), trial.inputs)
    if not isinstance(output, torch.Tensor) or not output.requires_grad:
        return None
    output.sum().backward()
    names = [name for name, parameter in module.named_parameters() if parameter.grad is None]
    if not names:
        return None
    shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return (
        f"만들어 놓고 쓰지 않은 가중치가 있습니다: {shown}. 8.7절을 보세요.",
        f"Made, but never used in the output: {shown}. See 8.7.",
    )


LAWS = {
    "causality": ("인과", "14.2"),
    "padding invariance": ("패딩 불변성", "14.4"),
    "batch invariance": ("배치 불변성", "14.4"),
    "order": ("순서", "14.4"),
}


def broken_law(part, own, call, cases):
    """The first law that a translating model breaks, with its witness: (Korean, English), or None."""
    for trial in reversed(cases):  # the last has several sentences
        (src, tgt), config = trial.inputs, trial.sizes[0]
        model = functools.partial(call, weighed(part, own, trial)[0])
        tried = [
            (laws.causality, ()),
            (laws.padding_invariance, (config.src_pad_id, config.tgt_pad_id)),
            (laws.batch_invariance, ()),
            (laws.order, ()),
        ]
        for law, ids in tried:
            verdict = run(functools.partial(law, model), (src, tgt, *ids))  # a Failure with one sentence
            if type(verdict) is not Failure and not verdict:
                ko, section = LAWS[verdict.law]
                return (
                    f"{ko}의 법칙이 깨졌습니다: {verdict.witness}. {section}절을 보세요.",
                    f"The law of {verdict.law} is broken: {verdict.witness}. See {section}.",
                )
    return None
