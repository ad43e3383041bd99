"""One step of the decoder in numbers: each station shows what PyTorch computes, alike at every station."""

import json

import pytest
import torch

from browser import PHONE, serious, watched_page
from helpers import live
from helpers.__main__ import main
from helpers.corpus import RUNNING_EXAMPLE
from helpers.inspection import attention_weights
from small_translator import translator, write_checkpoint

STATIONS = 14
PREFIX = "I recently took a"

DEMO = """<!doctype html>
<html lang="ko" data-lang="{language}" data-theme="{theme}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>한 스텝 · One step</title>
<style>
:root {{--paper: #fff; --ink: #1d1d1f; --muted: #5b6066; --line: #c6cad0; --accent: #005a8f; --card: #f4f5f7}}
[data-theme=dark] {{
  --paper: #15171a; --ink: #e8e8e8; --muted: #a8aeb6; --line: #434950; --accent: #7cc4ff; --card: #1f2226}}
[data-lang=ko] :is(div, span)[lang=en], [data-lang=en] :is(div, span)[lang=ko] {{display: none}}
body {{margin: 1rem; color: var(--ink); background: var(--paper)}}
{css}
</style>
<main class="live"><h1>한 스텝 · One step</h1><h2>Step.mount</h2><div class="step"></div></main>
<script>{data}</script>
<script>{script}
const engine = new Engine(window.TRANSLATOR);
const memory = engine.encoder(engine.encode({text})), prefix = engine.tgt.encode({prefix});
const steps = [...engine.write(memory, {{prefix, maxLength: prefix.length + 1}})];
const chosen = {{temperature: 1, how: "greedy", tapped: prefix.length - 1}};
const sentence = {{memory, steps, at: steps.length - 1, ...chosen}};
const panel = Step.mount(document.querySelector(".step"), engine, {{"파리": "Paris"}}, () => {{}});
panel.show(sentence);
</script>
"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Writes a page of its own for a translator, and gives its address."""
    folder = tmp_path_factory.mktemp("step")

    def write(parts, language="both", theme="light", text=RUNNING_EXAMPLE[0], prefix=PREFIX):
        script = live.text_of("engine.js", "elements.js", "numbers.js", "stations.js", "step.js")
        css = live.text_of("translator.css", "step.css")
        path = folder / "step.html"
        page = DEMO.format(
            language=language,
            theme=theme,
            css=css,
            data="".join(live.live_parts(*parts)["data"]),
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
        const text = (all) => [...all].map((one) => one.textContent.replaceAll("−", "-").replaceAll("␣", ""));
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


def in_heads(x, n_heads):
    """(T, d_model) → (n_heads, T, d_head)."""
    return x.unflatten(-1, (n_heads, -1)).transpose(0, 1)


def column(rows, number):
    return [row[number] for row in rows]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {
            "norm_first": True,
            "activation": "gelu",
            "positions": "learned",
            "n_heads": 4,
            "tie_generator": True,
        },
        {"d_model": 6, "n_heads": 2, "n_layers": 1, "activation": "silu"},
    ],
    ids=["post-LN", "pre-LN", "tiny"],
)
def test_every_station_shows_the_numbers_of_pytorch(page, demo, options):
    model, korean, english = parts = translator(**options)
    words = [korean.tokens[i] for i in korean.encode(RUNNING_EXAMPLE[0])]
    src, tgt = korean.encode(RUNNING_EXAMPLE[0]), [english.bos_id, *english.encode(PREFIX)]
    page.goto(demo(parts))
    seen, logits = computed(model, src, tgt)
    chosen = english.tokens[logits[1:].argmax() + 1].removeprefix(" ")
    n_heads, n_layers = model.decoder.layers[0].attention.n_heads, len(model.decoder.layers)
    d_head, head, layer = model.d_model // n_heads, n_heads - 1, n_layers - 1
    cut = slice(head * d_head, (head + 1) * d_head)

    found = shown(page)
    memory = seen["encoder"][1]
    assert len(found["memory"]) == len(src)
    close(column(found["memory"], 1), memory[:, 0])
    cross = model.decoder.layers[-1].cross_attention
    with torch.no_grad():
        q = cross.w_q(seen[f"decoder.layers.{n_layers - 1}.cross_attention"][0][-1])
        looked = in_heads(q[None], n_heads) @ in_heads(cross.w_k(memory), n_heads).mT / d_head**0.5
    i = looked.softmax(-1).mean(0)[0].argmax()
    close(found["inside-0"], seen["src_embed"][1][i])
    for number in range(n_layers):
        attention, layer_seen = model.encoder.layers[number].attention, f"encoder.layers.{number}"
        close(found[f"inside-{number + 1}"], seen[layer_seen][1][i])
        given = seen[layer_seen + ".attention"][0]
        with torch.no_grad():
            q, k = (in_heads(w(given), n_heads) for w in (attention.w_q, attention.w_k))
            scores = q @ k.mT / d_head**0.5
        close(column(found["reading"], 1 + 2 * number), scores.softmax(-1).mean(0)[i])
    assert ("inside-norm" in found) == options.get("norm_first", False)
    close(found.get("inside-norm", []), memory[i])

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
    for part, stations in (("attention", (3, 4, 5, 6, 7)), ("cross_attention", (9, 9, 9, 10, 11))):
        attention = model.get_submodule(name + part)
        given, output = seen[name + part]
        keys_from = given if part == "attention" else memory
        with torch.no_grad():
            q = attention.w_q(given[-1])[cut]
            keys, values = (w(keys_from)[:, cut] for w in (attention.w_k, attention.w_v))
        go(page, stations[0])
        found = shown(page)
        close(found["input"], given[-1])
        for label, wanted in (("q", q), ("k", keys[-1]), ("v", values[-1])):
            if part == "attention" or label == "q":
                close(found[label], wanted)
        close([found["first-q"][-1][4]], q)

        go(page, stations[1])
        if part == "cross_attention":
            page.click("[data-name=fold-scores] summary >> nth=0")
        page.click("[data-name=scores] button >> nth=1")
        found = shown(page)
        close(column(found["scores"], 1), keys @ q)
        close(found["q"], q)
        products = found["products"]
        assert len(products) == d_head
        close(column(products, 1), q)
        close(column(products, 2), keys[1])
        close(column(products, 3), keys[1] * q)
        for text in (products[-1][4], found["score"].split(" = ")[-1]):
            close([text], [keys[1] @ q])

        if part == "cross_attention":
            close([found["first-k"][-1][4]], keys[1])

        go(page, stations[2])
        found = shown(page)
        rows = found["weights"][:-1]
        weights = (keys @ q / d_head**0.5).softmax(-1)
        close([found["softmax"].split(" = ")[1]], weights.max()[None])
        close(column(rows, 1), keys @ q)
        close(column(rows, 2), keys @ q / d_head**0.5)
        close(column(rows, 3), weights)

        go(page, stations[3])
        *rows, last = shown(page)["values"]
        close(column(rows, 1), weights)
        close(column(rows, 2), values[:, 0])
        close(column(rows, 3), weights * values[:, 0])
        close([last[3]], weights @ values[:, 0:1])
        if part == "cross_attention":
            close([shown(page)["first-v"][-1][4]], values[weights.argmax()])

        go(page, stations[4])
        found = shown(page)
        with torch.no_grad():
            joined = torch.linalg.solve(attention.w_o.weight, output[-1] - attention.w_o.bias)
        torch.testing.assert_close(joined[cut], weights @ values, rtol=1e-2, atol=1e-3)
        close(found["heads"], joined[cut])
        for text in (found["shares"][head][1], found["first-share"][-1][4]):
            close([text], [weights @ values @ attention.w_o.weight[0, cut].detach()])
        close(found["shares"][-1][1:2], output[-1])
        close(found["output"], output[-1])

    for number, (station, module) in enumerate(
        [(8, "attention"), (11, "cross_attention"), (12, "feed_forward")]
    ):
        go(page, station)
        found, residual = shown(page), f"{name}residuals.{number}"
        x, result = seen[residual][0][-1], seen[residual][1][-1]
        close(found["x"], x)
        close(found["output"], seen[name + module][1][-1])
        close(found["sum"], x + seen[name + module][1][-1])
        if not options.get("norm_first"):
            close(found["result"], result)
            close([found["normalized"].split(" ≈ ")[1]], result)
    hidden = seen[name + "feed_forward.linear1"][1][-1]
    close(found["hidden"], hidden)
    close([found["first-hidden"][-1][4]], hidden)
    close([found["first-output"][-1][4]], seen[name + "feed_forward"][1][-1])
    close(found["activated"], seen[name + "feed_forward.linear2"][0][-1])
    above = int((hidden > 0).sum())
    assert f"{above} of them are above 0" in page.inner_text(".stage")

    go(page, 13)
    found = shown(page)
    assert found["layers"][layer][3] == f"{above}/{len(hidden)}"
    close(found["embedding"], embedded)
    inside = attention_weights(model, torch.tensor([src]), torch.tensor([tgt]))
    for one in range(n_layers):
        close(found[f"layer-{one}"], seen[f"decoder.layers.{one}"][1][-1])
        for cell, part, tokens in ((1, "decoder", [english.tokens[i] for i in tgt]), (2, "cross", words)):
            mean = inside[part][one, 0, :, -1].mean(dim=0)
            token, weight = found["layers"][one][cell].rsplit(" ", 1)
            assert token == tokens[mean.argmax()].removeprefix(" ")
            close([weight], [mean.max()])

    go(page, 14)
    found = shown(page)
    close(found["x"], seen["decoder"][1][-1])
    logits[model.tgt_pad_id] = -torch.inf
    best = logits.topk(5)
    rows = found["logits"][:5]
    assert column(rows, 0) == [english.tokens[i].removeprefix(" ") for i in best.indices]
    close(column(rows, 1), best.values)
    close(column(rows, 2), logits.softmax(-1)[best.indices])
    close([found["first-logit"][-1][4]], best.values)
    close([found["softmax"].split(" = ")[1]], logits.softmax(-1)[best.indices])
    assert found["written"].endswith(": " + chosen) and rows[0][0] == chosen


