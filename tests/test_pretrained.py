"""Marians of any shape in our Transformer: equal logits, equal texts; from a folder; and what is refused."""

import argparse
import ast
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter

import pytest
import torch
from transformers import MarianMTModel, MarianTokenizer

from helpers.commands import translate
from helpers.corpus import make_pairs
from helpers.decoding import beam_search, generate
from helpers.lesson import table
from helpers.lesson.translator import translate_texts
from helpers.published import toy_marian
from helpers.published.gpt2 import ACTIVATION_NAMES
from helpers.published.marian import from_marian, load_marian
from helpers.published.toy_marian import publish_marian
from marian import marian
from notebook_parts import ROOT, code_cells, prose_cells, read, trees
from twins import change_weights

SENTENCES = ["나는 최근 파리 여행을 다녀왔다", "유나는 어제 런던 여행을 다녀왔다", "비", "처음 보는 글자 ☕"]
OFFLINE = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


def any_marian(seed):
    """A Marian of a random shape."""
    rng = random.Random(seed)
    n_heads = rng.choice([1, 2, 3, 4])
    vocab_size = rng.randint(12, 60)
    options = {
        "activation_function": rng.choice(list(ACTIVATION_NAMES)),
        "tie_word_embeddings": rng.random() < 0.7,
        "decoder_start_token_id": rng.choice([vocab_size - 1, 1]),  # padding, as in most; or another
    }
    if rng.random() < 0.3:
        options |= {"share_encoder_decoder_embeddings": False, "decoder_vocab_size": vocab_size + 3}
    d_model = n_heads * rng.choice([2, 4, 5, 8])
    model = marian(
        vocab_size, d_model, n_heads, rng.randint(3, 40), rng.randint(1, 3), max_len=32, seed=seed, **options
    )
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "norm" in name or name.endswith("bias"):  # else they are 1 and 0, and could be mixed up
                weight.add_(0.3 * torch.randn(weight.shape))
        model.final_logits_bias.add_(torch.randn(model.final_logits_bias.shape))
        model.final_logits_bias[:, model.config.pad_token_id] = -1e9
    return model


@pytest.mark.parametrize("seed", range(25))
@torch.no_grad()
def test_logits_and_texts_of_any_shape(seed):
    theirs = any_marian(seed)
    ours, config = from_marian(theirs), theirs.config
    pad, eos, bos = config.pad_token_id, config.eos_token_id, ours.generator.linear.out_features - 1
    generator = torch.Generator().manual_seed(seed)
    src = torch.randint(1, pad, (4, 7), generator=generator)
    tgt = torch.randint(1, pad, (4, 6), generator=generator)
    src[1, 4:] = src[2, 1:] = pad
    attended = {"input_ids": src, "attention_mask": (src != pad).long()}
    start = torch.full((4, 1), config.decoder_start_token_id)
    wanted = theirs(**attended, decoder_input_ids=torch.cat([start, tgt], dim=1)).logits
    logits = ours(src, torch.cat([torch.full((4, 1), bos), tgt], dim=1))
    torch.testing.assert_close(logits[..., :bos], wanted, rtol=0, atol=1e-5)
    assert (logits[..., bos] <= -1e8).all()

    def texts(**options):
        ids = theirs.generate(**attended, do_sample=False, max_new_tokens=9, **options)[:, 1:].tolist()
        return [[id for id in row if id not in (eos, pad)] for row in ids]

    assert generate(ours, src, bos, eos, 9) == texts(num_beams=1)
    found = beam_search(ours, src, bos, eos, 9, 3, 1.0, penalty=lambda length, alpha: length**alpha)
    assert [best[0][1] for best in found] == texts(num_beams=3, length_penalty=1.0, early_stopping="never")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("published") / "marian"
    publish_marian(folder)
    return folder


def their_texts(folder, **options):
    """What the transformers library writes, without our code."""
    model, tokenizer = MarianMTModel.from_pretrained(folder), MarianTokenizer.from_pretrained(folder)
    inputs = tokenizer(SENTENCES, return_tensors="pt", padding=True)
    limit = 2 * inputs.input_ids.size(1) + 10
    ids = model.generate(**inputs, do_sample=False, max_new_tokens=limit, max_length=None, **options)
    return tokenizer.batch_decode(ids, skip_special_tokens=True)


