"""Training, chapter 11: batches, warm-up, loss, and checkpoints that survive anything."""

import os
import subprocess
import sys

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from helpers.checkpoints import load_checkpoint, read_checkpoint, save_checkpoint
from helpers.corpus import make_pairs
from helpers.tokenization import WhitespaceTokenizer
from helpers.training import Trainer, cool_down, encode_pairs, length_buckets, token_loss, warm_up
from helpers.transformer import Transformer
from notebook_parts import ROOT

PAIRS = make_pairs("train", 120)
KOREAN, ENGLISH = (WhitespaceTokenizer(list(side)) for side in zip(*PAIRS, strict=True))
DATA = encode_pairs(PAIRS, KOREAN, ENGLISH)


def small_trainer(seed=0, **changes):
    torch.manual_seed(seed)
    sizes = {"d_model": 8, "n_heads": 2, "d_ff": 16, "n_layers": 1, "dropout": 0.1} | changes
    model = Transformer(len(KOREAN), len(ENGLISH), **sizes)
    return Trainer(model, DATA, batch_size=16, warm_up_steps=10, notes={"sizes": sizes})


def weights(trainer):
    return torch.cat([parameter.detach().flatten() for parameter in trainer.model.parameters()])


def test_pairs_become_ids_with_bos_and_eos():
    for (source, target), (src, tgt) in zip(PAIRS, DATA, strict=True):
        assert KOREAN.decode(src.tolist()) == source
        assert tgt[0] == ENGLISH.bos_id and tgt[-1] == ENGLISH.eos_id
        assert ENGLISH.decode(tgt[1:-1].tolist()) == target


@given(st.lists(st.integers(1, 30), min_size=1, max_size=60), st.integers(1, 9), st.integers(0, 99))
def test_buckets_hold_each_sentence_once_and_neighbours_in_length(lengths, batch_size, seed):
    batches = length_buckets(lengths, batch_size, seed)
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= batch_size for batch in batches)
    spans = sorted((min(lengths[i] for i in b), max(lengths[i] for i in b)) for b in batches)
    assert all(one[1] <= other[0] for one, other in zip(spans, spans[1:], strict=False))
    assert batches == length_buckets(lengths, batch_size, seed)


def test_another_seed_is_another_order():
    assert length_buckets([5] * 40, 4, 0) != length_buckets([5] * 40, 4, 1)


def test_warm_up_is_the_formula_of_the_paper():
    rates = [warm_up(step, 512, 4000) for step in range(1, 10001)]
    assert rates.index(max(rates)) == 3999
    assert rates[999] == pytest.approx(rates[3999] / 4)
    assert rates[3999] == pytest.approx(512**-0.5 * 4000**-0.5)
    assert warm_up(16000, 512, 4000) == pytest.approx(rates[3999] / 2)
    assert warm_up(7, 64, 10, scale=2.0) == pytest.approx(2 * warm_up(7, 64, 10))


def test_cool_down_is_one_and_then_a_straight_line_to_zero():
    factors = [cool_down(step, 100) for step in range(1, 103)]
    assert factors[:61] == [1.0] * 61
    assert factors[61:100] == pytest.approx([n / 40 for n in range(39, 0, -1)])
    assert factors[100:] == [0.0, 0.0]
    assert cool_down(10**9, None) == 1.0


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_is_that_of_torch_on_real_tokens(smoothing):
    model = small_trainer().model.eval()
    src, tgt = (pad_sequence(side, batch_first=True) for side in zip(*DATA[:7], strict=True))
    loss, accuracy = token_loss(model, src, tgt, smoothing)
    logits = model(src, tgt[:, :-1])
    theirs = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=smoothing)
    torch.testing.assert_close(loss, theirs(logits.flatten(0, 1), tgt[:, 1:].flatten()))
    real = tgt[:, 1:] != 0
    assert accuracy == pytest.approx((logits.argmax(-1) == tgt[:, 1:])[real].float().mean().item())


def test_training_learns_and_the_same_seed_gives_the_same_weights():
    one, other = small_trainer(), small_trainer()
    for trainer in (one, other):
        for _ in range(3):
            trainer.run_epoch()
    assert torch.equal(weights(one), weights(other))
    assert one.history == other.history and len(one.history) == 3 * 8
    assert one.history[-1][0] < one.history[0][0]
    assert one.history[11][2] == pytest.approx(warm_up(12, 8, 10))


def test_bfloat16_computes_about_the_same():
    one, other = small_trainer(dropout=0.0), small_trainer(dropout=0.0)
    other.bf16 = True
    for trainer in (one, other):
        trainer.run_epoch()
    assert other.history[-1][0] == pytest.approx(one.history[-1][0], rel=0.05)
    assert all(parameter.dtype == torch.float32 for parameter in other.model.parameters())


