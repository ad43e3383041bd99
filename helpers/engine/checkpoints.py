"""Checkpoints: what training needs to go on, in a file that survives anything. Chapter 11."""

import io
import zipfile
from pathlib import Path
from zlib import crc32

import torch

from helpers.engine.checkpoint_checks import check_contents, check_finite, check_fits, serialize
from helpers.engine.files import write_whole

PROGRESS = ("epoch", "step", "batches_done", "history")
SETTINGS = ("batch_size", "warmup_steps", "lr_scale", "total_steps", "label_smoothing", "bf16", "seed")


def fingerprint(pairs):
    """A number that tells these pairs of ids from others.

    Args:
        pairs: (src, tgt), 1-D tensors of ids, one pair after the other.

    Returns:
        An integer.
    """
    number = 0
    for src, tgt in pairs:
        for ids in (src, tgt):
            number = crc32(b"end", crc32(ids.numpy(), number))  # ([1, 2], [3]) is not ([1], [2, 3])
    return number


def checkpoint_state(trainer):
    """Everything that a trainer needs to go on.

    Args:
        trainer: a `Trainer`.

    Returns:
        A dictionary of trainer, config, fingerprint, model, optimizer and scheduler.
    """
    return {
        "trainer": {name: getattr(trainer, name) for name in PROGRESS + SETTINGS},
        "config": trainer.config,
        "fingerprint": trainer.fingerprint,
        "model": trainer.model.state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "scheduler": trainer.scheduler.state_dict(),
    }


def save_checkpoint(trainer, path):
    """Write everything that a trainer needs to go on, to a temporary name that is then renamed.

    Args:
        trainer: a `Trainer`.
        path: the file; its folder is made where it is missing.

    Raises:
        ValueError: a weight is not finite, a setting is not a plain value, or the file cannot be written; an
            earlier checkpoint of this name stays as it was.
    """
    check_finite(trainer.model.state_dict(), path)
    write_whole(path, serialize(checkpoint_state(trainer)))


def read_checkpoint(path, device="cpu"):
    """Read what `save_checkpoint` wrote.

    Args:
        path: the file.
        device: where the tensors go.

    Returns:
        A dictionary as of `checkpoint_state`.

    Raises:
        ValueError: the file is missing, damaged, from an earlier version, or something else.
    """
    try:
        data = Path(path).read_bytes()
        damaged = zipfile.ZipFile(io.BytesIO(data)).testzip()  # torch does not compare the checksums
        state = torch.load(io.BytesIO(data), map_location=device, weights_only=True)
    except OSError as error:
        raise ValueError(f"path: {path} cannot be read ({error.strerror}); name another file") from None
    except Exception as error:  # zipfile and torch raise many kinds for a broken file
        kind = type(error).__name__
        raise ValueError(f"path: {path} is not a checkpoint ({kind}); name another file") from None
    if damaged:
        raise ValueError(f"path: {path} is damaged (in {damaged}); name another file")
    check_contents(state, path)
    return state


def load_checkpoint(trainer, path):
    """Take a trainer back to where a checkpoint was saved, its settings included.

    Args:
        trainer: a `Trainer` of the same model, config and pairs; nothing of it changes if there is an error.
        path: the file.

    Raises:
        ValueError: as `read_checkpoint`, or the checkpoint is of another model, or of other pairs.
    """
    state = read_checkpoint(path, trainer.device)
    check_fits(state, checkpoint_state(trainer), trainer.model.parameters(), path)
    trainer.model.load_state_dict(state["model"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    trainer.scheduler.load_state_dict(state["scheduler"])
    for name, value in state["trainer"].items():
        setattr(trainer, name, value)
