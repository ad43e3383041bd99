"""Pairs too many for memory: all is as with few, and a kill costs little."""

import re
import shutil
import signal
import subprocess
import sys

import pytest
import torch
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from helpers.__main__ import main
from helpers.commands import data, preprocessing
from helpers.commands.arrow import ArrowPairs
from helpers.commands.bpe import LibraryTokenizer
from helpers.commands.settings import SETTINGS
from helpers.commands.train import StoppableTrainer, learn_tokenizers
from helpers.corpus import make_pairs, reading
from helpers.corpus.reading import load_rows
from helpers.engine.checkpoints import fingerprint, read_checkpoint
from helpers.lesson.translator import open_translator
from helpers.tokenization import BPETokenizer
from notebook_parts import ROOT
from preprocessing_worker import SMALLER
from small_commands import SMALL, write_pairs
from test_main import ENVIRONMENT, refused, same, signal_at, train, weights
from test_tokenization import any_text, texts_of_the_course

FILES = ["about.json", "left_out.json", "texts.arrow", "tokenizers.json"]
FILES += [f"ids-0000{number}.arrow" for number in range(6)]


@pytest.fixture
def smaller(monkeypatch):
    """50 lines are many already; the folder then has six files of ids, the last with less than a chunk."""
    for module, name, value in SMALLER:
        monkeypatch.setattr(module, name, value)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """A file with lines of every kind."""
    made, folder = make_pairs("train", 115), tmp_path_factory.mktemp("pairs")
    lines = [
        *made[:60],
        made[3],
        ("", "empty"),
        ("나는 " * 60, "long"),
        *made[60:],
        ("짧다", "x " * 60),
        made[9],
    ]
    file = write_pairs(folder / "pairs.tsv", lines)
    with open(file, "ab") as end:
        end.write(b"one column\n\xff\tno UTF-8\n")
    return file


@pytest.fixture(scope="module")
def unbroken(pairs, tmp_path_factory):
    """A checkpoint that was trained the large way, its folder beside it, and what was said."""
    checkpoint = tmp_path_factory.mktemp("unbroken") / "model.pt"
    done = worker("nothing", pairs, checkpoint, *SMALL, "--max-len", "40")
    assert done.returncode == 0, done.stderr
    return checkpoint, done.stderr


def worker(last, pairs, checkpoint, *options, count=None):
    """Train in a process that may die, or in so many as torchrun starts them."""
    launch = [sys.executable]
    if count:
        launch += ["-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={count}"]
    command = [*launch, str(ROOT / "tests" / "preprocessing_worker.py"), last, "train", pairs]
    command += ["--checkpoint", str(checkpoint), *options]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=200)


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.rglob("*.*")}


def times(folder):
    """When each file was written."""
    return {file.name: file.stat().st_mtime_ns for file in folder.rglob("*.*")}


def said_of_pairs(text, name):
    """What is said about what was left out, and how many pairs remain; a progress bar may stand before it."""
    return re.findall(rf"{re.escape(name)}: left out .*|(?<!\d)\d+ pairs, .*", text)


@given(st.lists(st.text("가나다 .", max_size=20) | st.text(), max_size=8), st.integers(0, 40), any_text)
def test_the_library_learns_and_encodes_as_we_do(texts, extra, other):
    texts = ["가나다. ", *texts]
    size = 260 + len(set(" ".join(texts))) + extra
    ours, theirs = BPETokenizer(texts, size), LibraryTokenizer(iter(texts), size)
    assert (theirs.alphabet, theirs.merges, theirs.tokens) == (ours.alphabet, ours.merges, ours.tokens)
    for text in [*texts, other]:
        assert theirs.encode(text) == ours.encode(text)


def test_the_library_learns_and_encodes_the_course_as_we_do():
    texts = [*texts_of_the_course(), "<pad> <0x41>" * 99, "가" * 200]
    ours, theirs = BPETokenizer(texts, 4000), LibraryTokenizer(texts, 4000)
    assert len(ours.merges) > 2000
    assert (theirs.alphabet, theirs.merges, theirs.tokens) == (ours.alphabet, ours.merges, ours.tokens)
    for text in [*texts, "☕ 커피"]:
        assert theirs.encode(text) == ours.encode(text)


