"""The command line: train, resume, translate; one line for an error; one process and two give the same."""

import os
import re
import subprocess
import sys

import pytest
import torch

from helpers.__main__ import main
from helpers.checkpoints import read_checkpoint
from helpers.corpus import make_pairs
from notebook_parts import ROOT, TATOEBA

SMALL = "--vocab 700 --d-model 16 --heads 2 --d-ff 16 --layers 1 --batch 16 --dropout 0 --epochs 2".split()


def write_pairs(path, pairs):
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), encoding="utf-8")
    return str(path)


@pytest.fixture
def pairs(tmp_path):
    return write_pairs(tmp_path / "pairs.tsv", make_pairs("train", 120))


@pytest.fixture
def checkpoint(tmp_path):
    return tmp_path / "model.pt"


def weights(path):
    return read_checkpoint(path)["model"]


def same(one, other, tolerance):
    torch.testing.assert_close(one, other, rtol=0, atol=tolerance)


def test_train_says_how_it_goes_and_keeps_the_best(pairs, checkpoint, tmp_path, capsys):
    validation = write_pairs(tmp_path / "validation.tsv", make_pairs("held_out", 10))
    main(["train", pairs, "--checkpoint", str(checkpoint), "--validation", validation, *SMALL])
    said = capsys.readouterr().err
    assert re.search(r"120 pairs, \d+,\d+ parameters, 2 epochs to go", said)
    assert re.search(r"epoch 2: \d+ s, loss \d+\.\d+, tokens right \d+\.\d%", said)
    assert re.search(r"validation BLEU \d+\.\d+, kept as .*model\.pt\.best", said)
    assert "BLEU" in read_checkpoint(f"{checkpoint}.best")["notes"]


def test_an_interrupted_and_resumed_training_equals_an_unbroken_one(pairs, checkpoint, tmp_path, monkeypatch):
    main(["train", pairs, "--checkpoint", str(tmp_path / "unbroken.pt"), *SMALL])
    from helpers.training import Trainer

    run_epoch = Trainer.run_epoch

    def stop_in_the_second(trainer, *arguments):
        if trainer.epoch == 1:
            raise KeyboardInterrupt
        run_epoch(trainer, *arguments)

    monkeypatch.setattr(Trainer, "run_epoch", stop_in_the_second)
    with pytest.raises(SystemExit, match="^stopped; go on with --resume$"):
        main(["train", pairs, "--checkpoint", str(checkpoint), *SMALL])
    monkeypatch.undo()
    main(["train", pairs, "--checkpoint", str(checkpoint), "--resume", "--epochs", "2"])
    same(weights(checkpoint), weights(tmp_path / "unbroken.pt"), 0)
    others = write_pairs(tmp_path / "others.tsv", make_pairs("train", 120, seed=1))
    with pytest.raises(SystemExit, match="^error: path: .*model.pt was trained on other pairs; pass those"):
        main(["train", others, "--checkpoint", str(checkpoint), "--resume", "--epochs", "3"])


def test_left_out_lines_are_reported(tmp_path, checkpoint, capsys):
    made = make_pairs("train", 20)
    file = write_pairs(tmp_path / "pairs.tsv", [*made, made[0], ("", "empty"), *made[:5], ("혼자", "")])
    main(["train", file, "--checkpoint", str(checkpoint), *SMALL])
    said = capsys.readouterr().err
    assert "left out 6, duplicate (lines 21, 23, 24, 25, 26, …)" in said
    assert "left out 2, empty side (lines 22, 28)" in said


@pytest.mark.parametrize("beam", ["1", "3"])
def test_translate_keeps_the_lines(pairs, checkpoint, beam):
    main(["train", pairs, "--checkpoint", str(checkpoint), *SMALL])
    lines = ["나는 책을 읽었다", "", "  ", "처음 보는 글자 ☕"] * 30
    command = [sys.executable, "-m", "helpers", "translate", str(checkpoint), "--beam", beam]
    done = subprocess.run(command, cwd=ROOT, input="\n".join(lines), capture_output=True, encoding="utf-8")
    assert done.returncode == 0 and done.stderr == ""
    translated = done.stdout.split("\n")[:-1]
    assert len(translated) == len(lines)
    assert all(not found for line, found in zip(lines, translated, strict=True) if not line.strip())
    assert translated[:4] * 30 == translated


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train nothing.tsv", "path: nothing.tsv cannot be read .*; name a file of pairs"),
        ("train {pairs} --vocab 100", "vocab_size: 100 is too small; use at least"),
        ("train {pairs} --heads 7", "n_heads: 7 does not divide d_model, 256; use a number that does"),
        ("train {pairs} --batch 0", "batch_size: 0 is not a size"),
        ("train {pairs} --device nowhere", "device: nowhere is not to be had here; use cpu"),
        ("train {pairs} --resume", "checkpoint: .* is not there; leave out --resume"),
        ("train {pairs} --columns 0 7", "path: .*pairs.tsv holds no pair .*too few columns 120"),
        ("translate {pairs}", "path: .*pairs.tsv is not a checkpoint .*; name another file"),
        ("translate nothing.pt", "path: nothing.pt is not a checkpoint"),
    ],
)
def test_an_error_is_one_line_that_says_what_to_do(arguments, message, pairs, checkpoint):
    arguments = arguments.format(pairs=pairs).split()
    if arguments[0] == "train":
        arguments += ["--checkpoint", str(checkpoint)]
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert re.match(f"error: {message}", stop.value.code) and "\n" not in stop.value.code
    assert not checkpoint.exists()


def test_a_checkpoint_is_not_overwritten(pairs, checkpoint):
    checkpoint.write_text("mine")
    with pytest.raises(SystemExit, match="is there already; pass --resume, or another --checkpoint"):
        main(["train", pairs, "--checkpoint", str(checkpoint)])
    assert checkpoint.read_text() == "mine"


def test_one_process_and_two_give_the_same_loss(pairs, tmp_path):
    """torchrun with gloo; the last batch has a single sentence, so that one process is left without."""
    write_pairs(tmp_path / "pairs.tsv", make_pairs("train", 113))
    settings = {**os.environ, "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"}
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    for count in (1, 2):
        command = [*torchrun, f"--nproc_per_node={count}", "-m", "helpers", "train", pairs, *SMALL]
        command += ["--checkpoint", str(tmp_path / f"{count}.pt")]
        done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert len(re.findall("^epoch 2:", done.stderr, re.M)) == 1  # the first process alone speaks
    one, two = (read_checkpoint(tmp_path / f"{count}.pt") for count in (1, 2))
    assert len(one["trainer"]["history"]) == len(two["trainer"]["history"]) == 16
    losses = [[loss for loss, _, _ in state["trainer"]["history"]] for state in (one, two)]
    assert losses[1] == pytest.approx(losses[0], abs=1e-4)
    for name, weight in one["model"].items():
        if not name.endswith("w_qkv.bias"):  # the gradient of a key's bias is 0 but for rounding
            same(two["model"][name], weight, 1e-4)


@pytest.mark.skipif(not TATOEBA.exists(), reason="the Tatoeba file is not here")
def test_a_real_file_with_the_target_first(checkpoint, tmp_path, capsys):
    lines = TATOEBA.read_text("utf-8").splitlines()[:200]
    file = tmp_path / "tatoeba.tsv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    small = ["2000" if word == "700" else word for word in SMALL]
    main(["train", str(file), "--columns", "1", "0", "--checkpoint", str(checkpoint), *small])
    assert int(re.search(r"^(\d+) pairs", capsys.readouterr().err, re.M)[1]) > 150
