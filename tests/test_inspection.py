"""Looking inside, chapter 13: hooks that change nothing, parts that come back, a viewer that stands alone."""

import html
import json
import re

import pytest
import torch

from helpers.inspection import attention_weights, without_head, without_part
from helpers.transformer import Transformer
from helpers.viewer import attention_viewer

SRC, TGT = torch.tensor([[5, 6, 7], [8, 9, 0]]), torch.tensor([[2, 4, 5, 6], [2, 7, 0, 0]])


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Transformer(12, 13, 8, 2, 16, n_layers=3, dropout=0.2).eval()


def test_weights_of_every_head(model):
    before = model(SRC, TGT)
    weights = attention_weights(model, SRC, TGT)
    shapes = {"encoder": (3, 2, 2, 3, 3), "decoder": (3, 2, 2, 4, 4), "cross": (3, 2, 2, 4, 3)}
    assert {name: tuple(part.shape) for name, part in weights.items()} == shapes
    for part in weights.values():
        torch.testing.assert_close(part.sum(dim=-1), torch.ones(part.shape[:-1]))
    assert weights["decoder"].triu(1).abs().max() == 0  # the future
    assert weights["encoder"][:, 1, :, :, 2].abs().max() == weights["cross"][:, 1, :, :, 2].abs().max() == 0
    assert torch.equal(model(SRC, TGT), before)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_the_weights_are_those_of_the_layers(model):
    layer = model.encoder.layers[0]
    x = model.src_embed(SRC)
    _, wanted = layer.attention(x, x, x, (SRC != 0)[:, None, None], need_weights=True)
    torch.testing.assert_close(attention_weights(model, SRC, TGT)["encoder"][0], wanted)


def test_hooks_go_even_after_an_error(model):
    with pytest.raises(ValueError, match="^tgt"):
        attention_weights(model, SRC, TGT + 100)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_without_a_head_its_columns_add_nothing(model):
    attention = model.decoder.layers[1].cross_attention
    x, memory = torch.randn(2, 4, 8), torch.randn(2, 3, 8)
    whole, _ = attention(x, memory, memory)
    parts = []
    for head in range(2):
        with without_head(attention, head):
            parts.append(attention(x, memory, memory)[0])
    torch.testing.assert_close(parts[0] + parts[1], whole + attention.w_o.bias)
    assert not torch.allclose(parts[0], whole)
    assert torch.equal(attention(x, memory, memory)[0], whole)


@pytest.mark.parametrize("broken", [False, True])
def test_without_a_part_and_back(model, broken):
    before = model(SRC, TGT)
    layer = model.encoder.layers[1]
    try:
        with without_part(model.encoder.layers, "1"):
            assert not torch.allclose(model(SRC, TGT), before)
            if broken:
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert model.encoder.layers[1] is layer and torch.equal(model(SRC, TGT), before)


WEIGHTS = {"cross": torch.rand(2, 3, 2, 4)}
WORDS = ["</script>", "<!--<script>", '<b>"굵게"</b>', "파리"]


def test_the_viewer_holds_everything_and_no_word_ends_the_script():
    page = attention_viewer(WEIGHTS, {"cross": ("크로스", ["I", "took"], WORDS)}, id="one")
    assert page.count("</script>") == 1 and page.endswith("</script>")
    assert page.count("<script") == 1 and "<!--" not in page  # what a word may not begin either
    data = json.loads(re.search(r"parts = (\{.*\}), names", page)[1])
    assert data["cross"]["keys"] == WORDS
    torch.testing.assert_close(torch.tensor(data["cross"]["weights"]), WEIGHTS["cross"], rtol=0, atol=6e-4)
    assert not re.search(r"(src|href)=|https?:|import |fetch\(", page)  # no network
    assert page.count('id="one"') == 1 and "$" not in page
    assert html.unescape(page) == page or "&" not in page.split("<script>")[0]


def test_the_viewer_refuses_labels_that_do_not_fit():
    with pytest.raises(ValueError, match=r"^weights: cross is \(2, 3, 2, 4\); the labels ask for .*, 3, 4\)"):
        attention_viewer(WEIGHTS, {"cross": ("크로스", ["I", "took", "a"], WORDS)})