def adds_up(terms, result):
    """But for rounding: every number is shown as near as three decimals allow."""
    return abs(sum(map(float, terms)) - float(result)) < 0.0005 * (len(terms) + 1) + 1e-9


def test_what_is_shown_as_a_sum_adds_up(page, demo):
    page.goto(demo(translator()))
    for station in range(1, STATIONS + 1):
        go(page, station)
        for head in (
            page.locator(".choice >> nth=-1 >> button").all()
            if station in (4, 5, 6, 7, 9, 10, 11)
            else [None]
        ):
            if head:
                head.click()
            found = shown(page)
            for terms in (("x", "output", "sum"), ("token", "position", "x")):
                if terms[-1] in found and terms[0] in found:
                    for *parts, result in zip(*(found[name] for name in terms), strict=True):
                        assert adds_up(parts, result)
            if "products" in found and station in (4, 9):
                rows = found["products"]
                assert all(adds_up(column(rows[: i + 1], 3), row[4]) for i, row in enumerate(rows))
            for name, number in (("weights", 3), ("values", 3), ("shares", 1), ("logits", 2)):
                if name in found:
                    *rows, last = found[name]
                    assert adds_up([text.removeprefix("< ") for text in column(rows, number)], last[number])
                    assert last[number] == "1.000" or name in ("values", "shares")


