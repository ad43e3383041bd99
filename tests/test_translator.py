"""A translator in one file: what is saved can be opened and translates as it did."""

import pytest
import torch

from helpers.corpus import make_pairs
from helpers.engine.checkpoints import save_checkpoint
from helpers.lesson.translator import course_translator, open_translator, translate_texts, translator_config
from helpers.tokenization import BPETokenizer
from helpers.training import Trainer, encode_pairs
from helpers.transformer import Transformer, TransformerConfig

PAIRS = make_pairs("train", 60)
TEXTS = [source for source, _ in PAIRS[:8]]
OPTIONS = {"d_model": 16, "n_heads": 4, "d_ff": 16, "n_layers": 1, "dropout": 0.1, "norm_first": True}


@pytest.fixture
def saved(tmp_path):
    korean, english = (BPETokenizer(list(side), 700) for side in zip(*PAIRS, strict=True))
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(len(korean), len(english), **OPTIONS))
    config = translator_config(OPTIONS, korean, english)
    trainer = Trainer(model, encode_pairs(PAIRS, korean, english), 16, 10, config=config)
    for _ in range(10):  # until it says something
        trainer.run_epoch()
    save_checkpoint(trainer, tmp_path / "small.pt")
    return tmp_path / "small.pt", model, korean, english


@pytest.mark.parametrize("num_beams", [1, 3])
def test_an_opened_translator_translates_as_before(saved, num_beams):
    path, *before = saved
    model, korean, english = open_translator(path)
    assert korean.encode("런던의 빵 ☕") == before[1].encode("런던의 빵 ☕") and len(english) == len(
        before[2]
    )
    assert korean.decode(korean.encode("런던의 빵 ☕")) == "런던의 빵 ☕"
    ours, theirs = (
        translate_texts(m, TEXTS, k, e, 12, num_beams) for m, k, e in ((model, korean, english), before)
    )
    assert ours == theirs and len(set(ours)) > 1


def test_an_empty_text_among_others_changes_none(saved):
    path, *_ = saved
    translator = open_translator(path)
    model = translator[0]
    with_empty = translate_texts(model, ["", *TEXTS], *translator[1:], max_len=8)
    assert with_empty[1:] == translate_texts(model, TEXTS, *translator[1:], max_len=8)


def test_a_translation_is_no_longer_than_the_model_takes(saved, monkeypatch):
    """Twice the source, plus 10, would be more."""
    _, model, *tokenizers = saved
    asked = []

    def generate(model, src, bos_id, eos_id, max_len):
        asked.append((src.size(1), max_len))
        return [[]]

    monkeypatch.setattr("helpers.lesson.translator.generate", generate)
    for count in (5, 2000):
        translate_texts(model, ["☕ " * count], *tokenizers)
    (short, of_short), (long, of_long) = asked
    assert of_short == 2 * short + 10 and of_long == model.max_len < 2 * long + 10


def test_a_checkpoint_without_tokenizers_is_refused(saved, tmp_path):
    _, model, korean, english = saved
    save_checkpoint(Trainer(model, encode_pairs(PAIRS, korean, english), 16, 10), tmp_path / "bare.pt")
    with pytest.raises(ValueError, match="^path: .*no model with tokenizers.*translator_config"):
        open_translator(tmp_path / "bare.pt")


def test_the_translator_of_the_course_is_trained_once(tmp_path):
    path = tmp_path / "build" / "translator.pt"
    first = course_translator(path, pair_count=200, epochs=1)
    before = path.read_bytes()
    again = course_translator(path, pair_count=200, epochs=1)
    assert path.read_bytes() == before
    assert translate_texts(first[0], TEXTS, *first[1:], 9) == translate_texts(again[0], TEXTS, *again[1:], 9)


def test_where_it_cannot_be_kept_nothing_is_trained(tmp_path, monkeypatch):
    monkeypatch.setattr("helpers.lesson.translator.make_pairs", None)
    (tmp_path / "build").touch()
    with pytest.raises(ValueError, match="^path: .*translator.pt cannot be written"):
        course_translator(tmp_path / "build" / "translator.pt")


def test_texts_must_be_a_list(saved):
    path, *_ = saved
    model, korean, english = open_translator(path)
    with pytest.raises(ValueError, match="^texts: got one string"):
        translate_texts(model, "문장", korean, english)
