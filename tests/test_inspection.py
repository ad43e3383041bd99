"""Looking inside, chapter 13: hooks that change nothing, parts that come back, a viewer that stands alone."""

import contextlib
import copy
import html
import json
import re

import pytest
import torch
from nbformat.v4 import new_output
from torch import nn

import editions
from approximate import first_difference
from helpers.decoding import beam_search, generate
from helpers.engine.languages import speak
from helpers.figures.viewer import attention_viewer
from helpers.inspection import ablate_head, ablate_module, attention_weights
from helpers.transformer import Transformer, TransformerConfig

SRC, TGT = torch.tensor([[5, 6, 7], [8, 9, 0]]), torch.tensor([[2, 4, 5, 6], [2, 7, 0, 0]])


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Transformer(
        TransformerConfig(12, 13, d_model=8, n_heads=2, d_ff=16, n_layers=3, dropout=0.2)
    ).eval()


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


def test_an_ablated_head_adds_nothing(model):
    attention = model.decoder.layers[1].cross_attention
    x, memory = torch.randn(2, 4, 8), torch.randn(2, 3, 8)
    whole, _ = attention(x, memory, memory)
    parts = []
    for head in range(2):
        with ablate_head(attention, head):
            parts.append(attention(x, memory, memory)[0])
    torch.testing.assert_close(parts[0] + parts[1], whole + attention.w_o.bias)
    assert not torch.allclose(parts[0], whole)
    assert torch.equal(attention(x, memory, memory)[0], whole)


@pytest.mark.parametrize("head", [-1, 2, 99, 0.0])
def test_a_head_that_is_not_there(model, head):
    with pytest.raises(ValueError, match=f"^head: value is {head}; choose one from 0 to 1$"):
        with ablate_head(model.encoder.layers[0].attention, head):
            pass


def translations(model):
    """Greedy and by beam search, both with the KV cache."""
    return generate(model, SRC, 2, 3, 8), beam_search(model, SRC, 2, 3, 8, num_beams=2)


@pytest.mark.parametrize("side", ["encoder", "decoder"])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_the_stack_runs_without_an_ablated_layer(model, side, index):
    smaller = copy.deepcopy(model)
    layers = getattr(smaller, side).layers
    getattr(smaller, side).layers = nn.ModuleList(layer for layer in layers if layer is not layers[index])
    with ablate_module(getattr(model, side).layers, str(index)):
        assert torch.equal(model(SRC, TGT), smaller(SRC, TGT))
        assert translations(model) == translations(smaller)


ATTENTIONS = {
    "encoder": lambda model: (model.encoder.layers[1], "attention"),
    "decoder": lambda model: (model.decoder.layers[1], "attention"),
    "cross": lambda model: (model.decoder.layers[1], "cross_attention"),
}


@pytest.mark.parametrize("find", ATTENTIONS.values(), ids=ATTENTIONS)
def test_ablated_attention_adds_nothing(model, find):
    silent = copy.deepcopy(model)  # its values are 0, which is another way to the same
    layer, name = find(silent)
    attention = getattr(layer, name)
    for values in (attention.w_v.weight, attention.w_v.bias):
        values.data.zero_()
    attention.w_o.bias.data.zero_()
    whole = model(SRC, TGT)
    with ablate_module(*find(model)):
        torch.testing.assert_close(model(SRC, TGT), silent(SRC, TGT))
        assert not torch.allclose(model(SRC, TGT), whole)
        assert generate(model, SRC, 2, 3, 8) == generate(silent, SRC, 2, 3, 8)


PASSED_ON = {
    "positions": lambda model: (model.tgt_embed, "positions"),
    "dropout": lambda model: (model.src_embed, "dropout"),
    "norm": lambda model: (model.decoder.layers[0].residuals[1], "norm"),
    "feed_forward": lambda model: (model.encoder.layers[2], "feed_forward"),
    "residual": lambda model: (model.decoder.layers[1].residuals, "1"),
}


@pytest.mark.parametrize("find", PASSED_ON.values(), ids=PASSED_ON)
def test_any_other_ablated_module_hands_on_its_first_argument(model, find):
    parent, name = find(model)
    with ablate_module(parent, name):
        module, x = dict(parent.named_children())[name], torch.randn(2, 4, 8)
        assert module(x) is x and module(x, nn.Identity()) is x and module(x, offset=3) is x
        alone = torch.cat([model(src[None], tgt[None]) for src, tgt in zip(SRC, TGT, strict=True)])
        torch.testing.assert_close(model(SRC, TGT), alone)
        assert len(generate(model, SRC, 2, 3, 8)) == 2


def test_a_module_that_is_not_there(model):
    with pytest.raises(ValueError, match=r"^name: value is '3'; choose one of \['0', '1', '2'\]$"):
        with ablate_module(model.decoder.layers, "3"):
            pass
    with pytest.raises(ValueError, match="^name: value is 'cross_attention'; choose one of .*'feed_forward'"):
        with ablate_module(model.encoder.layers[0], "cross_attention"):
            pass


ABLATIONS = {
    "head": lambda model: ablate_head(model.encoder.layers[1].attention, 1),
    "layer": lambda model: ablate_module(model.encoder.layers, "1"),
    "attention": lambda model: ablate_module(*ATTENTIONS["cross"](model)),
    "positions": lambda model: ablate_module(*PASSED_ON["positions"](model)),
}


@pytest.mark.parametrize("ablate", ABLATIONS.values(), ids=ABLATIONS)
@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_everything_comes_back(model, ablate, error):
    modules, before = list(model.named_modules()), model(SRC, TGT)
    with pytest.raises(error) if error else contextlib.nullcontext():
        with ablate(model):
            assert not torch.allclose(model(SRC, TGT), before)
            if error:
                raise error
    assert list(model.named_modules()) == modules and torch.equal(model(SRC, TGT), before)


