"""Checkpoints: what training needs to go on, in a file that survives anything. Chapter 11."""

import contextlib
import os
from pathlib import Path
from zlib import crc32

import torch

from helpers.guards import guard_checkpoint, guard_same_model, guard_same_pairs

PROGRESS = ("epoch", "step", "done", "history")
SETTINGS = ("batch_size", "warm_up_steps", "scale", "last_step", "smoothing", "seed")


def fingerprint(pairs):
    """A number that tells these pairs of ids from others."""
    return crc32(torch.cat([ids for pair in pairs for ids in pair]).numpy().tobytes())


def save_checkpoint(trainer, path):
    """Write everything that a trainer needs to go on, to a temporary name that is then renamed.

    Raises:
        ValueError: the file cannot be written; an earlier checkpoint of this name stays as it was.
    """
    path = Path(path)
    state = {
        "model": trainer.model.state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "trainer": {name: getattr(trainer, name) for name in PROGRESS + SETTINGS},
        "notes": trainer.notes,
        "pairs": fingerprint(trainer.pairs),
    }
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except (OSError, RuntimeError) as error:
        raise ValueError(f"path: {path} cannot be written ({error}); free some space") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)  # what an error or Ctrl-C has left


def read_checkpoint(path, device="cpu"):
    """What `save_checkpoint` wrote: a dictionary of model, optimizer, trainer, notes and pairs.

    Raises:
        ValueError: the file is missing, truncated, or something else.
    """
    try:
        state = torch.load(path, map_location=device, weights_only=True)
    except Exception as error:  # torch raises many kinds for a broken file
        kind = type(error).__name__
        raise ValueError(f"path: {path} is not a checkpoint ({kind}); name another file") from None
    guard_checkpoint(state, path)
    return state


def load_checkpoint(trainer, path):
    """Take a trainer back to where a checkpoint was saved, its settings included.

    Raises:
        ValueError: as `read_checkpoint`, or the checkpoint is of another model, or of other pairs.
    """
    state = read_checkpoint(path, trainer.device)
    guard_same_model(state, trainer, path)
    guard_same_pairs(state, fingerprint(trainer.pairs), path)
    trainer.model.load_state_dict(state["model"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    for name, value in state["trainer"].items():
        setattr(trainer, name, value)
