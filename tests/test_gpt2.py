"""GPT-2s of any shape in our `LanguageModel`: equal logits, losses and texts; and what is refused."""

import random

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from helpers.published.gpt2 import ACTIVATION_NAMES, GPT2_DEFAULTS, load_gpt2
from twins import assert_same_logits, assert_same_texts, change_config, change_weights, save, save_in_one_file


def gpt2(folder, seed, **options):
    rng = random.Random(seed)
    n_heads = rng.choice([1, 2, 4])
    config = {
        "vocab_size": rng.randint(5, 60),
        "n_positions": rng.randint(4, 40),
        "n_embd": n_heads * rng.choice([1, 3, 4, 8]),
        "n_layer": rng.randint(1, 4),
        "n_head": n_heads,
        "n_inner": rng.choice([None, 7, 32]),
        "activation_function": rng.choice(["gelu_new", *ACTIVATION_NAMES]),
        "layer_norm_epsilon": rng.choice([1e-5, 1e-2, 0.3]),
        "tie_word_embeddings": rng.random() < 0.6,
        "reorder_and_upcast_attn": rng.random() < 0.5,  # changes nothing in float32
        "initializer_range": rng.choice([0.02, 0.1, 0.2]),
        "bos_token_id": 0,
        "eos_token_id": 1,
        **options,
    }
    torch.manual_seed(seed)
    theirs = GPT2LMHeadModel(GPT2Config(**config)).eval()
    for name, weight in theirs.named_parameters():
        if name.endswith("bias") or "ln_" in name:  # fresh ones are 0 and 1, which would hide a mistake
            torch.nn.init.normal_(weight, mean=weight.mean().item(), std=0.1)
    save(theirs, folder, rng)
    return theirs


@pytest.fixture
def folder(tmp_path):
    """A GPT-2 of two layers in one file."""
    sizes = {"n_embd": 8, "n_head": 2, "n_layer": 2, "n_inner": None, "n_positions": 12, "vocab_size": 20}
    theirs = gpt2(tmp_path, 1, **sizes, activation_function="gelu_new", layer_norm_epsilon=1e-5)
    save_in_one_file(theirs, tmp_path)
    return tmp_path


@pytest.mark.parametrize("seed", range(25))
def test_the_same_logits_and_loss(seed, tmp_path):
    theirs = gpt2(tmp_path, seed)
    assert_same_logits(load_gpt2(tmp_path), theirs, theirs.config.n_positions)


@torch.no_grad()
@pytest.mark.parametrize("tied", [True, False])
def test_padding_never_wins_where_all_logits_are_negative(tied, tmp_path):
    theirs = gpt2(tmp_path, 0, vocab_size=40, n_positions=12, tie_word_embeddings=tied)
    theirs.transformer.ln_f.weight.zero_()
    theirs.transformer.ln_f.bias.fill_(-1.0)
    theirs.lm_head.weight.abs_().add_(5.0)  # logits below −5 · n_embd
    save_in_one_file(theirs, tmp_path)
    assert (theirs(torch.ones(1, 3, dtype=torch.long)).logits < -5).all()
    assert_same_logits(load_gpt2(tmp_path), theirs, 12, limit=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_texts(seed, tmp_path):
    theirs = gpt2(tmp_path, seed, vocab_size=40, n_positions=40, n_layer=2, initializer_range=0.5)
    assert_same_texts(load_gpt2(tmp_path), theirs, seed)


def test_the_table_is_in_memory_once_where_it_is_tied(tmp_path):
    gpt2(tmp_path, 0, tie_word_embeddings=True)
    ours = load_gpt2(tmp_path)
    assert ours.generator.linear.weight is ours.embed.tokens.weight


def test_fields_that_are_missing_are_as_in_the_transformers_library(tmp_path):
    config = GPT2Config()
    assert {name: getattr(config, name) for name in GPT2_DEFAULTS} == GPT2_DEFAULTS
    optional = {name: GPT2_DEFAULTS[name] for name in ("n_inner", "activation_function")}
    optional |= {"layer_norm_epsilon": 1e-5, "tie_word_embeddings": True}
    theirs = gpt2(tmp_path, 0, **optional)
    change_config(tmp_path, remove=optional)
    assert_same_logits(load_gpt2(tmp_path), theirs, theirs.config.n_positions)


def test_older_files_hold_masks_and_names_without_a_prefix(folder):
    theirs = GPT2LMHeadModel.from_pretrained(folder).eval()

    def as_of_2019(weights):
        for name in list(weights):
            weights[name.removeprefix("transformer.")] = weights.pop(name)
        weights["h.0.attn.bias"] = torch.ones(1, 1, 12, 12, dtype=torch.uint8)
        weights["h.0.attn.masked_bias"] = torch.tensor(-1e4)

    change_weights(folder, as_of_2019)
    assert_same_logits(load_gpt2(folder), theirs, 12)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"model_type": "llama"}, "model_type is 'llama'; name a folder with 'gpt2'"),
        ({"model_type": None}, "model_type is None; "),
        ({"scale_attn_weights": False}, "scale_attn_weights is False; ours computes with True only"),
        ({"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx is True; ours"),
        ({"add_cross_attention": True}, "add_cross_attention is True; ours"),
        ({"quantization_config": {"bits": 8}}, "quantization_config is {'bits': 8}; ours"),
        ({"activation_function": "mish"}, "activation_function is 'mish'; ours computes with relu, gelu, "),
        ({"n_head": 3}, "n_heads: 3 does not divide d_model, 8"),
        ({"n_layer": 0}, "n_layer: 0 is not a size"),
        ({"layer_norm_epsilon": None}, "layer_norm_epsilon is None; use a float such as 1e-05"),
        ({"tie_word_embeddings": 1}, "tie_word_embeddings is 1; use a bool such as True"),
        ({"n_embd": "8"}, "n_embd: '8' is not a size"),
        ({"n_layer": 1}, r"h\.1\..* is left over; the config has 1 layers"),
        ({"n_layer": 3}, r"h\.2\.ln_1\.weight is missing; the config has 3 layers"),
        ({"n_inner": 7}, r"linear1\.weight has shape \(32, 8\); by the config it is \(7, 8\)"),
        ({"vocab_size": 21}, r"embed\.tokens\.weight has shape \(21, 8\); by the config it is \(22, 8\)"),
    ],
)
def test_a_config_that_ours_cannot_follow_is_refused(fields, message, folder):
    change_config(folder, **fields)
    with pytest.raises(ValueError, match=f"^folder: {folder}: .*{message}"):
        load_gpt2(folder)


