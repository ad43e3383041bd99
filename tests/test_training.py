"""Training, chapter 11: batches, the learning rate, the loss, and steps that can be repeated."""

import ast
import math
import os
import random
import subprocess
import sys

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from helpers.engine.checkpoints import load_checkpoint
from helpers.engine.processes import seeded
from helpers.training import (
    Trainer,
    encode_pairs,
    inverse_sqrt,
    length_buckets,
    linear_cooldown,
    token_loss,
)
from notebook_parts import ROOT, read, trees
from small_training import DATA, ENGLISH, KOREAN, PAIRS, small_trainer, weights


def test_pairs_become_ids_with_bos_and_eos():
    for (source, target), (src, tgt) in zip(PAIRS, DATA, strict=True):
        assert KOREAN.decode(src.tolist()) == source
        assert tgt[0] == ENGLISH.bos_id and tgt[-1] == ENGLISH.eos_id
        assert ENGLISH.decode(tgt[1:-1].tolist()) == target


@given(st.lists(st.integers(1, 30), min_size=1, max_size=60), st.integers(1, 9), st.integers(0, 99))
def test_buckets_hold_each_sentence_once_and_neighbors_in_length(lengths, batch_size, seed):
    batches = length_buckets(lengths, batch_size, seed)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= batch_size for batch in batches)
    spans = sorted((min(lengths[i] for i in b), max(lengths[i] for i in b)) for b in batches)
    assert all(one[1] <= other[0] for one, other in zip(spans, spans[1:], strict=False))
    assert batches == length_buckets(lengths, batch_size, seed)


def test_another_seed_is_another_order():
    assert length_buckets([5] * 40, 4, 0) != length_buckets([5] * 40, 4, 1)


def test_the_schedule_is_the_formula_of_the_paper():
    rates = [inverse_sqrt(step, 512, 4000) for step in range(1, 10001)]
    assert rates.index(max(rates)) == 3999
    assert rates[999] == pytest.approx(rates[3999] / 4)
    assert rates[3999] == pytest.approx(512**-0.5 * 4000**-0.5)
    assert inverse_sqrt(16000, 512, 4000) == pytest.approx(rates[3999] / 2)


def test_the_decay_is_one_and_then_a_straight_line_to_zero():
    factors = [linear_cooldown(step, 100) for step in range(1, 103)]
    assert factors[:61] == [1.0] * 61
    assert factors[61:100] == pytest.approx([n / 40 for n in range(39, 0, -1)])
    assert factors[100:] == [0.0, 0.0]
    assert linear_cooldown(10**9, None) == 1.0


@pytest.mark.parametrize("total_steps", [None, 24])
def test_every_step_has_the_learning_rate_of_the_schedule(total_steps):
    trainer = small_trainer(settings={"lr_scale": 0.3, "total_steps": total_steps})
    for _ in range(3):
        trainer.run_epoch()
    wanted = [0.3 * inverse_sqrt(step, 8, 10) * linear_cooldown(step, total_steps) for step in range(1, 25)]
    assert [lr for _, _, lr in trainer.history] == pytest.approx(wanted)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_is_that_of_torch_on_real_tokens(smoothing):
    model = small_trainer().model.eval()
    src, tgt = (pad_sequence(side, batch_first=True) for side in zip(*DATA[:7], strict=True))
    loss, accuracy = token_loss(model, src, tgt, smoothing)
    logits = model(src, tgt[:, :-1])
    theirs = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=smoothing)
    torch.testing.assert_close(loss, theirs(logits.flatten(0, 1), tgt[:, 1:].flatten()))
    real = tgt[:, 1:] != 0
    torch.testing.assert_close(accuracy, (logits.argmax(-1) == tgt[:, 1:])[real].float().mean())


def test_of_equal_logits_none_is_right():
    model = small_trainer().model.eval()
    for parameter in model.generator.parameters():
        nn.init.zeros_(parameter)
    src, tgt = (pad_sequence(side, batch_first=True) for side in zip(*DATA[:7], strict=True))
    assert token_loss(model, src, tgt)[1] == 0


def test_training_learns_and_the_same_seed_gives_the_same_weights():
    one, other = small_trainer(), small_trainer()
    for trainer in (one, other):
        for _ in range(3):
            trainer.run_epoch()
    assert torch.equal(weights(one), weights(other))
    assert one.history == other.history and len(one.history) == 3 * 8
    assert one.history[-1][0] < one.history[0][0]


def test_an_empty_source_has_ids_too():
    ((src, _),) = encode_pairs([("", "I read")], KOREAN, ENGLISH)
    assert src.dtype == torch.long and len(src) == 0


def test_seeds_steps_and_processes_have_dropout_of_their_own(monkeypatch):
    drawn = set()

    def note_seed(model, src, tgt, label_smoothing):
        drawn.add(torch.initial_seed())
        return token_loss(model, src, tgt, label_smoothing)

    monkeypatch.setattr("helpers.training.token_loss", note_seed)
    for seed in range(3):
        for number in range(2):
            monkeypatch.setattr("helpers.engine.processes.rank", lambda number=number: number)
            trainer = small_trainer(seed=seed)
            for _ in range(4):
                trainer.take_step(DATA[:4])
    assert len(drawn) == 3 * 2 * 4


