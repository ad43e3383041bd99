"""One step of the decoder in numbers: in a browser each station shows what PyTorch computes, and sums add up."""

import json
from decimal import Decimal

import pytest
import torch

from browser import PHONE, watched_page
from helpers import live
from helpers.__main__ import main
from helpers.checkpoints import save_checkpoint
from helpers.corpus import RUNNING_EXAMPLE, make_pairs
from helpers.tokenization import BPETokenizer
from helpers.training import Trainer, encode_pairs
from helpers.transformer import Transformer
from helpers.translator import translator_config

STATIONS = 13
SMALL = {"d_model": 16, "n_heads": 2, "d_ff": 24, "n_layers": 2, "dropout": 0.0, "max_len": 60}
PREFIX = "I recently took a"

DEMO = """<!doctype html>
<html lang="ko" data-lang="{language}" data-theme="{theme}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>한 스텝 · One step</title>
<style>
:root {{--paper: #fff; --ink: #1d1d1f; --muted: #5b6066; --line: #c6cad0; --accent: #005a8f; --card: #f4f5f7}}
[data-theme=dark] {{--paper: #15171a; --ink: #e8e8e8; --muted: #a8aeb6; --line: #434950; --accent: #7cc4ff; --card: #1f2226}}
[data-lang=ko] :is(div, span)[lang=en], [data-lang=en] :is(div, span)[lang=ko] {{display: none}}
body {{margin: 1rem; color: var(--ink); background: var(--paper)}}
{css}
</style>
<main class="live"><h1>한 스텝 · One step</h1><h2>Step.show</h2><div class="step"></div></main>
<script>{data}</script>
<script>{script}
const engine = new Engine(window.TRANSLATOR);
Step.show(document.querySelector(".step"), engine, {text}, engine.tgt.encode({prefix}));
</script>
"""