def test_untied_weights_must_be_there_and_tied_ones_the_same(tmp_path):
    save_in_one_file(gpt2(tmp_path, 0, tie_word_embeddings=True), tmp_path)
    change_config(tmp_path, tie_word_embeddings=False)
    with pytest.raises(ValueError, match=r"lm_head\.weight is missing"):
        load_gpt2(tmp_path)
    change_config(tmp_path, tie_word_embeddings=True)
    table = "transformer.wte.weight"
    change_weights(tmp_path, lambda weights: weights.update({"lm_head.weight": weights[table].clone()}))
    load_gpt2(tmp_path)
    change_weights(tmp_path, lambda weights: weights["lm_head.weight"].add_(1))
    with pytest.raises(ValueError, match="the table and lm_head differ, but tie_word_embeddings is true"):
        load_gpt2(tmp_path)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("h.1.attn.c_attn.weight", torch.Tensor.char, r"c_attn\.weight has dtype torch\.int8; name a model"),
        ("h.1.ln_2.bias", lambda x: x / 0, r"norm\.bias holds NaN or infinity"),
        ("wpe.weight", lambda x: x[1:], r"positions\.weight has shape \(11, 8\); by the config it is \(12"),
        ("h.1.mlp.c_fc.bias", None, r"decoder\.layers\.1\.feed_forward\.linear1\.bias is missing"),
        ("wte.weight", None, r"wte\.weight is missing"),
    ],
)
def test_damaged_weights_are_named(name, change, message, folder):
    def damage(weights):
        weight = weights.pop(f"transformer.{name}")
        if change is not None:
            weights[f"transformer.{name}"] = change(weight).contiguous()

    change_weights(folder, damage)
    with pytest.raises(ValueError, match=f"^folder: {folder}: .*{message}"):
        load_gpt2(folder)


def test_a_weight_too_many_is_named(folder):
    change_weights(folder, lambda weights: weights.update({"transformer.h.0.rotary.weight": torch.ones(2)}))
    with pytest.raises(ValueError, match=r"h\.0\.rotary\.weight is left over"):
        load_gpt2(folder)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
@pytest.mark.parametrize("left", [None, 0, 100])
def test_a_missing_or_cut_file_is_named(name, left, folder):
    whole = (folder / name).read_bytes()
    (folder / name).unlink()
    if left is not None:
        (folder / name).write_bytes(whole[:left])
    with pytest.raises(ValueError, match=f"^folder: {folder}: {name} cannot be loaded ") as caught:
        load_gpt2(folder)
    assert "\n" not in str(caught.value)


def test_a_missing_part_of_several_is_named(folder):
    GPT2LMHeadModel.from_pretrained(folder).save_pretrained(folder, max_shard_size="3KB")
    (folder / "model.safetensors").unlink(missing_ok=True)
    part = sorted(folder.glob("model-*.safetensors"))[1]
    part.unlink()
    with pytest.raises(ValueError, match=f"{part.name} cannot be loaded"):
        load_gpt2(folder)
