"""The command line: train, stop, resume, translate; one line for an error; nothing is lost."""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
import torch

from helpers.__main__ import main
from helpers.commands import data, settings
from helpers.commands import train as train_command
from helpers.commands import translate as translate_command
from helpers.corpus import make_pairs
from helpers.engine.checkpoints import read_checkpoint
from helpers.engine.files import lock
from helpers.lesson.translator import course_translator, open_translator, translate_texts
from helpers.training import Trainer, inverse_sqrt, linear_cooldown
from notebook_parts import ROOT
from small_commands import SMALL, write_pairs

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1", "PYTHONPATH": str(ROOT)}


@pytest.fixture
def pairs(tmp_path):
    return write_pairs(tmp_path / "pairs.tsv", make_pairs("train", 120))


@pytest.fixture
def validation(tmp_path):
    return write_pairs(tmp_path / "validation.tsv", make_pairs("held_out", 10))


@pytest.fixture
def checkpoint(tmp_path):
    return tmp_path / "model.pt"


@pytest.fixture
def trained(pairs, checkpoint):
    main(["train", pairs, "--checkpoint", str(checkpoint), *SMALL])
    return checkpoint


def train(pairs, checkpoint, *options):
    main(["train", pairs, "--checkpoint", str(checkpoint), *options])


def refused(arguments):
    """The one line with which a command ends."""
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert "\n" not in stop.value.code
    return stop.value.code


def weights(path):
    return read_checkpoint(path)["model"]


def same(one, other):
    torch.testing.assert_close(one, other, rtol=0, atol=0)


def signal_at(monkeypatch, step, kind=signal.SIGINT, times=1):
    """Send a signal in the middle of a step."""
    take_step = Trainer.take_step

    def step_with_signal(trainer, batch):
        for _ in range(times if trainer.step + 1 == step else 0):
            signal.raise_signal(kind)
        take_step(trainer, batch)

    monkeypatch.setattr(Trainer, "take_step", step_with_signal)


def test_train_says_how_it_goes_and_keeps_the_best(pairs, validation, checkpoint, capsys):
    train(pairs, checkpoint, "--validation", validation, *SMALL)
    said = capsys.readouterr().err
    assert re.search(r"120 pairs, \d+,\d+ parameters, 2 epochs to go", said)
    assert re.search(r"epoch 2: \d+ s, loss \d+\.\d+, token accuracy \d+\.\d%", said)
    assert re.search(r"validation BLEU \d+\.\d+, kept as .*model\.pt\.best", said)
    assert read_checkpoint(checkpoint)["config"]["bleu"].keys() == {1, 2}
    assert open_translator(f"{checkpoint}.best")


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_and_resumed_training_equals_an_unbroken_one(
    kind, pairs, trained, tmp_path, monkeypatch, capsys
):
    stopped, before = tmp_path / "stopped.pt", signal.getsignal(signal.SIGINT)
    signal_at(monkeypatch, 11, kind=kind)
    with pytest.raises(SystemExit, match="^stopped at step 11; go on with --resume$"):
        train(pairs, stopped, *SMALL)
    assert read_checkpoint(stopped)["trainer"]["step"] == 11
    monkeypatch.undo()
    train(pairs, stopped, "--resume")
    same(weights(stopped), weights(trained))
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_leaves_at_once(pairs, checkpoint, monkeypatch):
    signal_at(monkeypatch, 3, times=2)
    with pytest.raises(SystemExit, match="^stopped; nothing was saved yet$"):
        train(pairs, checkpoint, *SMALL)
    assert not checkpoint.exists()


