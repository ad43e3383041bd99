"""Llamas of any shape in our `ModernLanguageModel`: equal logits, losses and texts; and what is refused."""

import random

import pytest
import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

from helpers.published.llama import LLAMA_DEFAULTS, load_llama
from twins import assert_same_logits, assert_same_texts, change_config, change_weights, save, save_in_one_file

LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 24,  # so that a small model has slow, quick and middling pairs
}


def any_rope(rng):
    """RoPE's options, of a type that ours has."""
    base = {"rope_theta": rng.choice([100.0, 10000.0, 500000.0])}
    linear = base | {"rope_type": "linear", "factor": rng.choice([2.0, 3.7])}
    return rng.choice([base | {"rope_type": "default"}, linear, LLAMA3 | base])


def llama(folder, seed, **options):
    rng = random.Random(seed)
    n_kv_heads, d_head = rng.choice([1, 1, 2, 3]), rng.choice([2, 4, 6, 10])
    n_heads = n_kv_heads * rng.choice([1, 2, 3, 4])
    config = {
        "vocab_size": rng.randint(5, 60),
        "hidden_size": n_heads * d_head,
        "intermediate_size": rng.choice([5, 7, 32, 45]),
        "num_hidden_layers": rng.randint(1, 4),
        "num_attention_heads": n_heads,
        "num_key_value_heads": n_kv_heads,
        "max_position_embeddings": rng.randint(25, 70),
        "rms_norm_eps": rng.choice([1e-6, 1e-5, 1e-2, 0.3]),
        "rope_parameters": any_rope(rng),
        "tie_word_embeddings": rng.random() < 0.4,
        "pretraining_tp": rng.choice([1, 2]),  # how the first training was split; computes the same
        "head_dim": rng.choice([None, d_head]),
        "initializer_range": rng.choice([0.02, 0.1]),
        "bos_token_id": 0,
        "eos_token_id": 1,
        **options,
    }
    torch.manual_seed(seed)
    theirs = LlamaForCausalLM(LlamaConfig(**config)).eval()
    for name, weight in theirs.named_parameters():
        if "norm" in name:  # fresh ones are 1, which would hide a mistake
            nn.init.normal_(weight, mean=1.0, std=0.2)
    save(theirs, folder, rng)
    return theirs


