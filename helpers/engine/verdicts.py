"""What comes out when a law is tried on a model: whether it holds, and a witness."""

import dataclasses

import torch

from helpers.engine.checks import check_logits

TOLERANCE = 1e-4  # sums in another order move a logit of float32 by less


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What came out when a law was tried on a model: true if it holds; `str` shows the witness."""

    law: str
    holds: bool
    witness: str

    def __bool__(self):
        return self.holds

    def __str__(self):
        return f"{self.law}: {'holds' if self.holds else 'BROKEN'}, {self.witness}"


def logits_of(model, src, tgt):
    """The logits of a model, without gradients.

    Args:
        model: a function of src and tgt.
        src, tgt: token ids (B, T_src) and (B, T_tgt).

    Returns:
        (B, T_tgt, V).

    Raises:
        ValueError: the model returns something else.
    """
    with torch.no_grad():
        logits = model(src, tgt)
    check_logits(logits, tgt)
    return logits


def distances(before, after):
    """How far the logits (B, T, V) of each position move → (B, T); what is equal, −∞ too, moves by 0."""
    return torch.where(before == after, 0.0, (before - after).abs()).amax(dim=-1)


def nothing_moves(law, trials):
    """The verdict that no logit moves, whatever is changed.

    Args:
        law: its name.
        trials: pairs of what is changed, as text, and the distances (B, T) by which logits then move.

    Returns:
        A `Verdict`; its witness is the first position that moves, in the first trial in which one does.
    """
    for change, moved in trials:
        for sentence, position in (~(moved <= TOLERANCE)).nonzero().tolist():  # NaN is not <= anything
            where = f"position {position} of sentence {sentence}"
            return Verdict(law, False, f"{where} moves by ≈ {moved[sentence, position]:.2g} when {change}")
    return Verdict(law, True, f"nothing moves by more than {TOLERANCE}")


def every(law, what, exceptions):
    """The verdict that there are no exceptions; its witness counts them, and names the first."""
    first = f"; the first: {exceptions[0]}" if exceptions else ""
    return Verdict(law, not exceptions, f"{what}: {len(exceptions)}{first}")