def test_a_long_sum_opens_whole(page, demo):
    page.goto(demo(translator(d_ff=72), "en"))
    go(page, 12)
    fold = page.locator("[data-name=fold-first-output]")
    fold.locator("summary").click()
    cells = fold.locator("tbody tr").all_inner_texts()
    fold.locator("text=Show the other 64").click()
    rows = fold.locator("tbody tr").all_inner_texts()
    assert len(rows) == 72 + 1 and fold.locator("table").count() == 1 and fold.locator("button").count() == 0
    assert cells == [*rows[:4], cells[4], *rows[-5:]]  # … between them, and the bias last


def test_a_number_is_the_same_at_every_station(page, demo):
    page.goto(demo(translator()))
    found = {}
    for station in range(1, STATIONS + 1):
        go(page, station)
        found[station] = shown(page)
    same = [
        [(2, "x"), (3, "input"), (8, "x"), (13, "embedding")],
        [(3, "q"), (4, "q")],
        [(7, "output"), (8, "output")],
        [(8, "result"), (9, "input"), (11, "x")],
        [(11, "result"), (12, "input"), (12, "x")],
        [(12, "result"), (13, "layer-0")],
        [(13, "layer-1"), (14, "x")],
    ]
    for places in same:
        assert len({tuple(found[station][name]) for station, name in places}) == 1, places


