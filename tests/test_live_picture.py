"""The picture of the whole model: drawn from the live numbers, scene after scene."""

import re

import pytest

from browser import PHONE, watched_page
from live_page import written
from small_translator import SMALL

LAYERS = SMALL["n_layers"]
SHOWN = """() => {
    const count = (kind) => document.querySelectorAll(`.picture svg ${kind}`).length;
    const on = (kind) => count(kind + ".on");
    return {vectors: on(".vector"), of: count(".vector"), self: on(".self"), cross: on(".cross"),
        words: on(".word"), tokens: on(".token:not(.word)")};
}"""


@pytest.fixture
def page(still):
    """A page as wide as a phone, in Korean, without motion."""
    return still


def to_scene(page, number):
    page.fill(".picture input", str(number))
    return page.evaluate(SHOWN)


def test_it_shows_the_tokens_vectors_and_weights_of_the_translation(page, address):
    page.goto(address + "?lang=en")
    written(page)
    read = page.locator("#live-source li bdi").all_inner_texts()
    said = page.locator("#live-target bdi").all_inner_texts()
    words = page.locator(".picture .word text").evaluate_all(
        "all => all.map((one) => one.firstChild.data)"  # without the title, which has a cut word whole
    )
    assert [word.removesuffix("…") for word in words] == [
        token.removeprefix("␣")[: len(word.removesuffix("…"))]
        for token, word in zip(said, words, strict=True)
    ]
    shown = page.evaluate(SHOWN)
    assert shown["vectors"] == shown["of"] == (len(read) + len(said)) * (LAYERS + 1)
    drawn = page.locator(".picture .cross.on").evaluate_all(
        "all => all.map((one) => Number(one.style.getPropertyValue('--weight')))"
    )
    at = page.locator("#live-target button").evaluate_all(
        "all => all.findIndex((one) => one.ariaPressed === 'true')"
    )
    page.click("#live-attention summary")
    weights = []
    for layer in range(LAYERS):
        page.click(f"#live-heads > div >> nth={layer} >> button >> nth=0")  # the mean of the heads
        row = page.locator(f"#live-weights tbody tr >> nth={at}").locator("td").all_inner_texts()
        weights += map(float, row)
    assert all(any(abs(one - weight) < 0.006 for weight in weights) for one in drawn)
    assert len(drawn) == pytest.approx(sum(weight >= 0.03 for weight in weights), abs=1)


def test_the_token_looked_at_is_seen_in_numbers(page, address):
    page.goto(address + "?lang=en")
    written(page)
    page.locator(".picture .tap:not(.reads)").nth(1).click()
    page.get_by_role("button", name="This token, in numbers").click()
    assert page.get_attribute("#live-tab-step", "aria-selected") == "true"
    assert page.locator("#live-step").bounding_box()["y"] < page.viewport_size["height"] / 2
    assert page.locator("#live-step .tokens button").nth(1).get_attribute("aria-pressed") == "true"


def test_only_the_names_of_what_a_scene_shows_stand_out(page, address):
    page.goto(address + "?lang=en")
    written(page)
    now = page.locator(".picture .name.now text[lang=en]")
    names = []
    for scene in range(3 + LAYERS):
        to_scene(page, scene)
        names.append(now.all_text_contents())
    layers = [["Encoder: reads the source", f"layer {layer}"] for layer in range(LAYERS)]
    assert names == [["token"], ["embedding"], *layers, [f"layer {LAYERS - 1}"]]


def test_the_sentence_runs_through_it_scene_by_scene(page, address):
    page.goto(address)
    written(page)
    n_read, n_said = page.locator("#live-source li").count(), page.locator("#live-target button").count()
    first = to_scene(page, 0)
    assert first["tokens"] == n_read and first["vectors"] == first["words"] == first["cross"] == 0
    embedded = to_scene(page, 1)
    assert embedded["vectors"] == n_read and embedded["self"] == 0
    memory = to_scene(page, 2 + LAYERS)
    assert memory["vectors"] == n_read * (LAYERS + 1) and memory["self"] and not memory["cross"]
    assert to_scene(page, 4 + LAYERS + 1)["cross"] > 0 == to_scene(page, 4 + LAYERS)["cross"]
    before = 0
    for scene in range(int(page.get_attribute(".picture input", "max")) + 1):
        now = to_scene(page, scene)
        assert before <= now["words"] <= before + 1
        before = now["words"]
        ko, en = page.get_attribute(".picture input", "aria-valuetext").split(" · ", 1)
        assert page.inner_text(".picture .told p >> nth=0") == ko
    assert before == n_said