@pytest.mark.filterwarnings("ignore:Recommended")
def test_a_folder_translates_as_the_transformers_library_does(folder):
    model, *tokenizers = load_marian(folder)
    texts = translate_texts(model, SENTENCES, *tokenizers)
    assert texts == their_texts(folder, num_beams=1)
    assert texts[0] != texts[1] and all(texts)


def test_what_is_published_already_is_only_opened(folder):
    written = (folder / "model.safetensors").stat().st_mtime_ns
    theirs, pieces = publish_marian(folder)
    assert (folder / "model.safetensors").stat().st_mtime_ns == written
    model, tokenizer, _ = load_marian(folder)
    assert tokenizer.encode(SENTENCES[0]) == pieces(SENTENCES[0]).input_ids
    torch.testing.assert_close(model.src_embed.tokens.weight[:-1], theirs.model.shared.weight)


def test_a_folder_is_published_whole_or_not_at_all(tmp_path, monkeypatch):
    def stop_before_the_weights(model, folder):
        model.config.save_pretrained(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(toy_marian, "train_marian", lambda *arguments: None)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(MarianMTModel, "save_pretrained", stop_before_the_weights)
        publish_marian(tmp_path / "marian", pair_count=2000)
    assert not list(tmp_path.iterdir())
    publish_marian(tmp_path / "marian", pair_count=2000)
    assert [file.name for file in tmp_path.iterdir()] == ["marian"]


LINES = "\n".join([*SENTENCES[:2], "", *SENTENCES[2:]]).encode()


def their_lines(folder, num_beams):
    """What `translate` prints for LINES."""
    model, *tokenizers = load_marian(folder)
    texts = translate_texts(model, SENTENCES, *tokenizers, num_beams=num_beams)
    texts = [" ".join(text.split()) for text in texts]
    return [*texts[:2], "", *texts[2:]]


def test_the_command_translates_with_a_folder(folder):
    command = [sys.executable, "-m", "helpers", "translate", str(folder), "--beam", "4"]
    done = subprocess.run(command, cwd=ROOT, env=OFFLINE, input=LINES, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert done.stdout.decode().split("\n")[:-1] == their_lines(folder, 4)


def test_the_command_translates_greedily(folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LINES)))
    translate.run(argparse.Namespace(checkpoint=str(folder), beam=1, device="cpu"))
    assert capsys.readouterr().out.split("\n")[:-1] == their_lines(folder, 1)


def test_the_folded_code_of_chapter_17_scores_a_published_translator(folder, capsys):
    """A name needs a network: a folder takes its place, and sentences of the course those of programs."""
    nb = read(ROOT / "notebooks" / "17_human_sentences.ipynb")
    [folded] = [source for _, source in prose_cells(nb) if "load_marian(" in source]
    [code] = re.findall(r"```python\n(.*?)```", folded, re.S)
    names = {"torch": torch, "Counter": Counter, "table": table, "translate_texts": translate_texts}
    [scores] = [cell.source for _, cell in code_cells(nb) if "def chrf(" in cell.source]
    [sums] = [node for _, tree in trees(nb) for node in tree.body if getattr(node, "name", "") == "sums_of"]
    exec(scores + "\n" + ast.unparse(sums), names)
    names["tests"] = {name: make_pairs("train", 10, seed) for seed, name in enumerate(("known", "unseen"))}
    capsys.readouterr()
    exec(code.replace('"Helsinki-NLP/opus-mt-ko-en"', repr(str(folder))), names)
    found = re.findall(r"^(\w+) +\d+\.\d +(\d+\.\d)$", capsys.readouterr().out, re.M)
    assert [name for name, _ in found] == ["known", "unseen"] and all(float(chrf) > 20 for _, chrf in found)


def test_a_name_without_a_network_is_refused_in_one_line():
    command = [sys.executable, "-m", "helpers", "translate", "Helsinki-NLP/opus-mt-ko-en"]
    done = subprocess.run(command, cwd=ROOT, env=OFFLINE, input=b"", capture_output=True, timeout=120)
    (line,) = done.stderr.decode().splitlines()
    assert done.returncode == 1
    assert line.startswith(
        "error: name_or_folder: Helsinki-NLP/opus-mt-ko-en: the translator cannot be loaded ("
    )
    assert line.endswith("); check the name and the network, or name a folder")