def test_the_token_that_is_chosen_is_in_view_on_a_wide_screen(page, demo):
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(demo(translator(), "en"))
    title(page)
    page.evaluate("document.querySelector('.step > .tokens').style.width = '120px'")
    page.locator(".step > .tokens button").last.click()
    last = page.locator(".step > .tokens button").last.bounding_box()
    row = page.locator(".step > .tokens").bounding_box()
    assert row["x"] <= last["x"] and last["x"] + last["width"] <= row["x"] + row["width"]


def test_one_goes_forward_and_back_by_button_key_and_stop(page, demo):
    page.goto(demo(translator(), "en"))
    assert title(page) == "1/14 From source to memory"
    page.keyboard.press("ArrowLeft")
    assert title(page).startswith("1/14")
    seen = [title(page)]
    for _ in range(STATIONS):
        page.keyboard.press("ArrowRight")
        seen.append(title(page))
    numbers = [one.split("/")[0] for one in seen]
    assert numbers == [*map(str, range(1, 15)), "2"]  # of the next step, or here of the first
    page.click(".step > .tokens button >> nth=-1")
    go(page, 14)
    page.click(".walk > button >> nth=0")
    assert title(page).startswith("13/14")
    page.click(".walk .next")
    assert title(page).startswith("14/14")
    place = page.locator(".walk .next").bounding_box()
    page.click(".walk > button >> nth=0")
    assert page.locator(".walk .next").bounding_box() == place  # one can tap on without looking
    go(page, 4)
    assert title(page).startswith("4/14")
    assert page.locator(".stops [aria-current=step]").get_attribute("aria-label").startswith("4 ")
    page.keyboard.press("Control+ArrowRight")  # is the browser's
    assert title(page).startswith("4/14")
    page.focus("[data-name=scores] button >> nth=1")
    page.keyboard.press("Enter")  # the keyboard stays where it was
    assert page.evaluate("document.activeElement.textContent") == "␣I"
    assert page.get_attribute("[data-name=scores] button >> nth=1", "aria-pressed") == "true"
    page.keyboard.press("ArrowRight")
    assert title(page).startswith("5/14")


def test_head_layer_and_token_can_be_chosen(page, demo):
    page.goto(demo(translator(), "en"))
    go(page, 3)
    seen = [shown(page)["q"]]
    page.locator(".choice >> nth=1 >> button[aria-pressed=false]").first.click()
    seen.append(shown(page)["q"])
    page.click(".choice >> nth=0 >> button >> nth=1")
    seen.append(shown(page)["q"])
    page.click(".step > .tokens button >> nth=1")
    seen.append(shown(page)["q"])
    assert len(set(map(tuple, seen))) == 4
    go(page, 2)
    assert page.locator(".stage ol.read li").all_inner_texts() == ["<bos>", "␣I"]
    go(page, 13)
    page.click("[data-name=layers] button >> nth=0")
    assert title(page).startswith("3/14")
    assert page.get_attribute(".choice >> nth=0 >> button >> nth=0", "aria-pressed") == "true"


