"""Scaled dot-product attention, one head and many, chapters 04 and 05."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from helpers.attention import AttentionHead, scaled_dot_product_attention
from helpers.lesson.parity import in_their_order
from helpers.multi_head_attention import MultiHeadAttention, merge_heads, split_heads

sizes = st.integers(1, 6)


def by_loops(query, key, value, mask):
    """The specification, for query (T_q, d_k), key (T_k, d_k), value (T_k, d_v), mask (T_q, T_k)."""
    output, weights = torch.zeros(len(query), value.size(1)), torch.zeros(len(query), len(key))
    for i in range(len(query)):
        powers = {
            j: math.exp((query[i] @ key[j]).item() / math.sqrt(query.size(1)))
            for j in range(len(key))
            if mask[i, j]
        }
        for j, power in powers.items():
            weights[i, j] = power / sum(powers.values())
            output[i] += weights[i, j] * value[j]
    return output, weights


@given(sizes, sizes, sizes, sizes, st.integers(0, 10**6))
def test_attention_equals_the_specification(t_q, t_k, d_k, d_v, seed):
    torch.manual_seed(seed)
    query, key, value = torch.randn(t_q, d_k), torch.randn(t_k, d_k), torch.randn(t_k, d_v)
    mask = torch.rand(t_q, t_k) > 0.4  # some rows have nothing to attend to
    for ours, spec in zip(
        scaled_dot_product_attention(query, key, value, mask), by_loops(query, key, value, mask), strict=True
    ):
        torch.testing.assert_close(ours, spec, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize(("dtype", "gap"), [(torch.float32, 1e-5), (torch.float64, 1e-10)])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_equals_torch(dtype, gap, masked):
    torch.manual_seed(0)
    inputs = [torch.randn(2, 3, t, 8, dtype=dtype, requires_grad=True) for t in (5, 7, 7)]
    mask = torch.rand(2, 1, 5, 7) > 0.5 if masked else None
    ours = scaled_dot_product_attention(*inputs, mask)[0]
    theirs = F.scaled_dot_product_attention(*inputs, attn_mask=mask)
    grad = torch.randn_like(ours)
    pairs = zip(
        torch.autograd.grad(ours, inputs, grad), torch.autograd.grad(theirs, inputs, grad), strict=True
    )
    for one, other in [(ours, theirs), *pairs]:
        assert (one - other).abs().max().item() <= gap


@given(sizes, sizes, st.integers(0, 10**6))
def test_rows_of_weights_sum_to_one_or_are_zero(t_q, t_k, seed):
    torch.manual_seed(seed)
    mask = torch.rand(t_q, t_k) > 0.5
    _, weights = scaled_dot_product_attention(
        torch.randn(t_q, 4), torch.randn(t_k, 4), torch.randn(t_k, 4), mask
    )
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).float())
    assert (weights[~mask] == 0).all()


def test_a_fully_masked_row_gives_zeros_and_finite_gradients():
    query, key, value = (torch.randn(2, 4, 8, requires_grad=True) for _ in range(3))
    mask = torch.ones(4, 4, dtype=torch.bool)
    mask[1] = False
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    output.sum().backward()
    assert (output[:, 1] == 0).all() and (weights[:, 1] == 0).all()
    assert all(x.grad.isfinite().all() for x in (query, key, value))


def test_a_causal_mask_hides_the_future():
    x = torch.randn(1, 6, 8)
    changed = x.clone()
    changed[0, 3:] += 1.0
    mask = torch.ones(6, 6, dtype=torch.bool).tril()
    before, after = (scaled_dot_product_attention(y, y, y, mask)[0] for y in (x, changed))
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.allclose(before[:, 3:], after[:, 3:])


def test_extreme_scores_stay_finite():
    x = torch.full((1, 3, 4), 1e4)
    output, weights = scaled_dot_product_attention(x, x, x)
    assert output.isfinite().all() and torch.allclose(weights, torch.full((1, 3, 3), 1 / 3))


def test_head_is_three_linear_layers_and_attention():
    head, x, memory = AttentionHead(6, 4), torch.randn(2, 3, 6), torch.randn(2, 5, 6)
    output, weights = head(x, memory)
    expected = F.scaled_dot_product_attention(head.w_q(x), head.w_k(memory), head.w_v(memory))
    torch.testing.assert_close(output, expected)
    assert output.shape == (2, 3, 4) and weights.shape == (2, 3, 5)


def test_every_parameter_of_a_head_gets_its_own_gradient():
    torch.manual_seed(0)
    head, x = AttentionHead(6, 4), torch.randn(2, 3, 6)
    head(x, x)[0].square().sum().backward()
    grads = [layer.weight.grad for layer in (head.w_q, head.w_k, head.w_v)]
    assert all(grad.abs().sum() > 0 for grad in grads)
    assert not torch.allclose(grads[0], grads[1]) and not torch.allclose(grads[1], grads[2])


def torch_twin(ours):
    """nn.MultiheadAttention with the same weights."""
    d_model = ours.w_o.in_features
    theirs = nn.MultiheadAttention(d_model, ours.n_heads, batch_first=True, dtype=ours.w_o.weight.dtype)
    for together, other in zip(in_their_order(ours), theirs.parameters(), strict=True):
        other.data.copy_(torch.cat(together))
    return theirs


def masks(batch, t_q, t_k):
    """No mask, padding of the keys, causal."""
    padding = torch.arange(t_k) < torch.randint(1, t_k + 1, (batch, 1))
    return [None, padding[:, None, None, :], torch.ones(t_q, t_k, dtype=torch.bool).tril()]


@pytest.mark.parametrize(("dtype", "gap"), [(torch.float32, 1e-5), (torch.float64, 1e-10)])
@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("self_attention", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_multi_head_attention_equals_torch(dtype, gap, need_weights, self_attention, training):
    torch.manual_seed(0)
    ours = MultiHeadAttention(16, 4).to(dtype).train(training)
    theirs = torch_twin(ours).train(training)
    query = torch.randn(3, 5, 16, dtype=dtype, requires_grad=True)
    memory = query if self_attention else torch.randn(3, 7, 16, dtype=dtype, requires_grad=True)
    for mask in masks(3, 5, memory.size(1)):
        hidden = None if mask is None else ~mask.expand(3, 4, 5, -1).flatten(0, 1)
        x, weights = ours(query, memory, memory, mask, need_weights)
        y, theirs_weights = theirs(query, memory, memory, attn_mask=hidden, average_attn_weights=False)
        grad = torch.randn_like(x)
        pairs = [(x, y)]
        weights_of = [w.weight for w in (ours.w_q, ours.w_k, ours.w_v, ours.w_o)]
        *inputs, w_q, w_k, w_v, w_o = torch.autograd.grad(x, [query, memory, *weights_of], grad)
        ours_grads = [*inputs, torch.cat([w_q, w_k, w_v]), w_o]
        theirs_grads = torch.autograd.grad(
            y, [query, memory, theirs.in_proj_weight, theirs.out_proj.weight], grad
        )
        pairs += list(zip(ours_grads, theirs_grads, strict=True))
        pairs += [(weights, theirs_weights)] if need_weights else []
        assert all((a - b).abs().max().item() <= gap for a, b in pairs)
        assert (weights is None) != need_weights


@given(st.integers(1, 4), sizes, sizes, st.integers(0, 10**6))
def test_explicit_equals_fused_and_fully_masked_rows_are_finite(n_heads, t_q, t_k, seed):
    torch.manual_seed(seed)
    attention = MultiHeadAttention(4 * n_heads, n_heads)
    query = torch.randn(2, t_q, 4 * n_heads, requires_grad=True)
    memory = torch.randn(2, t_k, 4 * n_heads, requires_grad=True)
    mask = torch.rand(2, 1, t_q, t_k) > 0.5
    mask[0, 0, 0] = False
    results = []
    for need_weights in (False, True):
        output, weights = attention(query, memory, memory, mask, need_weights)
        results.append([output, *torch.autograd.grad(output.square().sum(), [query, memory])])
    for one, other in zip(*results, strict=True):
        assert one.isfinite().all()
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(output[0, 0], attention.w_o.bias)  # nothing but the bias is left
    assert (weights[0, :, 0] == 0).all()


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3))
def test_split_gives_each_head_its_columns_and_merge_undoes_it(n_heads, length, d_head):
    x = torch.randn(2, length, n_heads * d_head)
    heads = split_heads(x, n_heads)
    for head in range(n_heads):
        assert torch.equal(heads[:, head], x[..., head * d_head : (head + 1) * d_head])
    assert torch.equal(merge_heads(heads), x)


def test_weights_are_those_before_dropout():
    torch.manual_seed(0)
    attention = MultiHeadAttention(8, 2, dropout=0.5).train()
    x = torch.randn(2, 5, 8)
    output, weights = attention(x, x, x, need_weights=True)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 5))
    assert not torch.allclose(output, attention(x, x, x, need_weights=True)[0])
    attention.eval()
    torch.testing.assert_close(attention(x, x, x)[0], attention(x, x, x)[0])


def test_every_projection_gets_its_own_gradient():
    torch.manual_seed(0)
    attention, x = MultiHeadAttention(8, 2), torch.randn(2, 5, 8)
    attention(x, x, x)[0].square().sum().backward()
    q, k, v = (w.weight.grad for w in (attention.w_q, attention.w_k, attention.w_v))
    assert all(grad.abs().sum() > 0 for grad in (q, k, v, attention.w_o.weight.grad))
    assert not torch.allclose(q, k) and not torch.allclose(k, v)


def test_fewer_values_than_keys_are_refused():
    """The fused kernel would read past their end."""
    q, k, v = torch.randn(1, 3, 8), torch.randn(1, 5, 8), torch.randn(1, 4, 8)
    with pytest.raises(ValueError, match="^value: 4 tokens for 5 keys; each key needs its value$"):
        MultiHeadAttention(8, 2)(q, k, v)