def test_ctrl_c_before_the_first_step_says_that_nothing_was_saved(pairs, checkpoint, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(train_command, "find_pairs", interrupted)
    with pytest.raises(SystemExit, match="^stopped; nothing was saved yet$"):
        train(pairs, checkpoint, *SMALL)
    assert not checkpoint.exists()


def test_a_validation_that_was_stopped_is_made_up(pairs, validation, checkpoint, monkeypatch):
    def stop(*arguments):
        signal.raise_signal(signal.SIGINT)
        return translate_texts(*arguments)

    one_epoch = ["--validation", validation, *SMALL, "--epochs", "1"]
    monkeypatch.setattr(train_command, "translate_texts", stop)
    monkeypatch.setattr(train_command, "VALIDATED_AT_ONCE", 5)
    with pytest.raises(SystemExit, match="^stopped at step 8; go on with --resume$"):
        train(pairs, checkpoint, *one_epoch)
    best = checkpoint.with_name("model.pt.best")
    assert not best.exists() and read_checkpoint(checkpoint)["config"]["bleu"] == {}
    monkeypatch.undo()
    train(pairs, checkpoint, "--resume")
    assert best.exists() and read_checkpoint(checkpoint)["config"]["bleu"].keys() == {1}


def test_pairs_to_validate_on_that_are_trained_on_are_counted(pairs, checkpoint, tmp_path, capsys):
    some = [*make_pairs("train", 120)[:3], *make_pairs("held_out", 2)]
    validation = write_pairs(tmp_path / "validation.tsv", some)
    train(pairs, checkpoint, "--validation", validation, *SMALL, "--epochs", "1")
    said = capsys.readouterr().err
    what = f"{validation}: 3 of 5 pairs are trained on, too, so that BLEU will be better than it is on new"
    assert what in said and ", 1 epoch to go\n" in said


def test_bleu_is_measured_on_one_set_of_pairs(pairs, validation, checkpoint, tmp_path):
    train(pairs, checkpoint, "--validation", validation, *SMALL, "--epochs", "1")
    best = checkpoint.with_name("model.pt.best")
    before = checkpoint.read_bytes(), best.read_bytes()
    others = write_pairs(tmp_path / "others.tsv", make_pairs("held_out", 10, seed=1))
    resume = ["train", pairs, "--checkpoint", str(checkpoint), "--resume", "--epochs", "2", "--validation"]
    what = f"error: validation: the pairs of {others} are not those that BLEU was measured on so far"
    assert refused([*resume, others]) == f"{what}; pass those, or train anew"
    assert (checkpoint.read_bytes(), best.read_bytes()) == before
    main([*resume, str(shutil.copy(validation, tmp_path / "moved.tsv"))])
    assert read_checkpoint(checkpoint)["config"]["bleu"].keys() == {1, 2}


def test_the_course_has_small_settings_and_validates_on_other_sentences(checkpoint, monkeypatch, capsys):
    monkeypatch.setattr(data, "COURSE", {"train": ("train", 300), "validation": ("held_out", 4)})
    train("course", checkpoint, "--validation", "course", "--epochs", "1", "--vocab-size", "700")
    assert "trained on, too" not in capsys.readouterr().err
    config = read_checkpoint(checkpoint)["config"]
    of_course = settings.OF_COURSE | {"epochs": 1, "vocab_size": 700}
    assert of_course.items() <= config["training"].items() and config["options"]["d_ff"] == 256
    assert config["bleu"].keys() == {1}


def test_resume_takes_every_setting_from_the_checkpoint(pairs, tmp_path, monkeypatch):
    own = "--batch-size 8 --lr-scale 0.2 --label-smoothing 0.2 --warmup-steps 7 --seed 3 --bf16 --post-ln"
    own = [*SMALL, *own.split(), "--epochs", "3", "--max-len", "50"]
    train(pairs, tmp_path / "unbroken.pt", *own)
    signal_at(monkeypatch, 20)
    with pytest.raises(SystemExit):
        train(pairs, tmp_path / "stopped.pt", *own)
    monkeypatch.undo()
    train(pairs, tmp_path / "stopped.pt", "--resume")
    states = [read_checkpoint(tmp_path / name) for name in ("unbroken.pt", "stopped.pt")]
    same(states[0]["model"], states[1]["model"])
    assert states[0]["config"] == states[1]["config"] and states[0]["trainer"] == states[1]["trainer"]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--n-heads 7", "n_heads: value is 7, but the checkpoint has 2; leave out --n-heads, or train anew"),
        ("--d-model 64", "d_model: value is 64, but the checkpoint has 16; leave out --d-model"),
        ("--bf16", "bf16: value is True, but the checkpoint has False; leave out --bf16"),
        ("--batch-size 8", "batch_size: value is 8, but the checkpoint has 16"),
        ("--columns 1 0", r"columns: value is \[1, 0\], but the checkpoint has \[0, 1\]"),
        ("--epochs 1", "epochs: value is 1, but the checkpoint has 2"),
        ("--epochs 2", "epochs: 2 of 2 are already complete; raise --epochs"),
        ("", "epochs: 2 of 2 are already complete; raise --epochs"),
    ],
)
def test_an_option_that_contradicts_the_checkpoint_is_refused(option, message, pairs, trained):
    before = trained.read_bytes()
    line = refused(["train", pairs, "--checkpoint", str(trained), "--resume", *option.split()])
    assert re.match(f"error: {message}", line) and trained.read_bytes() == before


