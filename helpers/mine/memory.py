"""The last rung: a Transformer from memory, in a blank file, with a clock and one verdict."""

import time
import traceback

import torch

from helpers import laws
from helpers.engine.files import write_whole
from helpers.engine.languages import say
from helpers.exercises.checking import SYMBOLS
from helpers.exercises.comparing import SECONDS
from helpers.exercises.time_limit import TooLong, call_within
from helpers.mine.allowed import Watch
from helpers.mine.rungs import PARTS
from helpers.mine.yours import folder, forget, load, source_of_yours

MADE = "Transformer(vocab_size, d_model, n_heads, d_ff, n_layers)"
FILE = f"""\
# {{begun}}
# {MADE}: model(src, tgt) → logits (B, T_tgt, vocab_size)
# 0: padding
"""
VOCAB, PAD = 9, 0
BATCHES = 6  # times SECONDS: to learn a batch by heart takes longer than a forward pass


def from_memory():
    """Begin, if the file is not there yet; else judge what stands in it.

    Returns:
        None at the beginning; else whether it is right.
    """
    path = folder() / "from_memory.py"
    if not path.is_file():
        write_whole(path, FILE.format(begun=int(time.time())).encode())
        return say(
            f"{path.parent.name}/{path.name}에 트랜스포머를 처음부터 쓰세요. 지금부터 시간을 잽니다. "
            "다 쓰면 다시 부르세요.",
            f"Write a Transformer from nothing in {path.parent.name}/{path.name}. The clock runs. "
            "Call again when it is done.",
        )
    minutes = max(0.0, time.time() - begun(path)) / 60
    forget()
    try:
        broken = call_within(BATCHES * SECONDS, first_broken, (load("from_memory"),))
    except TooLong:
        broken = f"it was stopped after {BATCHES * SECONDS:g} s"
    except Exception as error:
        broken = "".join(traceback.format_exception_only(error)).strip()
        if isinstance(error, TypeError | AttributeError):
            broken += f" [model = {MADE}; model(src, tgt)]"
    mark = SYMBOLS[not broken]
    if broken:
        say(f"{mark} 아직입니다: {broken}", f"{mark} Not yet: {broken}")
    else:
        say(
            f"{mark} 외워서 썼습니다. 걸린 시간: {minutes:.0f}분.",
            f"{mark} From memory, in {minutes:.0f} minutes.",
        )
    return not broken


def begun(path):
    """When a file was begun, in seconds; now, if its first line does not say so any more."""
    first = source_of_yours(path).partition("\n")[0].strip("# ")
    return int(first) if first.isdecimal() else time.time()


def first_broken(module):
    """The first law that a Transformer breaks.

    Args:
        module: with a class Transformer.

    Returns:
        A `Verdict` as text, or what is used that is not allowed; "" if all laws hold, and a batch is learned
        by heart.

    Raises:
        Whatever the class raises.
    """
    torch.manual_seed(0)
    src = torch.tensor([[3, 4, 5, 6], [7, 3, PAD, PAD]])
    tgt = torch.tensor([[1, 5, 4, 6, 2], [1, 8, 2, PAD, PAD]])
    with Watch(PARTS["Transformer"]) as watch:
        model = module.Transformer(VOCAB, 16, 2, 32, 2)
        model(src, tgt)
    if watch.used:
        return f"it uses {watch.used}"
    for law in (laws.registration, laws.distinct_weights):
        if not (verdict := law(model)):
            return str(verdict)
    model.eval()
    inputs = model, src, tgt
    for verdict in (
        laws.causality(*inputs),
        laws.padding_invariance(*inputs, PAD, PAD),
        laws.batch_invariance(*inputs),
        laws.order(*inputs),
        laws.gradients(*inputs),
        laws.overfits(model.train(), src, tgt, PAD),
    ):
        if not verdict:
            return str(verdict)
    return ""
