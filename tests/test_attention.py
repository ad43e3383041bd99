"""Scaled dot-product attention and the attention head, chapter 04."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from helpers.attention import AttentionHead, scaled_dot_product_attention

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
    output, weights = head(x, memory, memory)
    expected = F.scaled_dot_product_attention(head.w_q(x), head.w_k(memory), head.w_v(memory))
    torch.testing.assert_close(output, expected)
    assert output.shape == (2, 3, 4) and weights.shape == (2, 3, 5)


def test_every_parameter_of_a_head_gets_its_own_gradient():
    torch.manual_seed(0)
    head, x = AttentionHead(6, 4), torch.randn(2, 3, 6)
    head(x, x, x)[0].square().sum().backward()
    grads = [layer.weight.grad for layer in (head.w_q, head.w_k, head.w_v)]
    assert all(grad.abs().sum() > 0 for grad in grads)
    assert not torch.allclose(grads[0], grads[1]) and not torch.allclose(grads[1], grads[2])