def test_a_tap_on_a_row_looks_at_its_step(page, address):
    page.goto(address)
    written(page)
    page.locator(".picture .tap:not(.reads)").nth(0).click()
    assert page.get_attribute("#live-target button >> nth=0", "aria-pressed") == "true"
    page.click("#live-target button >> nth=1")
    lit = page.locator(".picture .band:not(.reads)").evaluate_all(
        "all => all.map((one) => one.matches('.on'))"
    )
    assert lit.index(True) == 1 and lit.count(True) == 1
    words = page.locator("#live-target bdi").all_inner_texts()
    before, token = (word.removeprefix("␣") for word in words[:2])
    told = page.inner_text(".picture .told p >> nth=0")
    assert told.startswith(f"“{before}”까지 읽고 “{token}” 토큰을 출력할 때")


def test_a_tap_on_a_row_of_the_encoder_tells_what_it_looked_at(page, address):
    page.goto(address + "?lang=en")
    written(page)
    page.locator(".picture .tap.reads").nth(1).click()
    page.click("#live-attention summary")
    page.check("[name=live-part][value=encoder]")
    tokens = [token.removeprefix("␣") for token in page.locator("#live-source bdi").all_inner_texts()]
    words = page.input_value("#live-text").split()
    tokens = [
        one if one in words else next(f"“{one}” (part of “{word}”)" for word in words if one in word)
        for one in tokens
    ]
    assert any("(" in token for token in tokens)  # of several tokens, and named with them
    parts = []
    for layer in range(LAYERS):
        page.click(f"#live-heads > div >> nth={layer} >> button >> nth=0")  # the mean of the heads
        row = [
            float(text)
            for text in page.locator("#live-weights tbody tr >> nth=1").locator("td").all_inner_texts()
        ]
        parts.append((str(layer), tokens[row.index(max(row))], pytest.approx(max(row), abs=0.006)))
    told = page.inner_text(".picture .told p >> nth=0")
    assert (
        told.startswith(f"{tokens[1]} “")
        and "” looked most at " in told
        and "averaged over the heads." in told
    )
    found = re.findall(r"(“\S+” \(part of “\S+”\)|\S+)(?: “[^”]+”)? in layer (\d) \(([\d.]+)%\)", told)
    assert [(layer, token, float(share) / 100) for token, layer, share in found] == parts
    bands = page.locator(".picture .band.reads").evaluate_all("all => all.map((one) => one.matches('.on'))")
    assert bands.index(True) == 1 and bands.count(True) == 1
    assert page.locator(".picture path.cross:not(.aside)").count() == 0
    page.locator(".picture .tap:not(.reads)").nth(0).click()
    assert page.locator(".picture .aside, .picture .band.reads.on").count() == 0


def test_the_sentence_is_written_while_it_plays(page, address):
    page.goto(address + "?lang=en")
    whole = written(page)
    n_scenes = int(page.get_attribute(".picture input", "max"))
    shown = []
    for scene in range(n_scenes + 1):
        words = to_scene(page, scene)["words"]
        shown.append(page.inner_text("#live-translation"))
        assert whole.startswith(shown[-1]) and bool(shown[-1]) == (words > 0)
    assert shown[-1] == whole and shown == sorted(shown, key=len)
    to_scene(page, 2)
    page.click("#live-target button >> nth=0")  # what is looked at is whole again
    assert page.inner_text("#live-translation") == whole


def test_the_page_follows_what_is_written_unless_one_goes_elsewhere(browser, address):
    with watched_page(browser, viewport={"width": PHONE["width"], "height": 480}) as page:
        page.clock.install()
        page.goto(address + "?lang=en")
        page.clock.run_for(1000)
        written(page)
        page.clock.pause_at(page.evaluate("Date.now() + 100"))  # or a slow machine plays to the end
        page.click(".picture .play")
        rows, words = page.locator(".picture .band"), page.locator(".picture .word.on")
        last = page.locator(".picture .band.on >> nth=-1")
        while words.count() < 3:
            page.clock.run_for(500)
        page.wait_for_timeout(700)  # it scrolls
        caption = page.locator(".picture .told").bounding_box()
        box = last.bounding_box()
        assert rows.count() > 3 and caption["y"] + caption["height"] < box["y"] < 480
        page.mouse.wheel(0, -4000)
        page.wait_for_function("scrollY === 0")
        count = words.count()
        while words.count() == count:
            page.clock.run_for(500)
        page.wait_for_timeout(700)
        assert page.evaluate("scrollY") == 0


def test_all_of_a_short_source_is_in_view_while_it_plays(browser, address):
    with watched_page(browser, viewport={"width": 1280, "height": 560}) as page:
        page.goto(address + "?lang=en")
        written(page)
        page.add_style_tag(content=".live {padding-top: 12rem}")  # as what stands above it on the website
        last = page.locator(".picture .tap.reads").last
        assert last.bounding_box()["y"] > 540
        page.click(".picture .play")
        page.wait_for_function(
            "[...document.querySelectorAll('.tap.reads')].at(-1).getBoundingClientRect().bottom < innerHeight"
        )


