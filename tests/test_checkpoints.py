"""Checkpoints survive anything: what is written can be read, and what is broken changes nothing."""

import errno
import math
import os
import random
import subprocess
import sys

import numpy as np
import pytest
import torch

from helpers import training
from helpers.engine import checkpoints
from helpers.engine.checkpoints import fingerprint, load_checkpoint, read_checkpoint, save_checkpoint
from helpers.engine.files import check_writable, lock, remove_leftovers
from helpers.training import Trainer
from small_training import DATA, small_trainer, weights


@pytest.fixture
def saved(tmp_path):
    trainer = small_trainer()
    trainer.run_epoch()
    save_checkpoint(trainer, tmp_path / "model.pt")
    return tmp_path / "model.pt"


def unchanged(trainer, do):
    """Whether nothing of a trainer changes by `do`, which raises a ValueError; returns its message."""
    before = weights(trainer), trainer.step, trainer.lr_scale, str(trainer.optimizer.state_dict())
    with pytest.raises(ValueError) as refused:
        do(trainer)
    after = weights(trainer), trainer.step, trainer.lr_scale, str(trainer.optimizer.state_dict())
    assert torch.equal(before[0], after[0]) and before[1:] == after[1:]
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_checkpoint_is_read_with_weights_only(saved):
    parts = {"model", "optimizer", "scheduler", "trainer", "config", "fingerprint"}
    assert read_checkpoint(saved).keys() == parts


def test_a_checkpoint_with_code_in_it_is_refused_and_not_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "run"),)

    torch.save({"model": Trap()}, tmp_path / "trap.pt")
    with pytest.raises(ValueError, match="^path: .*not a checkpoint"):
        read_checkpoint(tmp_path / "trap.pt")
    assert not (tmp_path / "run").exists()


def test_a_resumed_trainer_takes_over_the_settings(tmp_path):
    settings = {"lr_scale": 0.5, "label_smoothing": 0.2, "total_steps": 20, "bf16": True}
    first = small_trainer(seed=4, settings=settings)
    first.run_epoch()
    save_checkpoint(first, tmp_path / "model.pt")
    second = small_trainer()
    load_checkpoint(second, tmp_path / "model.pt")
    assert {name: getattr(second, name) for name in settings} == settings and second.seed == 4
    for trainer in (first, second):
        trainer.run_epoch()
    assert first.history == second.history


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_truncated_checkpoint_is_refused_and_changes_nothing(saved, share):
    whole = saved.read_bytes()
    saved.write_bytes(whole[: int(share * len(whole))])
    message = unchanged(small_trainer(), lambda trainer: load_checkpoint(trainer, saved))
    assert message.startswith("path: ") and "is not a checkpoint" in message


