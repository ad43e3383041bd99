"""The four parts of today's models: each equal to its reference; and the model of all four."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from helpers.decoding import FullDecoding, IncrementalDecoding, generate
from helpers.language_model import LanguageModel, LanguageModelConfig
from helpers.layers import FeedForward, LayerNorm
from helpers.lesson.one_line import make_texts, tokenizer
from helpers.masking import causal_mask
from helpers.modern import (
    GroupedQueryAttention,
    ModernConfig,
    ModernLanguageModel,
    NoPositions,
    RMSNorm,
    RotaryEmbedding,
    SwiGLU,
    replace_parts,
)
from helpers.multi_head_attention import MultiHeadAttention, merge_heads, split_heads

DTYPES = [(torch.float32, 1e-5), (torch.float64, 1e-11)]


@pytest.mark.parametrize(("dtype", "limit"), DTYPES)
@pytest.mark.parametrize("d_model", [1, 3, 16, 64])
def test_rms_norm_equals_torch(dtype, limit, d_model):
    torch.manual_seed(d_model)
    ours, theirs = RMSNorm(d_model, 1e-6).to(dtype), nn.RMSNorm(d_model, eps=1e-6, dtype=dtype)
    ours.weight.data.normal_()
    theirs.load_state_dict(ours.state_dict())
    x = 7 * torch.randn(2, 3, d_model, dtype=dtype) + 2
    torch.testing.assert_close(ours(x), theirs(x), rtol=0, atol=limit)
    by_hand = x / (x.square().mean(dim=-1, keepdim=True) + 1e-6).sqrt() * ours.weight
    torch.testing.assert_close(ours(x), by_hand, rtol=0, atol=limit * 10)


def test_a_token_of_zeros_is_finite():
    x = torch.zeros(1, 2, 8, requires_grad=True)
    y = RMSNorm(8)(x)
    y.sum().backward()
    assert (y == 0).all() and x.grad.isfinite().all()


@pytest.mark.parametrize("d_head", [2, 6, 16, 64])
def test_rope_equals_that_of_llama(d_head):
    torch.manual_seed(d_head)
    q, k = torch.randn(2, 3, 9, d_head), torch.randn(2, 3, 9, d_head)
    rotary = RotaryEmbedding(d_head, max_len=20)
    cos, sin = (torch.cat([table[4:13]] * 2, dim=-1)[None] for table in (rotary.cos, rotary.sin))
    for ours, theirs in zip((rotary(q, 4), rotary(k, 4)), apply_rotary_pos_emb(q, k, cos, sin), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-6)


def test_rope_is_a_product_of_complex_numbers():
    x, rotary = torch.randn(5, 8, dtype=torch.float64), RotaryEmbedding(8, max_len=10).double()
    points = torch.complex(*x.chunk(2, dim=-1))
    angles = torch.arange(5, dtype=torch.float64)[:, None] * 10000.0 ** (-torch.arange(4) / 4)
    turned = points * torch.polar(torch.ones_like(angles), angles)
    torch.testing.assert_close(rotary(x), torch.cat([turned.real, turned.imag], dim=-1), rtol=0, atol=1e-6)


def test_scores_with_rope_know_only_the_distance():
    torch.manual_seed(0)
    q, k, rotary = torch.randn(1, 16), torch.randn(1, 16), RotaryEmbedding(16, max_len=200)
    scores = [(rotary(q, i + 3) @ rotary(k, i).T).item() for i in range(0, 190, 10)]
    assert max(scores) - min(scores) <= 1e-4
    assert abs((rotary(q, 9) @ rotary(k, 0).T).item() - scores[0]) > 0.01
    torch.testing.assert_close(rotary(q, 50).norm(), q.norm())


def test_rope_with_scaling_turns_as_at_an_earlier_position():
    x = torch.randn(1, 8)
    slowed, each = (
        RotaryEmbedding(8, max_len=50, scaling=scaling) for scaling in (2.0, (2.0, 2.0, 4.0, 1.0))
    )
    torch.testing.assert_close(slowed(x, 40), RotaryEmbedding(8, max_len=50)(x, 20))
    for pair, place in enumerate((20, 20, 10, 40)):
        wanted = RotaryEmbedding(8, max_len=50)(x, place)
        torch.testing.assert_close(each(x, 40)[:, [pair, pair + 4]], wanted[:, [pair, pair + 4]])


def test_rope_names_what_does_not_fit():
    with pytest.raises(ValueError, match="d_head: 5 is odd"):
        RotaryEmbedding(5)
    with pytest.raises(ValueError, match="11 positions, but max_len is 10"):
        RotaryEmbedding(4, max_len=10)(torch.zeros(3, 4), offset=8)


def test_swiglu_has_the_weights_of_two_thirds():
    ours, x = SwiGLU(12, 32), torch.randn(2, 3, 12)
    assert sum(p.numel() for p in ours.parameters()) == 3 * 12 * 32 == 2 * 12 * 48
    gate, up, down = (layer.weight for layer in (ours.w_gate, ours.w_up, ours.w_down))
    hidden = x @ gate.T
    expected = (hidden * hidden.sigmoid() * (x @ up.T)) @ down.T
    torch.testing.assert_close(ours(x), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("n_kv_heads", [1, 2, 3, 6])
@pytest.mark.parametrize("need_weights", [True, False])
def test_grouped_queries_equal_a_loop_over_heads_and_torch(n_kv_heads, need_weights):
    torch.manual_seed(0)
    ours, x, mask = GroupedQueryAttention(24, 6, n_kv_heads), torch.randn(2, 5, 24), causal_mask(5)
    output, weights = ours(x, x, x, mask, need_weights)
    q, k, v = (
        split_heads(w(x), n) for w, n in zip(ours.children(), (6, n_kv_heads, n_kv_heads), strict=False)
    )
    assert [len(part[0]) for part in (q, k, v)] == [6, n_kv_heads, n_kv_heads]
    found = []
    for head in range(6):
        shared = head // (6 // n_kv_heads)
        scores = (q[:, head] @ k[:, shared].mT / 2).masked_fill(~mask, -torch.inf)  # d_head is 4
        found.append(scores.softmax(-1) @ v[:, shared])
    torch.testing.assert_close(output, ours.w_o(torch.cat(found, dim=-1)), rtol=0, atol=1e-6)
    theirs = F.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)
    torch.testing.assert_close(output, ours.w_o(merge_heads(theirs)), rtol=0, atol=1e-6)
    assert (weights is None) != need_weights


def test_one_group_a_head_is_multi_head_attention():
    torch.manual_seed(0)
    ours, theirs = GroupedQueryAttention(16, 4, 4), MultiHeadAttention(16, 4)
    ours.load_state_dict(theirs.state_dict())
    query, memory = torch.randn(2, 3, 16), torch.randn(2, 7, 16)
    for inputs in ((query, query, query), (query, memory, memory)):
        torch.testing.assert_close(ours(*inputs)[0], theirs(*inputs)[0], rtol=0, atol=1e-6)


@pytest.mark.parametrize("n_kv_heads", [0, 3, 8])
def test_groups_that_do_not_fit_are_named(n_kv_heads):
    with pytest.raises(ValueError, match=f"n_kv_heads: {n_kv_heads} does not divide n_heads, 4"):
        GroupedQueryAttention(16, 4, n_kv_heads)


def test_replacing_changes_these_parts_and_no_other():
    torch.manual_seed(0)
    model = LanguageModel(LanguageModelConfig(20, d_model=16, n_heads=4, d_ff=32, n_layers=2))
    before = dict(model.named_modules())
    assert replace_parts(model, LayerNorm, lambda: RMSNorm(16)) is model
    changed = [name for name, module in model.named_modules() if before[name] is not module]
    assert len(changed) == 5 and all(type(before[name]) is LayerNorm for name in changed)
    norms = [module for module in model.modules() if isinstance(module, RMSNorm)]
    assert len(set(map(id, norms))) == 5
    replace_parts(model, RMSNorm, lambda: LayerNorm(16))
    assert model(torch.ones(1, 3, dtype=torch.long)).shape == (1, 3, 20)


def test_the_modern_model_has_the_four_parts():
    model = ModernLanguageModel(ModernConfig(20, d_model=16, n_heads=4, n_kv_heads=2, d_ff=24, n_layers=2))
    kinds = {type(module) for module in model.modules()}
    assert {RMSNorm, RotaryEmbedding, SwiGLU, GroupedQueryAttention, NoPositions} <= kinds
    assert not {LayerNorm, FeedForward, MultiHeadAttention} & kinds
    assert [name for name, _ in model.decoder.named_parameters() if name.endswith("bias")] == []


def test_what_a_llama_leaves_no_choice_of_cannot_be_given():
    for name in ("activation", "norm_first", "final_norm", "positions"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            ModernConfig(20, n_kv_heads=2, **{name: None})


def test_no_part_of_the_modern_model_is_built_in_vain(monkeypatch):
    for part in (LayerNorm, FeedForward):
        monkeypatch.setattr(part, "__init__", None)  # whoever builds one fails
    ModernLanguageModel(ModernConfig(20, d_model=16, n_heads=4, n_kv_heads=2, d_ff=24, n_layers=2))


@torch.no_grad()
@pytest.mark.parametrize("n_kv_heads", [1, 2, 4])
def test_the_cache_changes_nothing_and_has_a_head_for_each_group(n_kv_heads):
    torch.manual_seed(0)
    model = ModernLanguageModel(
        ModernConfig(20, d_model=16, n_heads=4, n_kv_heads=n_kv_heads, d_ff=24, n_layers=2, max_len=40)
    ).eval()
    prompt = torch.randint(4, 20, (5, 6))
    ways = IncrementalDecoding, FullDecoding
    found = [generate(model, None, prompt, 3, 12, decoding=way) for way in ways]
    assert found[0] == found[1] and max(map(len, found[0])) > 3
    way = IncrementalDecoding(model)
    for end in (4, 5, 6):
        way(prompt[:, :end])
    assert [x.shape for kept in way.cache.tokens.values() for x in kept] == [(5, n_kv_heads, 6, 4)] * 4


@pytest.mark.parametrize("lengths", [(6, 6, 6, 6, 6), (1, 6, 3, 5, 2)])
def test_prompts_of_different_lengths_and_ends_continue_as_each_alone(lengths):
    torch.manual_seed(9)
    config = ModernConfig(20, d_model=16, n_heads=4, n_kv_heads=2, d_ff=24, n_layers=2, max_len=40)
    model, prompts = ModernLanguageModel(config).double(), torch.randint(4, 20, (5, 6))
    for row, length in enumerate(lengths):
        prompts[row, length:] = 0
    together = generate(model, None, prompts, 3, 12)
    for row, length in enumerate(lengths):
        assert generate(model, None, prompts[row : row + 1, :length], 3, 12)[0] == together[row]
    assert len({tuple(ids) for ids in together}) == 5


@torch.no_grad()
def test_the_future_is_not_seen():
    torch.manual_seed(0)
    model, ids = (
        ModernLanguageModel(
            ModernConfig(20, d_model=16, n_heads=4, n_kv_heads=2, d_ff=24, n_layers=2)
        ).eval(),
        torch.randint(20, (3, 9)),
    )
    changed = ids.clone()
    changed[:, 5:] = (ids[:, 5:] + 1) % 20
    torch.testing.assert_close(model(changed)[:, :5], model(ids)[:, :5], rtol=0, atol=1e-6)


def test_texts_in_one_line_are_judged_on_their_english_alone():
    inputs, labels = make_texts(20, 32, seed=0)
    assert inputs.shape == labels.shape == (20, 32) and tokenizer.unk_id not in inputs
    for ids, targets in zip(inputs.tolist(), labels.tolist(), strict=True):
        english = False
        for id, target, following in zip(ids, targets, [*ids[1:], None], strict=True):
            english = (english or id == tokenizer.ids["→"]) and id != tokenizer.eos_id
            assert english or target == tokenizer.pad_id
            assert not english or following in (target, None)


def test_texts_in_one_line_are_the_same_for_a_seed():
    first, again, other = (make_texts(3, 8, seed)[0] for seed in (1, 1, 2))
    assert first.equal(again) and not first.equal(other)