def test_epochs_can_be_raised_when_all_are_done_and_not_before(pairs, trained, tmp_path, monkeypatch):
    train(pairs, trained, "--resume", "--epochs", "3")
    state = read_checkpoint(trained)["trainer"]
    rates = [0.4 * inverse_sqrt(step, 16, 400) * linear_cooldown(step, 24) for step in range(17, 25)]
    assert state["epoch"] == 3 and [lr for _, _, lr in state["history"][16:]] == pytest.approx(rates)
    signal_at(monkeypatch, 5)
    with pytest.raises(SystemExit):
        train(pairs, tmp_path / "stopped.pt", *SMALL)
    line = refused(
        ["train", pairs, "--checkpoint", str(tmp_path / "stopped.pt"), "--resume", "--epochs", "9"]
    )
    assert line.startswith("error: epochs: value is 9, but the checkpoint has 2; leave out --epochs")


def test_other_pairs_are_refused(trained, tmp_path):
    others = write_pairs(tmp_path / "others.tsv", make_pairs("train", 120, seed=1))
    line = refused(["train", others, "--checkpoint", str(trained), "--resume", "--epochs", "3"])
    assert re.match("error: path: .*model.pt was trained on other pairs; pass those", line)


def test_a_checkpoint_of_the_notebooks_is_not_resumed(pairs, checkpoint):
    course_translator(checkpoint, pair_count=200, epochs=1)
    line = refused(["train", pairs, "--checkpoint", str(checkpoint), "--resume"])
    what = f"error: checkpoint: {checkpoint} was not written by train"
    assert line == f"{what}; leave out --resume, and name another --checkpoint"


def test_left_out_lines_are_reported(tmp_path, checkpoint, capsys):
    made = make_pairs("train", 20)
    long = "나는 " * 60
    lines = [*made, made[0], ("", "empty"), *made[:5], ("혼자", ""), (long, "long"), ("짧다", "x " * 60)]
    file = write_pairs(tmp_path / "pairs.tsv", lines)
    train(file, checkpoint, *SMALL, "--max-len", "40")
    said = capsys.readouterr().err
    assert "left out 6, duplicate (lines 21, 23, 24, 25, 26, …)" in said
    assert "left out 2, empty side (lines 22, 28)" in said
    assert "left out 2, longer than max_len, 40 tokens (lines 29, 30)" in said
    assert "20 pairs" in said