WEIGHTS = {"cross": torch.rand(2, 3, 2, 4)}
CROSS = ("크로스", "cross")
WORDS = ["</script>", "<!--<script>", '<b>"굵게"</b>', "파리"]


def test_the_viewer_holds_everything_and_no_word_ends_the_script():
    page = attention_viewer(WEIGHTS, {"cross": (CROSS, ["I", "took"], WORDS)}, id="one")
    assert page.count("</script>") == 1 and page.endswith("</script>")
    assert page.count("<script") == 1
    parts, weights = (
        json.loads(re.search(pattern, page)[1])
        for pattern in (r"parts = (\{.*\}), names", r"weights = /\* ≈ “ \*/ (\{.*\}) /\* ” \*/;")
    )
    assert parts["cross"]["keys"] == WORDS
    torch.testing.assert_close(torch.tensor(weights["cross"]), WEIGHTS["cross"], rtol=0, atol=6e-4)
    assert not re.search(r"(src|href)=|https?:|import |fetch\(", page)  # no network
    assert page.count('id="one"') == 1 and "$" not in page
    script = page[page.index("<script>") + 8 :]
    assert "<!--" not in script  # what a word may not begin either
    assert html.unescape(script) == script  # a script would show entities as they are


def test_a_table_stands_before_the_script_of_the_viewer():
    page = attention_viewer(WEIGHTS, {"cross": (CROSS, ["I", "took"], WORDS)})
    table = page[page.index("<table>") : page.index("<script>")]
    assert [html.unescape(word) for word in re.findall("<th>(.*?)</th>", table)] == ["", *WORDS, "I", "took"]
    numbers = torch.tensor([float(x) for x in re.findall("<td>(.*?)</td>", table)]).view(2, 4)
    torch.testing.assert_close(numbers, WEIGHTS["cross"][-1].mean(dim=0), rtol=0, atol=6e-3)
    assert "cross, layer 1, mean of heads" in page[: page.index("<script>")]  # the last of 2, counted from 0


@pytest.mark.parametrize("choice, hidden", [("ko", "query|layer|mean|cross"), ("en", "[가-힣]")])
def test_the_viewer_speaks_one_language(choice, hidden, page):
    speak(choice)
    viewer = attention_viewer(WEIGHTS, {"cross": (CROSS, ["I", "took"], ["a", "b", "c", "d"])})
    table = viewer[viewer.index("</style>") : viewer.index("<script>")]
    page.set_content(viewer)
    assert not re.search(hidden, page.locator(".attention-viewer").inner_text() + table)


def test_the_viewer_of_both_languages_holds_that_of_each():
    labels = {"cross": (CROSS, ["I", "took"], WORDS)}
    both = new_output("display_data", data={"text/html": attention_viewer(WEIGHTS, labels)})
    for choice in ("ko", "en"):
        derived = copy.deepcopy(both)
        editions.one_language_output(derived, choice)
        speak(choice)
        assert derived.data["text/html"] == attention_viewer(WEIGHTS, labels)


def luminance(color):
    """Of a color rgb(r, g, b), as WCAG 2.2 defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(share * x for share, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_words_of_the_viewer_stand_out_from_their_bars(page, scheme):
    page.emulate_media(color_scheme=scheme)
    viewer = attention_viewer(WEIGHTS, {"cross": (CROSS, ["I", "took"], WORDS)})
    page.set_content(f'<meta name="color-scheme" content="light dark"><body style="color: gray">{viewer}')
    style = "getComputedStyle(document.querySelector('#attention-viewer li > span'))"
    ink, paper, bar = page.evaluate(f"[{style}.color, {style}.backgroundColor, {style}.backgroundImage]")
    inked, *behind = map(luminance, (ink, paper, bar.removeprefix("linear-gradient(90deg, ")))
    assert (inked > 0.5) == (scheme == "dark") and len(set(behind)) == 2
    for other in behind:
        assert (max(inked, other) + 0.05) / (min(inked, other) + 0.05) >= 4.5


def test_the_weights_of_a_viewer_are_an_example_and_its_words_are_not():
    words = (CROSS, ["I", "took"], WORDS)
    page = attention_viewer(WEIGHTS, {"cross": words})
    assert first_difference(page, attention_viewer({"cross": WEIGHTS["cross"] / 2}, {"cross": words})) == ""
    assert first_difference(page, attention_viewer(WEIGHTS, {"cross": (("다른", "other"), *words[1:])}))


def test_the_viewer_refuses_labels_that_do_not_fit():
    with pytest.raises(ValueError, match=r"^weights: cross is \(2, 3, 2, 4\); the labels ask for .*, 3, 4\)"):
        attention_viewer(WEIGHTS, {"cross": (CROSS, ["I", "took", "a"], WORDS)})


def test_a_key_pressed_in_the_viewer_stays_in_it(page):
    viewer = attention_viewer(WEIGHTS, {"cross": (CROSS, ["I", "took"], WORDS)})
    page.set_content(f"""<button>outside</button>{viewer}<script>
        const heard = [];  // as Notebook 7 hears: at the document, before what is in it
        document.addEventListener("keydown", (event) => heard.push(event.key), true);
    </script>""")
    words = page.locator("#attention-viewer .words button")
    words.first.focus()
    page.keyboard.press("ArrowDown")
    assert words.nth(1).evaluate("word => word === document.activeElement && word.ariaPressed") == "true"
    page.keyboard.press("x")
    page.keyboard.press("Shift+Enter")
    page.get_by_text("outside").focus()
    page.keyboard.press("y")
    assert page.evaluate("heard") == ["Enter", "y"]
