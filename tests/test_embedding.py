"""Token embedding and positions, chapters 02 and 03."""

import math

import pytest
import torch
from torch import nn

from helpers.embedding import TokenEmbedding
from helpers.positional_encoding import LearnedPositionalEmbedding, SinusoidalPositionalEncoding

POSITIONS = [LearnedPositionalEmbedding, SinusoidalPositionalEncoding]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_token_embedding_equals_nn_embedding(dtype):
    ours, theirs = TokenEmbedding(11, 6).to(dtype), nn.Embedding(11, 6, dtype=dtype)
    theirs.weight.data.copy_(ours.weight.data)
    ids = torch.randint(11, (3, 7))
    x, y = ours(ids), theirs(ids) * math.sqrt(6)
    torch.testing.assert_close(x, y)
    grad = torch.randn_like(x)
    x.backward(grad)
    y.backward(grad)
    torch.testing.assert_close(ours.weight.grad, theirs.weight.grad)


def test_token_embedding_has_unit_variance():
    torch.manual_seed(0)
    assert TokenEmbedding(1000, 256)(torch.arange(1000)).std().item() == pytest.approx(1, abs=0.02)


def test_only_rows_used_get_gradient():
    embedding = TokenEmbedding(9, 4)
    embedding(torch.tensor([[2, 5, 2]])).sum().backward()
    assert embedding.weight.grad.abs().sum(1).nonzero().flatten().tolist() == [2, 5]


def test_learned_positions_equal_nn_embedding():
    ours, theirs = LearnedPositionalEmbedding(6, 10), nn.Embedding(10, 6)
    theirs.weight.data.copy_(ours.weight.data)
    x = torch.randn(2, 7, 6)
    torch.testing.assert_close(ours(x), x + theirs(torch.arange(7)))


@pytest.mark.parametrize("d_model", [2, 6, 64, 512])
def test_sinusoids_equal_the_formula(d_model):
    table = SinusoidalPositionalEncoding(d_model, 300)(torch.zeros(1, 300, d_model))[0]
    for position in (0, 1, 17, 299):
        for i in range(d_model // 2):
            angle = position / 10000 ** (2 * i / d_model)
            assert table[position, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-4)
            assert table[position, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-4)


@pytest.mark.parametrize("cls", POSITIONS)
def test_positions_tell_shuffled_tokens_apart_and_leave_the_input_alone(cls):
    module, x = cls(8, 5), torch.randn(1, 5, 8)
    before = x.clone()
    shuffled = module(x.flip(1)).flip(1)
    assert not torch.allclose(module(x), shuffled)
    assert torch.equal(x, before)


@pytest.mark.parametrize("cls", POSITIONS)
def test_positions_work_at_max_len_and_move_with_the_module(cls):
    module = cls(8, 5)
    assert module(torch.zeros(2, 5, 8)).shape == (2, 5, 8)
    assert module.to(torch.float64)(torch.zeros(2, 3, 8, dtype=torch.float64)).dtype == torch.float64
    assert module.to("meta")(torch.zeros(1, 5, 8, device="meta")).device.type == "meta"


def test_the_state_dict_holds_what_is_learned_and_no_more():
    assert list(TokenEmbedding(3, 4).state_dict()) == ["weight"]
    assert list(LearnedPositionalEmbedding(4, 3).state_dict()) == ["weight"]
    assert list(SinusoidalPositionalEncoding(4, 3).state_dict()) == []