def test_it_begins_with_the_head_that_mixes_the_most(page, demo):
    page.goto(demo(translator(), "en"))
    go(page, 3)
    sums = page.evaluate("""() => {
        const {decoder, cross} = sentence.steps[sentence.at].attention;
        return decoder[0].map((weights, head) => Math.max(...weights) + Math.max(...cross[0][head]));
    }""")
    assert len(set(sums)) > 1
    pressed = page.locator(".choice >> nth=1 >> button").evaluate_all(
        "all => all.map((one) => one.ariaPressed)"
    )
    assert pressed.index("true") == sums.index(min(sums))


def test_cross_attention_begins_with_the_head_that_looks_as_all_do_until_one_is_chosen(page, demo):
    page.goto(demo(translator(), "en"))
    go(page, 9)
    far = page.evaluate("""() => {
        const heads = sentence.steps[sentence.at].attention.cross[0];
        const sum = (values) => values.reduce((one, other) => one + other);
        const mean = heads[0].map((_, i) => sum(heads.map((weights) => weights[i])) / heads.length);
        return heads.map((weights) => sum(weights.map((one, i) => Math.abs(one - mean[i]))));
    }""")
    heads = page.locator(".choice >> nth=1 >> button")
    pressed = "all => all.findIndex((one) => one.ariaPressed === 'true')"
    assert heads.evaluate_all(pressed) == far.index(min(far))
    heads.nth(far.index(max(far))).click()
    go(page, 3)
    assert heads.evaluate_all(pressed) == far.index(max(far))


def test_the_part_of_the_model_where_one_is_stands_out(page, demo):
    page.goto(demo(translator(), "en"))
    parts = page.locator(".stops small")
    assert parts.count() == 7 and page.locator(".stops button").count() == STATIONS
    seen = []
    for station in range(1, STATIONS + 1):
        go(page, station)
        bold = parts.evaluate_all("all => all.map((one) => getComputedStyle(one).fontWeight === '700')")
        assert bold.count(True) == 1
        seen.append(parts.nth(bold.index(True)).inner_text())
    assert [seen[i] for i in (0, 1, 2, 7, 8, 10, 11, 13)] == [
        *("encoder", "embedding", "self-attention", "self-attention"),
        *("cross-attention", "cross-attention", "feed-forward", "token"),
    ]


def test_the_head_of_a_long_table_stays_and_hides_the_rows_under_it(page, demo):
    page.goto(demo(translator()))
    for _ in range(6):
        page.click(".step .next")
    page.add_style_tag(content="body {padding-bottom: 200vh}")
    table = page.locator(".step table:has(thead):visible").first
    table.evaluate("one => scrollBy(0, one.getBoundingClientRect().top - 30)")
    head = table.locator("thead th >> nth=1")
    top = page.locator(".step > .tokens").bounding_box()
    assert head.bounding_box()["y"] == pytest.approx(top["y"] + top["height"], abs=8)
    is_over = "one => { const {x, y, width, height} = one.getBoundingClientRect(); "
    is_over += "return one.contains(document.elementFromPoint(x + width / 2, y + height / 2)); }"
    assert head.evaluate(is_over)
    assert head.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"


def test_the_first_step_reads_nothing_but_bos(page, demo):
    page.goto(demo(translator(), prefix=""))
    for station in range(1, STATIONS + 1):
        go(page, station)
    go(page, 5)
    assert column(shown(page)["weights"], 3) == ["1.000", "1.000"]


def test_chapters_are_told_where_the_page_around_has_them(page, demo):
    page.goto(demo(translator(), "en"))
    assert page.locator(".stage .chapters").text_content() == ""
    page.evaluate("""window.CHAPTERS = {
        4: {file: "04_attention.html", ko: "4장 어텐션", en: "Chapter 4: Attention"},
        6: {file: "06_masking.html", ko: "6장 마스크", en: "Chapter 6: Masking"}}""")
    go(page, 4)
    links = page.locator(".stage .chapters a").all()
    assert [link.get_attribute("href") for link in links] == ["04_attention.html", "06_masking.html"]
    assert [link.inner_text() for link in links] == ["Chapter 4: Attention", "Chapter 6: Masking"]