def test_flipped_bits_are_refused_or_harmless(saved):
    whole, rng = saved.read_bytes(), random.Random(0)
    good, refused = read_checkpoint(saved), 0
    for _ in range(100):
        broken = bytearray(whole)
        broken[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        saved.write_bytes(broken)
        try:
            state = read_checkpoint(saved)
        except ValueError:
            refused += 1
        else:
            torch.testing.assert_close(state, good, rtol=0, atol=0)  # it was in what fills up the file
    assert refused > 50


def broken_states(state):
    """Name and state of checkpoints with something amiss."""
    optimizer, progress = state["optimizer"], state["trainer"]
    moments = optimizer["state"]
    smaller = {i: {**moments[i], "exp_avg": torch.zeros(1)} for i in moments}
    yield "a list", [1, 2]
    yield "a number", 3
    for name in state:
        yield f"{name} missing", {key: value for key, value in state.items() if key != name}
        yield f"{name} a text", {**state, name: "text"}
        yield f"{name} empty", {**state, name: {}}
    yield "weights are numbers", {**state, "model": dict.fromkeys(state["model"], 1.0)}
    yield "small moments", {**state, "optimizer": {**optimizer, "state": smaller}}
    yield "some moments", {**state, "optimizer": {**optimizer, "state": {0: moments[0]}}}
    yield "no groups", {**state, "optimizer": {**optimizer, "param_groups": []}}
    yield "schedule", {**state, "scheduler": {"last_epoch": 3}}
    yield "text for step", {**state, "trainer": {**progress, "step": "8"}}
    yield "short history", {**state, "trainer": {**progress, "history": progress["history"][:3]}}
    yield "odd history", {**state, "trainer": {**progress, "history": [1] * 8}}
    yield "another setting", {**state, "trainer": {**progress, "model": 1}}


def test_a_checkpoint_with_something_amiss_is_refused_and_changes_nothing(saved):
    for name, state in broken_states(read_checkpoint(saved)):
        torch.save(state, saved)
        message = unchanged(small_trainer(), lambda trainer: load_checkpoint(trainer, saved))
        assert message.startswith("path: "), name


@pytest.mark.parametrize("version", ["notes", "one matrix for q, k and v"])
def test_a_checkpoint_of_an_earlier_version_is_refused(version, saved, tmp_path):
    state = dict.fromkeys(("model", "optimizer", "trainer", "notes", "pairs"), {})
    if version != "notes":
        state = read_checkpoint(saved)
        state["model"] = {name.replace("w_q.", "w_qkv."): weight for name, weight in state["model"].items()}
    torch.save(state, tmp_path / "old.pt")
    with pytest.raises(ValueError, match="^path: .*old.pt was written by an earlier version; delete it and"):
        load_checkpoint(small_trainer(), tmp_path / "old.pt")


def test_a_missing_or_foreign_checkpoint_is_refused(saved, tmp_path):
    with pytest.raises(ValueError, match="^path: .*none.pt cannot be read .*; name another file"):
        load_checkpoint(small_trainer(), tmp_path / "none.pt")
    with pytest.raises(ValueError, match="^path: .*another model.*is .* there and .* here"):
        load_checkpoint(small_trainer(d_ff=32), saved)
    with pytest.raises(ValueError, match="^path: .*another model .*'n_heads': 2.*'n_heads': 4"):
        load_checkpoint(small_trainer(n_heads=4), saved)  # the same shapes
    other = small_trainer()
    with pytest.raises(
        ValueError, match="^path: .*trained on other pairs; pass those pairs, in the same order"
    ):
        load_checkpoint(Trainer(other.model, DATA[::-1], 8, 10, config=other.config), saved)


def test_a_value_that_could_not_be_read_again_is_named_before_anything_is_replaced(saved):
    before = saved.read_bytes()
    trainer = small_trainer(settings={"lr_scale": np.float64(0.5)})
    with pytest.raises(ValueError, match="^lr_scale: value is a float64, 0.5; use a plain number or text"):
        save_checkpoint(trainer, saved)
    trainer = small_trainer()
    trainer.config["options"]["d_ff"] = np.int64(16)
    with pytest.raises(ValueError, match="^d_ff: value is a int64, 16; use"):
        save_checkpoint(trainer, saved)
    assert saved.read_bytes() == before and list(saved.parent.iterdir()) == [saved]


def test_weights_that_are_not_finite_are_not_saved(saved):
    before, trainer = saved.read_bytes(), small_trainer()
    with torch.no_grad():
        next(trainer.model.parameters())[0] = math.nan
    with pytest.raises(ValueError, match="^path: the weights for .* are not finite; train with a lower lr"):
        save_checkpoint(trainer, saved)
    assert saved.read_bytes() == before


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EROFS, "name a file in a folder that you may write to"),
        (errno.EACCES, "name a file in a folder that you may write to"),
    ],
)
def test_a_failed_write_leaves_the_previous_checkpoint_and_says_why(saved, monkeypatch, code, remedy):
    before = saved.read_bytes()

    def fail(file):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ValueError) as refused:
        save_checkpoint(small_trainer(), saved)
    assert str(refused.value) == f"path: {saved} cannot be written ({os.strerror(code)}); {remedy}"
    assert saved.read_bytes() == before and list(saved.parent.iterdir()) == [saved]


def test_ctrl_c_while_saving_leaves_the_previous_checkpoint(saved, monkeypatch):
    before = saved.read_bytes()

    def interrupted(file):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_checkpoint(small_trainer(), saved)
    assert saved.read_bytes() == before and list(saved.parent.iterdir()) == [saved]


def test_a_path_that_cannot_be_written_is_found_early(tmp_path):
    with pytest.raises(ValueError, match="^path: .* is a folder; name a file in it$"):
        check_writable(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="^path: .*cannot be written .*; name a file in a folder"):
        check_writable(tmp_path / "file" / "model.pt")
    check_writable(tmp_path / "new" / "model.pt")
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="there no process may be asked whether it runs")
def test_what_a_killed_process_left_is_removed(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = tmp_path / f"model.pt.{ended.pid}.tmp"
    others = [tmp_path / f"model.pt.{os.getpid()}.tmp", tmp_path / f"other.pt.{ended.pid}.tmp"]
    others += [tmp_path / "model.pt.mine.tmp"]
    for file in (left, *others):
        file.write_text("half")
    remove_leftovers(tmp_path, r"model\.pt")
    assert sorted(tmp_path.iterdir()) == sorted(others)


def test_one_path_is_held_by_one_process(tmp_path):
    with lock(tmp_path / "model.pt"):
        with pytest.raises(ValueError, match="^path: .*model.pt is in use by another training; name another"):
            with lock(tmp_path / "model.pt"):
                pass
    with lock(tmp_path / "model.pt"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_fingerprint_tells_where_one_side_ends():
    def pairs(*sides):
        return [tuple(torch.tensor(ids, dtype=torch.long) for ids in sides)]

    alike = [pairs([1, 2], [3]), pairs([1], [2, 3]), pairs([1, 2, 3], []), pairs([], [1, 2, 3])]
    assert len(set(map(fingerprint, alike))) == 4


def test_the_pairs_are_fingerprinted_once(tmp_path, monkeypatch):
    counted = []

    def count(pairs):
        counted.append(pairs)
        return fingerprint(pairs)

    for module in (checkpoints, training):
        monkeypatch.setattr(module, "fingerprint", count)
    trainer = small_trainer()
    trainer.run_epoch(tmp_path / "model.pt", every=1)
    assert len(counted) == 1