@pytest.fixture
def folder(tmp_path):
    """A Llama of two layers, with four heads of two columns, in one file."""
    sizes = {"hidden_size": 8, "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2}
    sizes |= {"intermediate_size": 12, "vocab_size": 20, "max_position_embeddings": 30, "head_dim": None}
    rope = {"rope_type": "default", "rope_theta": 10000.0}
    theirs = llama(tmp_path, 0, **sizes, rope_parameters=rope, tie_word_embeddings=False)
    save_in_one_file(theirs, tmp_path)
    return tmp_path


@pytest.mark.parametrize("seed", range(25))
def test_the_same_logits_and_loss(seed, tmp_path):
    theirs = llama(tmp_path, seed)
    assert_same_logits(load_llama(tmp_path), theirs, theirs.config.max_position_embeddings)


def test_the_random_configs_have_every_kind_of_rope():
    kinds = {any_rope(random.Random(seed))["rope_type"] for seed in range(25)}
    assert kinds == {"default", "linear", "llama3"}


@pytest.mark.parametrize("seed", range(4))
def test_the_same_texts(seed, tmp_path):
    sizes = {"vocab_size": 40, "max_position_embeddings": 40, "initializer_range": 0.5}
    theirs = llama(tmp_path, seed, **sizes)
    assert_same_texts(load_llama(tmp_path), theirs, seed)


@torch.no_grad()
@pytest.mark.parametrize("tied", [True, False])
def test_padding_never_wins_where_all_logits_are_negative(tied, tmp_path):
    theirs = llama(tmp_path, 0, vocab_size=40, tie_word_embeddings=tied)
    for layer in theirs.model.layers:
        layer.self_attn.o_proj.weight.zero_()
        layer.mlp.down_proj.weight.zero_()
    theirs.model.norm.weight.fill_(-1.0)
    theirs.model.embed_tokens.weight.abs_().add_(0.1)
    theirs.lm_head.weight.abs_().add_(0.1)
    save_in_one_file(theirs, tmp_path)
    assert (theirs(torch.ones(1, 3, dtype=torch.long)).logits < 0).all()
    assert_same_logits(load_llama(tmp_path), theirs, 12)


@torch.no_grad()
def test_the_angles_of_llama_3_1_are_those_of_the_transformers_library(tmp_path):
    rope = LLAMA3 | {"original_max_position_embeddings": 8192}
    sizes = {"hidden_size": 256, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 128}
    theirs = llama(tmp_path, 0, **sizes, rope_parameters=rope, max_position_embeddings=20000)
    frequency = theirs.model.rotary_emb.inv_freq  # (d_head / 2)
    (ours,) = {layer.attention.rotary for layer in load_llama(tmp_path).decoder.layers}
    torch.testing.assert_close(
        ours.cos[:1000], (torch.arange(1000)[:, None] * frequency).cos(), rtol=0, atol=2e-4
    )
    slowed = 500000.0 ** (-torch.arange(0, 128, 2) / 128) / frequency
    assert slowed[0] == 1 and slowed[-1].item() == pytest.approx(8) and ((slowed > 1.1) & (slowed < 7)).any()


def test_fields_that_are_missing_are_as_in_the_transformers_library(tmp_path):
    config = LlamaConfig(num_key_value_heads=None)
    optional = {"num_key_value_heads", "rms_norm_eps", "tie_word_embeddings", "head_dim", "rope_parameters"}
    known = {name: getattr(config, name) for name in LLAMA_DEFAULTS}
    assert known == LLAMA_DEFAULTS | {"num_key_value_heads": known["num_attention_heads"]}
    theirs = llama(
        tmp_path,
        0,
        **{"hidden_size": 12, "num_attention_heads": 3, "num_key_value_heads": 3, "head_dim": None},
        **{"rms_norm_eps": 1e-6, "tie_word_embeddings": False, "rope_parameters": None},
    )
    change_config(tmp_path, remove=optional)
    assert_same_logits(load_llama(tmp_path), theirs, theirs.config.max_position_embeddings)


@pytest.mark.parametrize(
    ("older", "rope"),
    [
        ({}, {"rope_type": "default", "rope_theta": 10000.0}),
        ({"rope_theta": 100.0, "rope_scaling": None}, {"rope_type": "default", "rope_theta": 100.0}),
        ({"rope_parameters": {"rope_theta": 100.0}}, {"rope_type": "default", "rope_theta": 100.0}),
        (
            {"rope_theta": 100.0, "rope_scaling": {"type": "linear", "factor": 2.0}},
            {"rope_type": "linear", "rope_theta": 100.0, "factor": 2.0},
        ),
        ({"rope_theta": 100.0, "rope_scaling": LLAMA3}, LLAMA3),
    ],
)
def test_older_files_say_it_elsewhere(older, rope, tmp_path):
    theirs = llama(tmp_path, 0, rope_parameters=rope)
    change_config(tmp_path, remove={"rope_parameters"} - older.keys(), **older)
    assert_same_logits(load_llama(tmp_path), theirs, theirs.config.max_position_embeddings)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"model_type": "gpt2"}, "model_type is 'gpt2'; name a folder with 'llama'"),
        ({"attention_bias": True}, "attention_bias is True; ours computes with False only"),
        ({"mlp_bias": True}, "mlp_bias is True; ours computes with False only"),
        ({"hidden_act": "relu"}, "hidden_act is 'relu'; ours computes with 'silu' only"),
        ({"head_dim": 14}, "head_dim is 14; ours computes with 2 only"),
        ({"sliding_window": 8}, "sliding_window is 8; ours computes with None only"),
        ({"partial_rotary_factor": 0.5}, "partial_rotary_factor is 0.5; ours computes with 1.0 only"),
        ({"num_key_value_heads": 3}, "n_kv_heads: 3 does not divide n_heads, 4"),
        ({"num_attention_heads": 0}, "num_attention_heads: 0 is not a size"),
        (
            {"rope_parameters": {"rope_type": "yarn", "factor": 2.0}},
            "rope_type is 'yarn'; ours computes with",
        ),
        ({"rope_parameters": {"type": "dynamic", "factor": 2.0}}, "rope_type is 'dynamic'; ours computes"),
        ({"rope_parameters": {"rope_type": "linear"}}, "RoPE of rope_type 'linear' lacks 'factor'"),
        ({"rope_parameters": {"partial_rotary_factor": 0.5}}, "partial_rotary_factor is 0.5; ours"),
        ({"num_hidden_layers": 1}, r"model\.layers\.1\..* is left over; the config has 1 layers"),
        ({"num_hidden_layers": 3}, r"model\.layers\.2\..* is missing; the config has 3 layers"),
        ({"tie_word_embeddings": True}, "the table and lm_head differ, but tie_word_embeddings is true"),
    ],
)
def test_a_config_that_ours_cannot_follow_is_refused(fields, message, folder):
    change_config(folder, **fields)
    with pytest.raises(ValueError, match=f"^path: {folder}: .*{message}"):
        load_llama(folder)


@pytest.mark.parametrize(
    ("name", "weight", "message"),
    [
        ("model.layers.1.self_attn.q_proj.bias", torch.ones(8), r"attention\.w_q\.bias is left over; ours"),
        (
            "model.layers.1.mlp.up_proj.weight",
            torch.ones(12, 8).char(),
            r"up_proj\.weight has dtype torch\.int8",
        ),
        ("model.norm.weight", torch.full((8,), torch.nan), r"norm\.weight holds NaN or infinity"),
        (
            "lm_head.weight",
            torch.ones(19, 8),
            r"generator\.linear\.weight has shape \(20, 8\); by the config",
        ),
    ],
)
def test_weights_that_do_not_fit_are_named(name, weight, message, folder):
    change_weights(folder, lambda weights: weights.update({name: weight}))
    with pytest.raises(ValueError, match=f"^path: {folder}: .*{message}"):
        load_llama(folder)


def test_frequencies_in_older_files_are_no_weights(folder):
    theirs = LlamaForCausalLM.from_pretrained(folder).eval()
    name = "model.layers.0.self_attn.rotary_emb.inv_freq"
    change_weights(folder, lambda weights: weights.update({name: torch.ones(1)}))
    assert_same_logits(load_llama(folder), theirs, 30)