@pytest.mark.parametrize("name", ["build/nothing", "nothing.pt", "nothing"])
def test_what_is_not_there_and_has_no_owner_stays_a_checkpoint(name):
    (ROOT / "build").mkdir(exist_ok=True)
    with pytest.raises(ValueError, match=f"^path: {name} cannot be read"):
        translate.open_any(name, "cpu")


def change(folder, tmp_path, name, **settings):
    """A copy of a folder with other settings in a JSON file."""
    copy = shutil.copytree(folder, tmp_path / "copy")
    known = json.loads((copy / name).read_text("utf-8"))
    (copy / name).write_text(json.dumps(known | settings), encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model_type": "gpt2"}, "model_type is 'gpt2'; ours computes with 'marian' only"),
        ({"decoder_layers": 1}, "decoder_layers is 1; ours computes with 2 only"),
        ({"decoder_attention_heads": 2}, "decoder_attention_heads is 2; ours computes with 4 only"),
        ({"decoder_ffn_dim": 32}, "decoder_ffn_dim is 32; ours computes with 128 only"),
        ({"activation_function": "mish"}, "activation_function is 'mish'; ours computes with relu, gelu, "),
        ({"scale_embedding": False}, "scale_embedding is False; ours computes with True only"),
        ({"normalize_before": True}, "normalize_before is True; ours computes with False only"),
        ({"normalize_embedding": True}, "normalize_embedding is True; ours computes with False only"),
        (
            {"decoder_start_token_id": 999},
            "decoder_start_token_id: 999 is not an id of the vocabulary; use 0",
        ),
        ({"pad_token_id": 999}, "pad_token_id: 999 is not an id of the vocabulary; use 0"),
        ({"encoder_layers": 3, "decoder_layers": 3}, r"layers\.2\..* is missing; name a translator with"),
        ({"encoder_layers": 1, "decoder_layers": 1}, r"layers\.1\..* is left over; name a translator with"),
    ],
)
def test_what_our_transformer_cannot_be_is_refused(settings, message, folder, tmp_path):
    with pytest.raises(ValueError, match=f"^name_or_folder: {tmp_path}/copy: .*{message}") as caught:
        load_marian(change(folder, tmp_path, "config.json", **settings))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", [torch.nan, torch.inf])
def test_weights_that_are_no_numbers_are_refused(number, folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    change_weights(copy, lambda weights: weights["model.encoder.layers.1.fc2.bias"].fill_(number))
    with pytest.raises(ValueError, match=r"encoder\.layers\.1\.feed_forward\.linear2\.bias holds NaN"):
        load_marian(copy)


def test_a_vocabulary_that_does_not_fit_is_refused(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    tokens = json.loads((copy / "vocab.json").read_text("utf-8"))
    last = max(id for token, id in tokens.items() if token != "<pad>")
    smaller = {token: id for token, id in tokens.items() if id != last}
    (copy / "vocab.json").write_text(json.dumps(smaller), "utf-8")
    with pytest.raises(ValueError, match=f"the vocabulary has no token for id {last}, but vocab_size is "):
        load_marian(copy)
    (copy / "vocab.json").write_text(json.dumps(tokens | {"new": 5000}), "utf-8")
    with pytest.raises(ValueError, match="the vocabulary has id 5000, but vocab_size is "):
        load_marian(copy)


def test_what_is_there_already_is_not_replaced(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("mine", "file"):
        with pytest.raises(
            ValueError, match=f"^folder: {tmp_path}/{name} is there already, without a config"
        ):
            publish_marian(tmp_path / name)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "mine", "notes.txt"]


@pytest.mark.parametrize("lost", ["config.json", "model.safetensors", "source.spm", "vocab.json"])
def test_an_incomplete_folder_is_refused(lost, folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / lost).unlink()
    with pytest.raises(
        ValueError, match="^name_or_folder: .*: the translator cannot be loaded .*; name a folder where"
    ) as caught:
        load_marian(copy)
    assert "\n" not in str(caught.value)


def test_a_missing_package_is_named(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ValueError, match="; pip install transformers sentencepiece$"):
        load_marian(folder)