def test_a_long_line_of_the_validation_does_not_stop_training(pairs, checkpoint, tmp_path, capsys):
    held_out = [*make_pairs("held_out", 5), ("나는 " * 45, "long"), ("나는 " * 300, "longer")]
    validation = write_pairs(tmp_path / "validation.tsv", held_out)
    train(pairs, checkpoint, "--validation", validation, *SMALL, "--max-len", "60")
    said = capsys.readouterr().err
    assert "validation.tsv: left out 1, longer than max_len, 60 tokens (line 7)" in said
    assert said.count("validation BLEU") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train nothing.tsv", "path: nothing.tsv cannot be read .*; name a file of pairs"),
        ("train {pairs} --vocab-size 100", "vocab_size: 100 is too small; use at least"),
        ("train {pairs} --columns 0 7", "path: .*pairs.tsv holds no pair .*too few columns 120"),
        ("train {pairs} --max-len 1", "max_len: value is 1, but all pairs of .* are longer; raise --max-len"),
        ("train nothing.tsv --n-heads 7", "n_heads: .*7 "),
        ("train nothing.tsv --batch-size 0", "batch_size: "),
        ("train nothing.tsv --epochs 0", "epochs: "),
        (
            "train nothing.tsv --device nowhere",
            "device: value is nowhere, which cannot compute here; use cpu",
        ),
        ("train nothing.tsv --device meta", "device: value is meta, which cannot compute here; use cpu"),
        ("train nothing.tsv --tokenize wrong", "tokenize: value is wrong, .*; use one of none, "),
        ("train nothing.tsv --dropout nan", "dropout: value is nan; use a number from 0, below 1"),
        ("train nothing.tsv --label-smoothing 1.5", "label_smoothing: value is 1.5; use a number from 0"),
        ("train nothing.tsv --label-smoothing nan", "label_smoothing: value is nan; use"),
        ("train nothing.tsv --label-smoothing -0.1", "label_smoothing: value is -0.1; use"),
        ("train nothing.tsv --lr-scale inf", "lr_scale: value is inf; use a number above 0"),
        ("train nothing.tsv --seed -1", "seed: value is -1; use an integer from 0"),
        ("train {pairs} --resume", "checkpoint: .* is not there; leave out --resume"),
        ("translate {pairs}", "path: .*pairs.tsv is not a checkpoint .*; name another file"),
        ("translate nothing.pt", "path: nothing.pt cannot be read"),
        ("translate nothing.pt --beam 0", "beam: "),
        ("translate nothing.pt --beam 100000", "beam: value is 100000; use at most 1000"),
        ("translate nothing.pt --device meta", "device: value is meta"),
    ],
)
def test_an_error_is_one_line_that_says_what_to_do(arguments, message, pairs, checkpoint):
    arguments = arguments.format(pairs=pairs).split()
    if arguments[0] == "train":
        arguments = [*arguments[:2], "--checkpoint", str(checkpoint), *SMALL, *arguments[2:]]
    assert re.match(f"error: {message}", refused(arguments))
    assert not checkpoint.exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="here cuda can compute")
def test_cuda_is_refused_where_there_is_none(pairs, checkpoint):
    line = refused(["train", pairs, "--checkpoint", str(checkpoint), "--device", "cuda"])
    assert line == "error: device: value is cuda, which cannot compute here; use cpu"


def test_a_wrong_option_is_one_line(pairs, capsys):
    with pytest.raises(SystemExit):
        main(["train", pairs, "--dropout", "much"])
    assert capsys.readouterr().err == "error: argument --dropout: invalid float value: 'much'\n"


def test_a_diverging_run_ends_in_one_line_and_keeps_its_checkpoint(pairs, checkpoint):
    line = refused(["train", pairs, "--checkpoint", str(checkpoint), *SMALL, "--lr-scale", "1e30"])
    assert re.match(r"error: loss: value is nan at step \d+, .*; lower lr_scale, which is 1e\+30", line)
    assert not checkpoint.exists()  # it failed in the first epoch


def test_a_checkpoint_is_not_overwritten(pairs, checkpoint):
    checkpoint.write_text("mine")
    line = refused(["train", pairs, "--checkpoint", str(checkpoint)])
    assert "is there already; pass --resume, or another --checkpoint" in line
    assert checkpoint.read_text() == "mine"


