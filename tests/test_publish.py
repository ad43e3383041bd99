"""publish: the same translator in Marian and in CTranslate2; what they cannot be is refused by name."""

import json

import ctranslate2
import pytest
import torch
import transformers

from helpers.__main__ import main
from helpers.lesson import engines
from helpers.lesson.engines import TorchEngine, open_published, publish
from small_translator import PAIRS, translator, write_checkpoint

TEXTS = [source for source, _ in PAIRS[:6]]
transformers.logging.disable_progress_bar()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    ours = translator(tie_generator=True)
    folder = tmp_path_factory.mktemp("published") / "p"
    publish(*ours, folder)
    return ours, folder


@pytest.mark.parametrize(
    "options",
    [{}, {"tie_generator": True}, {"activation": "gelu_tanh"}, {"activation": "silu"}, {"src_pad_id": 0}],
)
@torch.no_grad()
def test_logits_of_the_transformers_library(tmp_path, options):
    model, *tokenizers = translator(**options)
    publish(model, *tokenizers, tmp_path / "p")
    theirs, loaded = transformers.MarianMTModel.from_pretrained(
        tmp_path / "p" / "marian", output_loading_info=True
    )
    assert not loaded["missing_keys"] and not loaded["unexpected_keys"]
    rng = torch.Generator().manual_seed(0)
    src, tgt = torch.randint(4, 500, (3, 7), generator=rng), torch.randint(4, 500, (3, 6), generator=rng)
    src[1, 4:] = src[2, 2:] = 0
    found = theirs(src, attention_mask=(src != 0).long(), decoder_input_ids=tgt).logits
    torch.testing.assert_close(found, model(src, tgt), rtol=0, atol=1e-4)


@torch.no_grad()
def test_one_table_for_all(tmp_path):
    model, korean, _ = translator()
    from helpers.transformer import Transformer, TransformerConfig

    config = TransformerConfig(
        len(korean), len(korean), d_model=16, n_heads=2, d_ff=8, n_layers=1, max_len=30, dropout=0.0,
        tie_embeddings=True, tie_generator=True,
    )  # fmt: skip
    model = Transformer(config).eval()
    publish(model, korean, korean, tmp_path / "p")
    theirs = transformers.MarianMTModel.from_pretrained(tmp_path / "p" / "marian")
    src = torch.tensor([[5, 6, 7]])
    torch.testing.assert_close(theirs(src, decoder_input_ids=src).logits, model(src, src), rtol=0, atol=1e-4)


def test_the_search_of_the_transformers_library_writes_our_texts(course):
    (model, korean, english), folder = course
    theirs = transformers.MarianMTModel.from_pretrained(folder / "marian")
    wanted = TorchEngine(model, korean, english).translate(TEXTS[:1])
    src = torch.tensor([korean.encode(TEXTS[0])])
    found = theirs.generate(src, num_beams=1, do_sample=False, max_new_tokens=min(2 * src.size(1) + 10, 60))
    ids = [id for id in found[0, 1:].tolist() if id != english.eos_id]
    assert english.decode(ids) == wanted[0]


@pytest.mark.parametrize("name", ["marian", "float32"])
def test_texts_are_ours(course, name):
    ours, folder = course
    assert open_published(folder / name).translate(TEXTS) == TorchEngine(*ours).translate(TEXTS)


def test_int8_is_smaller_and_translates(course):
    _, folder = course
    assert all(isinstance(text, str) for text in open_published(folder / "int8").translate(TEXTS))
    assert (folder / "int8" / "model.bin").stat().st_size < (folder / "float32" / "model.bin").stat().st_size
    assert ctranslate2.contains_model(str(folder / "int8"))


@pytest.mark.parametrize(
    "options, name",
    [
        ({"norm_first": True}, "norm_first"),
        ({"final_norm": True}, "final_norm"),
        ({"positions": "learned"}, "positions"),
    ],
)
def test_what_no_marian_has_is_refused_by_name(tmp_path, options, name):
    with pytest.raises(ValueError, match=f"^{name}: value is .*a Marian .*; train with"):
        publish(*translator(**options), tmp_path / "p")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("options", [{"norm_first": True}, {"positions": "learned"}])
def test_ctranslate2_has_it(tmp_path, options):
    ours = translator(**options)
    assert publish(*ours, tmp_path / "p", with_marian=False) == ["float32", "int8"]
    assert open_published(tmp_path / "p" / "float32").translate(TEXTS) == TorchEngine(*ours).translate(TEXTS)


def test_a_norm_that_ctranslate2_lacks(tmp_path):
    with pytest.raises(ValueError, match="^final_norm: value is True"):
        publish(*translator(final_norm=True), tmp_path / "p", with_marian=False)
    assert not list(tmp_path.iterdir())


def test_a_folder_is_never_written_over(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "mine").touch()
    with pytest.raises(ValueError, match="^folder: .* is there already; name a new folder"):
        publish(*translator(), tmp_path / "p")
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="^folder: .*cannot be written"):
        publish(*translator(), tmp_path / "file" / "p")


def test_all_or_nothing(tmp_path, monkeypatch):
    def stop(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("helpers.published.ctranslate.write_ctranslate2", stop)
    with pytest.raises(KeyboardInterrupt):
        publish(*translator(), tmp_path / "p")
    assert not list(tmp_path.iterdir())


def test_without_ctranslate2(tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "has_ctranslate2", lambda: False)
    assert publish(*translator(), tmp_path / "p") == ["marian"]
    with pytest.raises(ValueError, match="^ctranslate2: it is not installed.*pip install"):
        publish(*translator(), tmp_path / "q", with_marian=False)


@pytest.mark.parametrize("damage", ["{", "[]", json.dumps({"max_len": 3})])
def test_a_damaged_folder_is_one_line(course, tmp_path, damage):
    _, folder = course
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "tokenizers.json").write_text(damage, "utf-8")
    with pytest.raises(ValueError, match="^folder: .*cannot be loaded"):
        open_published(tmp_path / "x")


@pytest.mark.parametrize("name", ["model.bin", "model.safetensors"])
def test_half_a_model_is_one_line(course, tmp_path, name):
    _, folder = course
    for source in (folder / ("int8" if name == "model.bin" else "marian")).iterdir():
        data = source.read_bytes()
        (tmp_path / source.name).write_bytes(data[: len(data) // 2] if source.name == name else data)
    with pytest.raises(ValueError, match="^folder: .*cannot be loaded.*; publish it again") as error:
        open_published(tmp_path)
    assert "\n" not in str(error.value)


def test_the_commands(tmp_path, capsys, monkeypatch):
    checkpoint = write_checkpoint(tmp_path / "model.pt")
    main(["publish", str(checkpoint), str(tmp_path / "p")])
    assert "int8: 0." in capsys.readouterr().out
    found = []
    for name in ("model.pt", "p/marian", "p/float32"):
        monkeypatch.setattr("sys.stdin", open_lines(tmp_path))
        main(["translate", str(tmp_path / name), "--beam", "1"])
        found.append(capsys.readouterr().out)
    assert len(set(found)) == 1 and found[0].count("\n") == 2
    with pytest.raises(SystemExit, match="error: checkpoint: .*p holds float32, int8, marian; name one"):
        main(["translate", str(tmp_path / "p")])


def open_lines(folder):
    (folder / "lines").write_text("\n".join(TEXTS[:2]) + "\n", "utf-8")
    return (folder / "lines").open(encoding="utf-8")