def translator(**options):
    """A translator that nobody has trained, of weights that the page keeps."""
    pairs = make_pairs("train", 120)
    korean, english = (BPETokenizer(list(side), 700) for side in zip(*pairs, strict=True))
    torch.manual_seed(0)
    model = Transformer(len(korean), len(english), **SMALL | options).eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight += 0.05 * torch.randn_like(weight)
            weight.copy_(weight.half())
    return model, korean, english


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Writes a page of its own for a translator, and gives its address."""
    folder = tmp_path_factory.mktemp("step")

    def write(parts, language="both", theme="light", text=RUNNING_EXAMPLE[0], prefix=PREFIX):
        script, css = live.text_of("engine.js", "step.js"), live.text_of("translator.css", "step.css")
        path = folder / "step.html"
        page = DEMO.format(
            language=language,
            theme=theme,
            css=css,
            data=live.live_parts(*parts)["data"],
            script=script,
            text=json.dumps(text),
            prefix=json.dumps(prefix),
        )
        path.write_text(page, "utf-8")
        return path.as_uri()

    return write


def go(page, station):
    page.click(f".stops button >> nth={station - 1}")


def title(page):
    return page.inner_text(".title h3")


def shown(page):
    """What the station shows: {name: numbers, as text} of vectors, {name: rows} of tables."""
    return page.evaluate("""() => {
        const text = (all) => [...all].map((one) => one.textContent.replaceAll("−", "-"));
        const rows = (table) => [...table.tBodies[0].rows].map((row) => text(row.cells));
        const stage = document.querySelector(".step .stage"), found = {};
        for (const one of stage.querySelectorAll("[data-name]")) {
            if (one.matches(".vector")) found[one.dataset.name] = text(one.querySelectorAll(".numbers span"))
                .filter((number) => number !== "…");
            else found[one.dataset.name] = one.matches("table") ? rows(one) : text([one])[0];
        }
        return found;
    }""")


def computed(model, src, tgt):
    """What each module of the model takes in and gives, by name; and the logits of the last token."""
    seen, hooks = {}, []
    for name, module in model.named_modules():

        def keep(module, given, result, name=name):
            seen[name] = given[0], result[0] if isinstance(result, tuple) else result

        hooks.append(module.register_forward_hook(keep))
    with torch.no_grad():
        logits = model(torch.tensor([src]), torch.tensor([tgt]))[0, -1]
    for hook in hooks:
        hook.remove()
    return {name: (given[0], result[0]) for name, (given, result) in seen.items()}, logits


def close(found, wanted):
    """As shown, so within a unit of the third decimal."""
    wanted = torch.as_tensor(wanted)[: len(found)]
    torch.testing.assert_close(torch.tensor([float(one) for one in found]), wanted, rtol=0, atol=1.1e-3)


def column(rows, number):
    return [row[number] for row in rows]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"norm_first": True, "activation": "gelu", "positions": "learned", "n_heads": 4, "tie_generator": True},
        {"d_model": 6, "n_heads": 2, "n_layers": 1, "activation": "silu"},
    ],
    ids=["post-LN", "pre-LN", "tiny"],
)
def test_every_station_shows_the_numbers_of_pytorch(page, demo, options):
    model, korean, english = parts = translator(**options)
    src, tgt = korean.encode(RUNNING_EXAMPLE[0]), [english.bos_id, *english.encode(PREFIX)]
    page.goto(demo(parts))
    seen, logits = computed(model, src, tgt)
    chosen = english.tokens[logits[1:].argmax() + 1].removeprefix(" ")
    n_heads, n_layers = len(model.decoder.layers), model.decoder.layers[0].attention.n_heads
    n_heads, n_layers = n_layers, n_heads
    d_head, head, layer = model.d_model // n_heads, n_heads - 1, n_layers - 1
    cut = slice(head * d_head, (head + 1) * d_head)

    found = shown(page)
    memory = seen["encoder"][1]
    for i in range(len(src)):
        close(found[f"memory-{i}"], memory[i])

    go(page, 2)
    found, embedded = shown(page), seen["tgt_embed"][1][-1]
    close(found["row"], model.tgt_embed.tokens.weight[tgt[-1]].detach())
    close(found["token"], seen["tgt_embed.tokens"][1][-1])
    close(found["position"], embedded - seen["tgt_embed.tokens"][1][-1])
    close(found["x"], embedded)

    go(page, 3)
    page.click(".choice >> nth=-1 >> button >> nth=-1")  # the last head
    if n_layers > 1:
        page.click(".choice >> nth=0 >> button >> nth=-1")  # and layer
    name = f"decoder.layers.{layer}."
    for part, stations in (("attention", (4, 5, 6, 7)), ("cross_attention", (9, 9, 10, 10))):
        attention = model.get_submodule(name + part)
        given, output = seen[name + part]
        keys_from = given if part == "attention" else memory
        with torch.no_grad():
            w_q, w_k, w_v = attention.w_qkv.weight.chunk(3)
            b_q, b_k, b_v = attention.w_qkv.bias.chunk(3)
            q = (given[-1] @ w_q.T + b_q)[cut]
            keys, values = ((keys_from @ w.T + b)[:, cut] for w, b in ((w_k, b_k), (w_v, b_v)))
        if part == "attention":
            found = shown(page)
            close(found["input"], given[-1])
            for label, wanted in (("q", q), ("k", keys[-1]), ("v", values[-1])):
                close(found[label], wanted)

        go(page, stations[0])
        if part == "cross_attention":
            page.click("[data-name=by-hand] summary >> nth=0")
        page.click("[data-name=scores] button >> nth=1")
        found = shown(page)
        close(column(found["scores"], 1), keys @ q)
        close(found["q"], q)
        products = found["products"]
        assert len(products) == d_head
        close(column(products, 1), q)
        close(column(products, 2), keys[1])
        close(column(products, 3), keys[1] * q)
        assert products[-1][4] == found["score"].split(" = ")[1]
        close([products[-1][4]], [keys[1] @ q])

        go(page, stations[1])
        rows = shown(page)["weights"][:-1]
        weights = (keys @ q / d_head**0.5).softmax(-1)
        close(column(rows, 1), keys @ q)
        close(column(rows, 2), keys @ q / d_head**0.5)
        close(column(rows, 3), weights)

        go(page, stations[2])
        *rows, last = shown(page)["values"]
        close(column(rows, 1), weights)
        close(column(rows, 2), values[:, 0])
        close(column(rows, 3), weights * values[:, 0])
        close([last[3]], weights @ values[:, 0:1])

        go(page, stations[3])
        found = shown(page)
        with torch.no_grad():
            joined = torch.linalg.solve(attention.w_o.weight, output[-1] - attention.w_o.bias)
        torch.testing.assert_close(joined[cut], weights @ values, rtol=1e-2, atol=1e-3)
        close(found["heads"], joined)
        close(column(found["shares"], 1)[-1:], output[-1][:1])
        close([found["shares"][head][1]], [weights @ values @ attention.w_o.weight[0, cut].detach()])
        close(found["output"], output[-1])

    for number, (station, module) in enumerate([(8, "attention"), (10, "cross_attention"), (11, "feed_forward")]):
        go(page, station)
        found, residual = shown(page), f"{name}residuals.{number}"
        x, result = seen[residual][0][-1], seen[residual][1][-1]
        close(found["x"], x)
        close(found["output"], seen[name + module][1][-1])
        close(found["sum"], x + seen[name + module][1][-1])
        if not options.get("norm_first"):
            close(found["result"], result)
    hidden = seen[name + "feed_forward.linear1"][1][-1]
    close(found["hidden"], hidden)
    close(found["activated"], seen[name + "feed_forward.linear2"][0][-1])
    above = int((hidden > 0).sum())
    assert f"{above} of them are above 0" in page.inner_text(".stage")

    go(page, 12)
    found = shown(page)
    assert found["layers"][layer][3] == f"{above}/{len(hidden)}"
    close(found["embedding"], embedded)
    for one in range(n_layers):
        close(found[f"layer-{one}"], seen[f"decoder.layers.{one}"][1][-1])
        for cell, part in ((1, "attention"), (2, "cross_attention")):
            # the mean of the heads, as the module returns it
            assert float(found["layers"][one][cell].split()[-1]) <= 1

    go(page, 13)
    found = shown(page)
    close(found["x"], seen["decoder"][1][-1])
    logits[model.tgt_pad_id] = -torch.inf
    best = logits.topk(5)
    rows = found["logits"][:5]
    assert column(rows, 0) == [english.tokens[i].removeprefix(" ") for i in best.indices]
    close(column(rows, 1), best.values)
    close(column(rows, 2), logits.softmax(-1)[best.indices])
    assert found["written"].endswith(": " + chosen) and rows[0][0] == chosen
