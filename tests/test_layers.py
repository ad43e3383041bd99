"""Layer normalization and the feed-forward network, chapter 07."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.layers import FeedForward, LayerNorm, layer_norm

DTYPES = [(torch.float32, 1e-5), (torch.float64, 1e-10)]


def gap(ours, theirs, x, grad, pairs):
    """The largest difference of outputs and of gradients of the input and the paired parameters."""
    a, b = ours(x), theirs(x)
    grads = [
        torch.autograd.grad(y, [x, *parameters], grad)
        for y, parameters in zip((a, b), zip(*pairs, strict=True), strict=True)
    ]
    return max((one - other).abs().max().item() for one, other in [(a, b), *zip(*grads, strict=True)])


@pytest.mark.parametrize(("dtype", "limit"), DTYPES)
@given(st.sampled_from([16, 64]), st.integers(0, 10**6))
def test_layer_norm_equals_torch(dtype, limit, d_model, seed):
    torch.manual_seed(seed)
    ours, theirs = LayerNorm(d_model).to(dtype), nn.LayerNorm(d_model, dtype=dtype)
    for parameter in ours.parameters():
        parameter.data.normal_()
    theirs.load_state_dict(ours.state_dict())
    x = torch.randn(2, 3, d_model, dtype=dtype, requires_grad=True)
    pairs = [(ours.weight, theirs.weight), (ours.bias, theirs.bias)]
    assert gap(ours, theirs, x, torch.randn_like(x), pairs) <= limit


@pytest.mark.parametrize(("dtype", "limit"), DTYPES)
@pytest.mark.parametrize(("activation", "module"), [("relu", nn.ReLU()), ("gelu", nn.GELU())])
def test_feed_forward_equals_two_linear_layers(dtype, limit, activation, module):
    torch.manual_seed(0)
    ours = FeedForward(8, 32, activation=activation).to(dtype)
    theirs = nn.Sequential(nn.Linear(8, 32), module, nn.Linear(32, 8)).to(dtype)
    theirs[0].load_state_dict(ours.linear1.state_dict())
    theirs[2].load_state_dict(ours.linear2.state_dict())
    x = torch.randn(2, 3, 8, dtype=dtype, requires_grad=True)
    pairs = list(zip(ours.parameters(), theirs.parameters(), strict=True))
    assert gap(ours, theirs, x, torch.randn_like(x), pairs) <= limit


def test_a_constant_token_is_finite():
    x = torch.full((1, 2, 8), 3.0, requires_grad=True)
    y = LayerNorm(8)(x)
    y.sum().backward()
    assert (y == 0).all() and x.grad.isfinite().all()


@pytest.mark.parametrize("dtype, limit", [(torch.float32, 1e-5), (torch.float64, 1e-12)])
def test_the_kernel_is_the_formula(dtype, limit):
    x, norm = torch.randn(3, 5, 16, dtype=dtype) * 7 + 2, LayerNorm(16).to(dtype)
    with torch.no_grad():
        norm.weight.uniform_(-2, 2), norm.bias.uniform_(-2, 2)
        by_hand = layer_norm(x, norm.weight, norm.bias, norm.eps)
        torch.testing.assert_close(norm(x), by_hand, rtol=0, atol=limit)


def test_layer_norm_catches_the_version_that_divides_by_std():
    x = torch.randn(4, 16)
    wrong = (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-12)
    torch.testing.assert_close(
        wrong / LayerNorm(16)(x), torch.full((4, 16), (15 / 16) ** 0.5), atol=1e-4, rtol=0
    )


def test_tokens_do_not_see_each_other():
    torch.manual_seed(0)
    x = torch.randn(1, 5, 8)
    changed = x.clone()
    changed[0, 2] += 1.0
    for module in (LayerNorm(8), FeedForward(8, 16)):
        moved = (module(x) - module(changed)).abs().amax(dim=(0, 2)) > 0
        assert moved.tolist() == [False, False, True, False, False]