@pytest.mark.parametrize("size", [100, 262])
def test_a_vocabulary_too_small_is_refused_in_the_same_words(size):
    with pytest.raises(ValueError, match="^vocab_size: ") as ours:
        BPETokenizer(["나는 파리"], size)
    with pytest.raises(ValueError, match=re.escape(str(ours.value))):
        LibraryTokenizer(["나는 파리"], size)


def test_the_pairs_of_a_folder_are_those_in_memory(pairs, unbroken, smaller):
    settings = {name: default for name, (default, _) in SETTINGS.items()} | {"vocab_size": 700, "max_len": 40}
    texts, numbers = data.find_pairs(pairs, settings)
    tokenizers = learn_tokenizers(texts, 700)
    wanted, _ = data.encode_short(pairs, texts, numbers, tokenizers, 40)
    found = preprocessing.open_pairs(pairs, settings, unbroken[0].with_name("model.pt.data"))
    assert len(found) == len(wanted) == 115 and fingerprint(found) == fingerprint(wanted)
    for read in (list(found), [found[index] for index in range(len(found))]):
        for one, other in zip(read, wanted, strict=True):
            same(one, other)


def test_both_ways_say_and_train_the_same(pairs, unbroken, tmp_path, capsys):
    checkpoint, said = unbroken
    train(pairs, tmp_path / "model.pt", *SMALL, "--max-len", "40")
    assert said_of_pairs(said, pairs) == said_of_pairs(capsys.readouterr().err, pairs) != []
    assert not (tmp_path / "model.pt.data").exists()
    one, other = read_checkpoint(checkpoint), read_checkpoint(tmp_path / "model.pt")
    assert one["config"] == other["config"] and one["fingerprint"] == other["fingerprint"]
    same(one["model"], other["model"])
    assert said.splitlines()[-1] == f"{checkpoint}.data stays for --resume; delete it once you train no more"
    assert sorted(contents(checkpoint.with_name("model.pt.data"))) == sorted(FILES)


def test_a_killed_preparation_goes_on_with_what_is_there(pairs, unbroken, tmp_path):
    checkpoint, folder, kept = tmp_path / "model.pt", tmp_path / "model.pt.data", {}
    for last in ("texts.arrow", "tokenizers.json", "ids-00002.arrow", "model.pt"):
        assert worker(last, pairs, checkpoint, *SMALL, "--max-len", "40").returncode == -signal.SIGKILL
        left = times(folder)
        assert last not in left and kept.items() <= left.items()
        assert last == "model.pt" or any(re.fullmatch(rf"{last}\.\d+\.tmp", name) for name in left)
        kept = {name: time for name, time in left.items() if name.endswith((".arrow", "tokenizers.json"))}
    assert contents(folder) == contents(unbroken[0].with_name("model.pt.data"))


def test_resuming_uses_the_folder_and_can_do_without(pairs, unbroken, smaller, tmp_path, monkeypatch):
    checkpoint, folder = tmp_path / "model.pt", tmp_path / "model.pt.data"
    signal_at(monkeypatch, 5)
    with pytest.raises(SystemExit, match="^stopped at step 5; go on with --resume$"):
        train(pairs, checkpoint, *SMALL, "--max-len", "40")
    before = times(folder)
    signal_at(monkeypatch, 11)
    with pytest.raises(SystemExit, match="^stopped at step 11; go on with --resume$"):
        train(pairs, checkpoint, "--resume")
    assert times(folder) == before
    shutil.rmtree(folder)
    train(pairs, checkpoint, "--resume")
    same(weights(checkpoint), weights(unbroken[0]))