RUN = """
import os, random, signal, sys
sys.path[:0] = [{root!r}, {tests!r}, {tests!r} + "/workbench"]
from pathlib import Path
import torch
torch.set_num_threads(1)  # a process with several threads must not fork
from helpers.checkpoints import load_checkpoint
from test_training import small_trainer

path = Path({path!r})

def train(last_step=None):
    trainer = small_trainer()
    if path.exists():
        load_checkpoint(trainer, path)
    take_step = trainer.take_step

    def take_and_die(batch):
        take_step(batch)
        if trainer.step == last_step:
            os.kill(os.getpid(), signal.SIGKILL)

    trainer.take_step = take_and_die
    while trainer.epoch < 3:
        trainer.run_epoch(checkpoint=path, every=1)

for step in sorted(random.Random(0).sample(range(1, 24), 20)):
    child = os.fork()
    if child == 0:
        train(step)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, status
train()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_killed_at_twenty_random_steps_it_ends_with_the_same_weights(tmp_path):
    """kill -9 after a step and before its checkpoint; the next process goes on from the last one."""
    path = tmp_path / "model.pt"
    code = RUN.format(root=str(ROOT), tests=str(ROOT / "tests"), path=str(path))
    settings = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=settings, capture_output=True, text=True, timeout=200
    )
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


@pytest.fixture
def saved(tmp_path):
    trainer = small_trainer()
    trainer.run_epoch()
    save_checkpoint(trainer, tmp_path / "model.pt")
    return tmp_path / "model.pt"


def test_a_checkpoint_is_read_with_weights_only(saved):
    assert read_checkpoint(saved).keys() == {"model", "optimizer", "trainer", "notes", "pairs"}


def test_a_checkpoint_with_code_in_it_is_refused_and_not_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "run"),)

    torch.save({"model": Trap()}, tmp_path / "trap.pt")
    with pytest.raises(ValueError, match="^path: .*not a checkpoint"):
        read_checkpoint(tmp_path / "trap.pt")
    assert not (tmp_path / "run").exists()


def test_a_resumed_trainer_takes_over_the_settings(saved):
    trainer = small_trainer()
    trainer.scale, trainer.smoothing, trainer.seed = 9.0, 0.5, 3
    load_checkpoint(trainer, saved)
    assert (trainer.scale, trainer.smoothing, trainer.seed) == (1.0, 0.1, 0)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_truncated_checkpoint_is_refused_and_changes_nothing(saved, share):
    whole = saved.read_bytes()
    saved.write_bytes(whole[: int(share * len(whole))])
    trainer = small_trainer()
    before = weights(trainer)
    with pytest.raises(ValueError, match="^path: .*not a checkpoint.*name another file"):
        load_checkpoint(trainer, saved)
    assert torch.equal(weights(trainer), before)


def test_a_missing_or_foreign_checkpoint_is_refused(saved, tmp_path):
    with pytest.raises(ValueError, match="^path: .*not a checkpoint"):
        load_checkpoint(small_trainer(), tmp_path / "none.pt")
    torch.save([1, 2], tmp_path / "list.pt")
    with pytest.raises(ValueError, match="^path: .*something else.*save_checkpoint"):
        load_checkpoint(small_trainer(), tmp_path / "list.pt")
    with pytest.raises(ValueError, match="^path: .*another model.*is .* there and .* here"):
        load_checkpoint(small_trainer(d_ff=32), saved)
    with pytest.raises(ValueError, match="^path: .*another model .*'n_heads': 2.*'n_heads': 4"):
        load_checkpoint(small_trainer(n_heads=4), saved)  # the same shapes
    other = small_trainer()
    with pytest.raises(
        ValueError, match="^path: .*trained on other pairs; pass those pairs, in the same order"
    ):
        load_checkpoint(Trainer(other.model, DATA[::-1], 8, 10, notes=other.notes), saved)


def test_a_full_disk_leaves_the_previous_checkpoint(saved, monkeypatch):
    before = saved.read_bytes()

    def full(*arguments):
        arguments[1].write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(ValueError, match="^path: .*No space left on device.*free some space"):
        save_checkpoint(small_trainer(), saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_ctrl_c_while_saving_leaves_the_previous_checkpoint(saved, monkeypatch):
    before = saved.read_bytes()

    def interrupted(*arguments):
        arguments[1].write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_checkpoint(small_trainer(), saved)
    assert saved.read_bytes() == before and list(saved.parent.iterdir()) == [saved]


@pytest.mark.parametrize(
    ("do", "named"),
    [
        (lambda: encode_pairs([], KOREAN, ENGLISH), "pairs"),
        (lambda: length_buckets([1, 2], 0, 0), "batch_size"),
        (lambda: warm_up(0, 8, 10), "step"),
        (lambda: Trainer(small_trainer().model, [], 4, 10), "pairs"),
        (lambda: Trainer(small_trainer().model, DATA, 4, 0), "warm_up_steps"),
    ],
)
def test_bad_input(do, named):
    with pytest.raises(ValueError, match=f"^{named}: "):
        do()