def test_the_best_of_an_earlier_training_is_not_overwritten(pairs, validation, checkpoint):
    best = checkpoint.with_name("model.pt.best")
    best.write_text("mine")
    line = refused(["train", pairs, "--checkpoint", str(checkpoint), "--validation", validation, *SMALL])
    assert line == (
        f"error: checkpoint: {best} is there already, from another training; move it away, or pass another "
        "--checkpoint"
    )
    assert best.read_text() == "mine" and not checkpoint.exists()


def test_a_training_leaves_nothing_but_its_checkpoint(trained, pairs):
    assert sorted(trained.parent.iterdir()) == [trained, Path(pairs)]


def test_two_trainings_do_not_share_a_path(pairs, checkpoint):
    with lock(checkpoint):
        line = refused(["train", pairs, "--checkpoint", str(checkpoint), *SMALL])
    assert line == f"error: path: {checkpoint} is in use by another training; name another file"


@pytest.mark.skipif(os.name == "nt", reason="there no process may be asked whether it runs")
def test_what_a_killed_training_left_is_cleared_away(pairs, checkpoint):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = [checkpoint.with_name(f"model.pt{end}.{ended.pid}.tmp") for end in ("", ".best")]
    for file in left:
        file.write_text("half")
    train(pairs, checkpoint, *SMALL)
    assert not any(file.exists() for file in left)


def test_a_folder_is_refused_before_training(pairs, tmp_path):
    line = refused(["train", pairs, "--checkpoint", str(tmp_path), *SMALL])
    assert line == f"error: path: {tmp_path} is a folder; name a file in it"


def test_a_rank_without_other_processes_is_that_of_no_process(pairs, checkpoint, monkeypatch, capsys):
    monkeypatch.setenv("RANK", "1")
    train(pairs, checkpoint, *SMALL)
    assert checkpoint.exists() and "epoch 2:" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="pipes end in another way there")
def test_training_goes_on_when_nobody_reads_what_it_says(pairs, checkpoint):
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "helpers", "train", pairs, "--checkpoint", str(checkpoint), *SMALL]
    os.close(reader)
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, stdout=writer, stderr=writer, timeout=120)
    os.close(writer)
    assert done.returncode == 0 and read_checkpoint(checkpoint)["trainer"]["epoch"] == 2


def translate(checkpoint, data, *options):
    """What the command makes of bytes: exit status, lines of output, and of standard error."""
    command = [sys.executable, "-m", "helpers", "translate", str(checkpoint), *options]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, input=data, capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode().split("\n")[:-1], done.stderr.decode().splitlines()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A translator that says something: the course's, barely trained."""
    path = tmp_path_factory.mktemp("course") / "translator.pt"
    course_translator(path, pair_count=3000, epochs=3)
    return path


@pytest.mark.parametrize("beam", ["1", "3"])
def test_translate_keeps_the_lines(course, beam):
    lines = ["나는 책을 읽었다", "", "  ", "처음 보는 글자 ☕"] * 30
    status, translated, errors = translate(course, "\n".join(lines).encode(), "--beam", beam)
    assert status == 0 and errors == [] and len(translated) == len(lines)
    assert [not found for found in translated] == [not line.strip() for line in lines]
    assert translated[:4] * 30 == translated


def test_translate_reads_every_spelling_of_a_line(course):
    line = "나는 책을 읽었다"
    variants = [line, unicodedata.normalize("NFD", line), f" {line}\r", line.replace(" ", "\r", 1)]
    data = b"\xef\xbb\xbf" + "\n".join(variants).encode()
    status, translated, errors = translate(course, data)
    assert (status, errors) == (0, [])
    assert len(translated) == 4 and len(set(translated)) == 1 and translated[0]