def test_it_says_where_one_is_and_goes_on_to_the_next_token(page, demo):
    page.goto(demo(translator(), "en", prefix=""))
    page.evaluate("""() => {
        const steps = [...engine.write(memory, {maxLength: 3})];
        panel.show({...sentence, steps, at: 0, tapped: -1});
    }""")
    written = page.locator(".step > .tokens button").all_inner_texts()
    assert page.inner_text(".step > .here") == (
        f"This step: after “<bos>” it writes “{written[0].replace('␣', '')}”. "
        "Choose a token for another step."
    )
    assert page.inner_text(".source").split() == [*RUNNING_EXAMPLE[0].replace("파리", "파리 Paris").split()]
    for one in range(3):
        go(page, STATIONS)
        assert page.inner_text(".pair-read >> nth=0").endswith(f" → {written[one]}")
        page.keyboard.press("ArrowRight")
        assert title(page).startswith("2/14")
        chosen = page.locator(".step > .tokens button").nth((one + 1) % 3)
        assert chosen.get_attribute("aria-pressed") == "true"


def test_it_says_how_a_token_was_chosen(page, demo):
    page.goto(demo(translator(), "en", prefix="I took"))
    told = {
        "{at: 2}": "It is the likeliest token.",
        "{at: 1}": "You chose it in the first tab.",
        "{at: 1, how: 'beam', tapped: -1}": "Beam search chose it by the score of the whole sentence.",
        "{at: 2, how: 'sample', temperature: 2}": "It was drawn, at temperature 2.0.",
    }
    for change, said in told.items():
        page.evaluate("change => panel.show({...sentence, ...change})", page.evaluate(f"({change})"))
        go(page, STATIONS)
        assert said in page.inner_text(".stage")
    *rows, _ = shown(page)["logits"]  # at temperature 2: token, logit, half of it, softmax
    assert all(abs(float(row[2]) - float(row[1]) / 2) < 0.0011 for row in rows[:5])
    assert adds_up([row[3].removeprefix("< ") for row in rows], "1.000")


@pytest.mark.parametrize(
    ("language", "theme", "width"),
    [("ko", "light", PHONE["width"]), ("en", "dark", PHONE["width"]), ("both", "dark", 320)],
)
def test_every_station_fits_a_phone_and_can_be_read_by_all(browser, demo, language, theme, width):
    with watched_page(browser, viewport=PHONE | {"width": width}) as page:
        page.goto(demo(translator(), language, theme))
        for station in range(1, STATIONS + 1):
            go(page, station)
            page.evaluate("for (const part of document.querySelectorAll('.step details')) part.open = true")
            assert page.evaluate("document.documentElement.scrollWidth") == width
            for one in ("ko", "en"):
                sentence = page.locator(f".step .stage > div[lang={one}]").first
                assert sentence.is_visible() == (language in (one, "both"))
            if station in (2, 7, 9, 13, 14):  # all kinds of parts
                assert serious(page) == []


def test_the_second_tab_of_the_translator_follows_the_first(page, tmp_path):
    write_checkpoint(tmp_path / "small.pt")
    main(["page", str(tmp_path / "small.pt"), str(tmp_path / "page.html")])
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_function("!document.querySelector('.live .writing')")
    page.click("#live-target button >> nth=1")
    words = page.locator("#live-target bdi").all_inner_texts()
    page.click("#live-tab-step")
    assert page.locator("#live-step .source bdi").count() == len(RUNNING_EXAMPLE[0].split())
    for number in (1, 0):
        if number == 0:
            page.click("#live-tab-translate")
            page.click("#live-target button >> nth=0")
            page.click("#live-tab-step")
        assert page.locator("#live-step > .tokens [aria-pressed=true]").inner_text() == words[number]
        go(page, STATIONS)
        assert page.inner_text("[data-name=written] bdi") == words[number]
    meanings = page.locator("#live-step .source small").all_inner_texts()
    assert "recently" in meanings and "Paris" in meanings
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