def test_a_step_leaves_the_random_numbers_of_others_alone():
    trainer = small_trainer()
    before = torch.get_rng_state()
    trainer.take_step(DATA[:4])
    assert torch.equal(torch.get_rng_state(), before)


def test_on_an_accelerator_a_step_leaves_its_random_numbers_alone_too(monkeypatch):
    """There is none here, so that of Apple is played by a list."""
    states = ["before"]
    monkeypatch.setattr(torch.mps, "get_rng_state", lambda device: states[-1])
    monkeypatch.setattr(torch.mps, "set_rng_state", lambda state, device: states.append(state))
    with seeded(0, 1, "mps"):
        states.append("within")
    assert states == ["before", "within", "before"]


def test_a_diverging_run_stops_and_keeps_the_last_good_checkpoint(tmp_path):
    trainer = small_trainer(settings={"lr_scale": 1e30})
    with pytest.raises(
        ValueError, match=r"^loss: value is .* at step \d+, .*; lower lr_scale, which is 1e\+30"
    ):
        for _ in range(5):
            trainer.run_epoch(tmp_path / "model.pt", every=1)
    again = small_trainer()
    load_checkpoint(again, tmp_path / "model.pt")
    assert again.step == trainer.step > 0 and all(math.isfinite(loss) for loss, _, _ in again.history)


def test_bfloat16_computes_about_the_same():
    one, other = small_trainer(dropout=0.0), small_trainer(dropout=0.0, settings={"bf16": True})
    for trainer in (one, other):
        trainer.run_epoch()
    assert other.history[-1][0] == pytest.approx(one.history[-1][0], rel=0.05)
    assert other.history[0][0] != one.history[0][0]  # fewer digits
    assert all(parameter.dtype == torch.float32 for parameter in other.model.parameters())


def values_set(part):
    """The names that an assignment sets; those of a comprehension in it are not among them."""
    targets = part.targets if isinstance(part, ast.Assign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def as_in_chapter_11(*wanted):
    """Its names down to ADDITIONS: imports, functions, and these values; nothing is trained or drawn."""
    names = {}
    for _, tree in trees(read(ROOT / "notebooks" / "11_training.ipynb")):
        defining = ast.Import, ast.ImportFrom, ast.FunctionDef
        parts = [part for part in tree.body if isinstance(part, defining) or values_set(part) & {*wanted}]
        exec(compile(ast.Module(parts, []), "chapter 11", "exec"), names)
        if "ADDITIONS" in names:
            return names
    raise AssertionError("chapter 11 has no ADDITIONS")


def test_a_stored_row_of_chapter_11_is_what_train_returns():
    """Of ADDITIONS, measured once and kept in the chapter: 300 pairs with dropout, seed 0."""
    values = "pair_count", "seed", "pairs", "korean", "data", "held_out", "validation", "few", "ADDITIONS"
    names = as_in_chapter_11(*values)
    arguments, wrong, _ = names["ADDITIONS"]["300쌍, 드롭아웃", "300 pairs, dropout"]
    assert names["train"](0, **arguments) == pytest.approx(wrong[0], rel=0.2)  # without dropout: 30.8


def test_a_notebook_and_a_file_see_no_progress_bar(monkeypatch, capfd):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    small_trainer().run_epoch()  # stderr is no terminal here, as it is none in a notebook
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_killed_at_twenty_random_steps_it_ends_with_the_same_weights(tmp_path):
    """kill -9 after a step and before its checkpoint; the next process goes on from the last one."""
    path = tmp_path / "model.pt"
    steps = sorted(random.Random(0).sample(range(1, 24), 20))
    command = [sys.executable, str(ROOT / "tests" / "train_and_die.py"), str(path), *map(str, steps)]
    settings = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "TQDM_DISABLE": "1"}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    unbroken, resumed = small_trainer(), small_trainer()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as the processes above: sums depend on how work is shared
    for _ in range(3):
        unbroken.run_epoch()
    torch.set_num_threads(threads)
    load_checkpoint(resumed, path)
    assert resumed.epoch == 3 and resumed.history == unbroken.history
    assert torch.equal(weights(resumed), weights(unbroken))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("do", "named"),
    [
        (lambda: encode_pairs([], KOREAN, ENGLISH), "pairs"),
        (lambda: length_buckets([1, 2], 0, 0), "batch_size"),
        (lambda: Trainer(small_trainer().model, [], 4, 10), "pairs"),
        (lambda: Trainer(small_trainer().model, DATA, 4, 0), "warmup_steps"),
        (lambda: small_trainer(settings={"lr_scale": float("nan")}), "lr_scale"),
        (lambda: small_trainer(settings={"lr_scale": float("inf")}), "lr_scale"),
        (lambda: small_trainer(settings={"label_smoothing": float("nan")}), "label_smoothing"),
        (lambda: small_trainer(settings={"label_smoothing": -0.1}), "label_smoothing"),
    ],
)
def test_bad_input(do, named):
    with pytest.raises(ValueError, match=f"^{named}: "):
        do()