def test_on_a_phone_what_it_translates_stays_in_view(browser, address):
    with watched_page(browser, viewport=PHONE) as page:
        page.clock.install()
        page.goto(address + "?lang=en")
        page.clock.run_for(1000)
        page.fill("#live-text", "나는 책을")
        page.clock.run_for(2000)
        written(page)
        page.add_style_tag(content=".live {padding-top: 12rem}")  # as what stands above it on the website
        page.click(".picture .play")
        page.wait_for_function("scrollY > 100")  # it scrolls once
        page.wait_for_timeout(700)
        begun = page.evaluate("scrollY")
        words = page.locator(".picture .word.on")
        while words.count() < 3:
            page.clock.run_for(500)
        page.wait_for_timeout(700)
        assert page.evaluate("scrollY") == begun
        line = page.locator(".live .line").bounding_box()
        row, caption = (
            page.locator(css).bounding_box() for css in (".picture .band.on >> nth=-1", ".picture .told")
        )
        assert 0 < line["y"] < caption["y"] < row["y"] < PHONE["height"]


def test_it_plays_and_pauses(browser, address):
    with watched_page(browser) as page:
        page.clock.install()
        page.goto(address + "?lang=en")
        page.clock.run_for(1000)
        written(page)
        play = page.locator(".picture .play")
        assert play.inner_text() == "▶ Play"
        play.click()
        assert play.inner_text() == "❚❚ Pause" and page.input_value(".picture input") == "0"
        page.clock.run_for(5000)
        play.click()
        scene = page.input_value(".picture input")  # it plays on until the click
        assert int(scene) >= 2
        page.clock.run_for(10_000)
        assert page.input_value(".picture input") == scene and play.inner_text() == "▶ Play"
        play.click()
        page.clock.run_for(300_000)
        assert page.input_value(".picture input") == page.get_attribute(".picture input", "max")
        assert play.inner_text() == "▶ Play"
        assert page.inner_text(".picture .told p >> nth=0").startswith("Done. To write “")


def test_play_has_its_name_before_anything_is_shown(page, address):
    page.goto(address + "?lang=en")
    name = page.evaluate("""() => {
        const place = document.body.appendChild(document.createElement("div"));
        Picture.mount(place, place, new Engine(TRANSLATOR), {}, () => {});
        return place.querySelector("button").innerText;
    }""")
    assert name == "Next scene"


def test_nothing_moves_by_itself_for_those_who_ask_for_it(page, address):
    page.goto(address + "?lang=en")
    written(page)
    play = page.locator(".picture .play")
    for scene in ("0", "1", "2"):
        assert play.inner_text() == "Next scene"
        play.click()
        assert page.input_value(".picture input") == scene
    parts = page.locator(".picture svg *")
    moving = parts.evaluate_all("all => all.map((one) => getComputedStyle(one).transitionDuration)")
    assert set(moving) == {"0s"}


def test_motion_that_is_switched_off_while_it_plays_stops_it(browser, address):
    with watched_page(browser, reduced_motion="no-preference") as page:
        page.goto(address + "?lang=en")
        written(page)
        play = page.locator(".picture .play")
        play.click()
        assert play.inner_text() == "❚❚ Pause"
        page.emulate_media(reduced_motion="reduce")
        page.wait_for_function("document.querySelector('.picture .play').innerText === 'Next scene'")
        scene = int(page.input_value(".picture input"))
        play.click()
        assert int(page.input_value(".picture input")) == scene + 1


def test_the_keyboard_goes_through_it_from_top_to_bottom(browser, address):
    with watched_page(browser, viewport={"width": 1280, "height": 844}) as page:
        page.goto(address + "?lang=en")
        written(page)
        parts = page.locator(".picture > :visible")
        tops = parts.evaluate_all("all => all.map((one) => one.offsetTop)")
        assert len(tops) == 4 and tops == sorted(tops)


@pytest.mark.parametrize("width", [320, PHONE["width"], 1280])
def test_no_text_of_it_stands_on_another_or_is_cut(browser, address, width):
    with watched_page(browser, viewport={"width": width, "height": 844}, reduced_motion="reduce") as page:
        for language in ("ko", "en", "both"):
            page.goto(f"{address}?lang={language}")
            written(page)
            overlapping = page.evaluate("""() => {
                const boxes = [...document.querySelectorAll(".picture svg text")]
                    .map((one) => [one.textContent, one.getBoundingClientRect()])
                    .filter(([, box]) => box.width);
                const {left, right} = document.querySelector(".picture svg").getBoundingClientRect();
                const found = boxes.filter(([, box]) => box.left < left - 1 || box.right > right + 1);
                boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
                    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                    if (x > 2 && y > 5) found.push([text, other, x, y]);
                }));
                return found;
            }""")
            assert overlapping == []