def test_two_processes_prepare_and_train_what_one_does(pairs, unbroken, tmp_path):
    checkpoint = tmp_path / "model.pt"
    done = worker("nothing", pairs, checkpoint, *SMALL, "--max-len", "40", count=2)
    assert done.returncode == 0, done.stderr
    folders = [path.with_name("model.pt.data") for path in (checkpoint, unbroken[0])]
    assert contents(folders[0]) == contents(folders[1])
    assert said_of_pairs(done.stderr, pairs) == said_of_pairs(unbroken[1], pairs)
    one, two = read_checkpoint(unbroken[0]), read_checkpoint(checkpoint)
    for name, weight in one["model"].items():
        if not name.endswith("w_k.bias"):  # the gradient of a key's bias is 0 but for rounding
            torch.testing.assert_close(two["model"][name], weight, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("change", "options", "said"),
    [
        (b"more\tpairs\n", [], r"checksum \d+ there, \d+ here"),
        (b"", ["--columns", "1", "0"], r"columns \[0, 1\] there, \[1, 0\] here"),
    ],
)
def test_a_folder_of_other_pairs_is_refused(change, options, said, pairs, unbroken, smaller, tmp_path):
    folder, file = tmp_path / "model.pt.data", tmp_path / "pairs.tsv"
    shutil.copytree(unbroken[0].with_name("model.pt.data"), folder)
    before = contents(folder)
    file.write_bytes(open(pairs, "rb").read() + change)
    line = refused(["train", str(file), "--checkpoint", str(tmp_path / "model.pt"), *SMALL, *options])
    what = f"error: pairs: {folder} was prepared from other pairs than {file} "
    remedy = "; pass those, delete the folder, or pass another --checkpoint"
    assert re.fullmatch(re.escape(what) + rf"\({said}\)" + re.escape(remedy), line)
    assert contents(folder) == before


@pytest.mark.parametrize("left", ["", "half"])
@pytest.mark.parametrize("name", FILES[:5] + ["left_out.json, gone"])
def test_a_damaged_file_of_the_folder_is_told(name, left, pairs, unbroken, smaller, tmp_path):
    folder = tmp_path / "model.pt.data"
    shutil.copytree(unbroken[0].with_name("model.pt.data"), folder)
    [file] = folder.rglob(name.split(",")[0])
    if "gone" in name:
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2 if left else 0])
    line = refused(["train", pairs, "--checkpoint", str(tmp_path / "model.pt"), *SMALL, "--max-len", "40"])
    assert line.startswith(f"error: pairs: {file} is damaged (")
    assert line.endswith(f"); delete {file.parent}, which is then prepared anew")


def test_a_file_with_too_few_pairs_is_told(pairs, unbroken, smaller, tmp_path):
    folder = tmp_path / "model.pt.data"
    shutil.copytree(unbroken[0].with_name("model.pt.data"), folder)
    shutil.copy(folder / "700" / "ids-00005.arrow", folder / "700" / "ids-00002.arrow")
    line = refused(["train", pairs, "--checkpoint", str(tmp_path / "model.pt"), *SMALL, "--max-len", "40"])
    assert f"{folder / '700'}" in line and "115 pairs" not in line and "in texts.arrow); delete" in line


def test_what_is_the_readers_stays_in_the_folder(pairs, smaller, tmp_path):
    folder = tmp_path / "model.pt.data"
    folder.mkdir()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    mine, left = folder / "notes.tmp", folder / f"texts.arrow.{ended.pid}.tmp"
    for file in (mine, left):
        file.write_text("half")
    train(pairs, tmp_path / "model.pt", *SMALL)
    assert mine.read_text() == "half" and not left.exists()


def test_lengths_are_known_without_reading_a_token(pairs, unbroken, smaller, monkeypatch):
    settings = {"vocab_size": 700, "max_len": 40}
    found = preprocessing.open_pairs(pairs, settings, unbroken[0].with_name("model.pt.data"))
    model = open_translator(unbroken[0])[0]
    trainer = StoppableTrainer(model, found, batch_size=16, warmup_steps=10)
    wanted = [(len(tgt), len(src)) for src, tgt in found]
    monkeypatch.setattr(ArrowPairs, "__iter__", None)
    assert trainer.lengths() == wanted


def test_the_pairs_to_validate_on_are_looked_for_among_all(pairs, smaller, tmp_path, capsys):
    validation = write_pairs(tmp_path / "validation.tsv", [make_pairs("train", 115)[-1], ("가", "a")])
    train(pairs, tmp_path / "model.pt", *SMALL, "--validation", validation, "--epochs", "1")
    assert f"{validation}: 1 of 2 pairs are trained on, too" in capsys.readouterr().err