def test_a_line_that_cannot_be_translated_is_told_by_its_number(course):
    line = "나는 책을 읽었다".encode()
    status, translated, errors = translate(course, b"\n".join([line, b"\xff", line, b"x " * 6000, line]))
    assert status == 0 and translated[1] == translated[3] == ""
    assert translated[0] == translated[2] == translated[4] != ""
    assert errors[0] == "line 2: not UTF-8; left empty"
    assert re.fullmatch(r"line 4: \d+ tokens, but max_len is 5000; left empty", errors[1])


def test_a_model_that_is_not_finite_is_refused(trained, monkeypatch):
    state = read_checkpoint(trained)
    state["model"]["generator.linear.bias"][:] = float("nan")
    torch.save(state, trained)
    line = refused(["translate", str(trained), "--beam", "4"])
    assert re.match("error: path: the weights for .*model.pt are not finite; train with a lower", line)


def test_a_checkpoint_without_tokenizers_is_refused(trained):
    state = read_checkpoint(trained)
    torch.save({**state, "config": {}}, trained)
    line = refused(["translate", str(trained)])
    assert re.match("error: path: .*no model with tokenizers in it; pass translator_config", line)


def test_a_published_translator_that_is_not_finite_is_refused(tmp_path, monkeypatch):
    model = torch.nn.Linear(1, 1)
    torch.nn.init.constant_(model.bias, float("nan"))
    monkeypatch.setattr(translate_command, "load_marian", lambda name: (model, None, None))
    what = f"error: checkpoint: {tmp_path} has weights that are not finite; name another translator"
    assert refused(["translate", str(tmp_path)]) == what


def test_many_beams_share_the_rows_that_fit(course, monkeypatch):
    sizes = []

    def note(model, texts, *tokenizers, num_beams):
        sizes.append((len(texts), num_beams))
        return texts

    monkeypatch.setattr("helpers.lesson.engines.translate_texts", note)
    lines = io.TextIOWrapper(io.BytesIO("나는 책을 읽었다\n".encode() * 5))
    monkeypatch.setattr("sys.stdin", lines)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO()))
    main(["translate", str(course), "--beam", "200"])
    assert sizes == [(2, 200), (2, 200), (1, 200)]


@pytest.mark.parametrize(
    "change",
    [
        lambda side: side["alphabet"].__setitem__(0, "가나"),
        lambda side: side["alphabet"].__setitem__(0, "\ud800"),
        lambda side: side["alphabet"].__setitem__(0, side["alphabet"][1]),
        lambda side: side["merges"].append(("가나", "다")),
        lambda side: side.pop("merges"),
    ],
)
def test_a_checkpoint_with_an_odd_tokenizer_is_refused(change, trained):
    state = read_checkpoint(trained)
    change(state["config"]["tgt_tokenizer"])
    torch.save(state, trained)
    for command in (["translate", str(trained)], ["page", str(trained), str(trained.with_name("p.html"))]):
        assert re.match("error: path: .*no model with tokenizers in it; pass", refused(command))


def test_a_page_does_not_take_the_place_of_its_checkpoint(trained):
    before = trained.read_bytes()
    page = trained.rename(trained.with_suffix(".html"))
    os.link(page, page.with_name("same.html"))
    for name in (page, page.with_name("same.html")):
        line = refused(["page", str(page), str(name)])
        assert line == f"error: page: {name} is the checkpoint itself; name another file"
    assert page.read_bytes() == before


def test_the_target_may_stand_first(checkpoint, tmp_path, capsys):
    file = write_pairs(tmp_path / "pairs.tsv", [(b, a) for a, b in make_pairs("train", 60)])
    train(file, checkpoint, "--columns", "1", "0", *SMALL)
    assert re.search(r"^60 pairs", capsys.readouterr().err, re.M)
    _, korean, english = open_translator(checkpoint)
    assert "나" in "".join(korean.alphabet) and "나" not in "".join(english.alphabet)