def test_another_vocabulary_uses_the_texts_that_are_there(pairs, smaller, tmp_path):
    checkpoint, folder = tmp_path / "model.pt", tmp_path / "model.pt.data"
    line = refused(["train", pairs, "--checkpoint", str(checkpoint), *SMALL, "--vocab-size", "270"])
    assert line.startswith("error: vocab_size: 270 is too small; use at least ")
    before = times(folder)
    train(pairs, checkpoint, *SMALL, "--vocab-size", "600")
    assert before.keys() == {"about.json", "left_out.json", "texts.arrow"}
    assert before.items() <= times(folder).items() and len(open_translator(checkpoint)[1]) == 600


def test_no_pair_and_none_short_enough(smaller, pairs, tmp_path):
    options = ["--checkpoint", str(tmp_path / "model.pt"), *SMALL]
    empty = write_pairs(tmp_path / "empty.tsv", [("", "")] * 60)
    line = refused(["train", empty, *options])
    assert line.startswith(f"error: path: {empty} holds no pair (too few columns 0, empty side 60, ")
    shutil.rmtree(tmp_path / "model.pt.data")
    line = refused(["train", pairs, *options, "--max-len", "1"])
    assert line == f"error: max_len: value is 1, but all pairs of {pairs} are longer; raise --max-len"


@pytest.mark.parametrize("missing", ["datasets", "tokenizers"])
def test_a_missing_library_is_one_line(missing, pairs, smaller, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    for module in ("helpers.commands.preprocessing", "helpers.commands.arrow", "helpers.commands.bpe"):
        monkeypatch.delitem(sys.modules, module)
        monkeypatch.delattr(module)
    line = refused(["train", pairs, "--checkpoint", str(tmp_path / "model.pt"), *SMALL])
    what = f"error: pairs: {pairs} has 200,000 lines or more, which needs the {missing} library"
    assert line == f"{what}; pip install datasets tokenizers"


def test_a_data_set_by_name_is_prepared_too(smaller, tmp_path, monkeypatch, capsys):
    rows = [{"translation": {"ko": korean, "en": english}} for korean, english in make_pairs("train", 60)]
    rows = Dataset.from_list([*rows, rows[0], {"translation": {"ko": None, "en": "x"}}])
    asked = []
    monkeypatch.setattr("datasets.load_dataset", lambda *name, split: asked.append(name) or rows)
    load_rows.cache_clear()
    monkeypatch.setattr(reading, "_look_up", lambda name: None)
    train("opus100,en-ko", tmp_path / "large.pt", *SMALL)
    said = said_of_pairs(capsys.readouterr().err, "opus100,en-ko")
    monkeypatch.setattr(data, "LARGE", 200_000)
    train("opus100,en-ko", tmp_path / "small.pt", *SMALL)
    assert said == said_of_pairs(capsys.readouterr().err, "opus100,en-ko") and len(said) == 3
    same(weights(tmp_path / "large.pt"), weights(tmp_path / "small.pt"))
    assert asked == [("opus100", "en-ko")]  # once, however often it is needed


def test_a_data_set_that_is_not_found_is_asked_for_once(tmp_path, monkeypatch, caplog):
    asked = []

    def no_network(api, name, timeout):
        asked.append(name)
        raise ConnectionError

    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", no_network)
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("time.sleep", asked.append)
    line = refused(["train", "mistyped/name", "--checkpoint", str(tmp_path / "model.pt"), *SMALL])
    assert line == (
        "error: name: mistyped/name cannot be loaded (ConnectionError); check name, split and network"
    )
    assert asked == ["mistyped/name"] and caplog.records == []


def test_ctrl_c_while_preparing_says_what_stays(pairs, smaller, tmp_path, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(preprocessing, "LibraryTokenizer", interrupted)
    with pytest.raises(SystemExit) as stop:
        train(pairs, tmp_path / "model.pt", *SMALL)
    folder = tmp_path / "model.pt.data"
    assert stop.value.code == f"stopped; nothing was saved yet, but what is prepared stays in {folder}"
    assert sorted(contents(folder)) == ["about.json", "left_out.json", "texts.arrow"]


def test_what_is_large_is_stated(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    stated = [capsys.readouterr().out, *(ROOT / "docs" / "own_sentences.md").read_text("utf-8").splitlines()]
    assert sum(f"{data.LARGE:,}" in text for text in stated) == 3  # the help, and the page in both languages


def test_the_command_line_begins_without_the_libraries():
    code = "import sys, helpers.__main__; print({'datasets', 'pyarrow', 'tokenizers'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.stdout == "set()\n"
