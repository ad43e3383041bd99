"""What one looks at in the translator is in the address, and comes back with it."""

import pytest

from browser import served, watched_page
from live_page import ask, written
from small_translator import PAIRS
from test_live_step import go, title

LAST = "#live-switches [aria-pressed] >> nth=-1"


@pytest.fixture
def page(still):
    """A page as wide as a phone, in Korean, which writes without pausing at every token."""
    return still


@pytest.fixture(scope="module", params=["file", "http"])
def anywhere(request, address, checkpoint):
    """The page as a file, and over http."""
    if request.param == "file":
        yield address
    else:
        with served(checkpoint.parent) as found:
            yield f"{found}/page.html"


def look_closely(page):
    """A sentence, a head removed, a token, and a station, layer and head of the second tab; what is seen."""
    ask(page, PAIRS[0][0])
    page.click("#live-removal summary")
    page.click(LAST)
    page.click("#live-target button >> nth=1")
    page.click("#live-tab-step")
    go(page, 5)
    page.click(".choice >> nth=0 >> button >> nth=1")
    page.click(".choice >> nth=1 >> button >> nth=1")
    return seen(page)


def seen(page):
    written_tokens = page.locator("#live-step > .tokens button")
    return {
        "text": page.input_value("#live-text"),
        "title": title(page),
        "at": written_tokens.evaluate_all("all => all.findIndex((one) => one.ariaPressed === 'true')"),
        "pressed": page.locator(".choice [aria-pressed=true]").all_inner_texts(),
        "removed": page.get_attribute(LAST, "aria-pressed"),
        "shown": page.inner_text(".stage"),
    }


def test_a_page_that_nobody_touched_has_a_plain_address(page, address):
    page.goto(address)
    written(page)
    assert page.url == address and page.evaluate("history.length") == 2


def test_a_reload_and_the_way_back_keep_what_is_looked_at(page, anywhere):
    page.goto(anywhere)
    before = look_closely(page)
    assert before["at"] == 1 and before["pressed"] == ["1", "1"] and before["removed"] == "true"
    page.reload()
    written(page)
    assert seen(page) == before
    page.goto("about:blank")
    page.go_back()
    written(page)
    assert seen(page) == before
    page.go_back()  # the other tab, then the sentence before
    page.wait_for_selector("#live-translate:visible")
    written(page)  # its tokens are there before it is known which one is looked at
    assert page.get_attribute("#live-target button >> nth=1", "aria-pressed") == "true"
    page.go_back()
    page.wait_for_function("text => document.querySelector('#live-text').value !== text", arg=PAIRS[0][0])
    page.go_forward()
    page.wait_for_function("text => document.querySelector('#live-text').value === text", arg=PAIRS[0][0])


def test_other_engines_keep_what_is_looked_at(other_engine, anywhere):
    with watched_page(other_engine, reduced_motion="reduce") as page:
        page.goto(anywhere)
        before = look_closely(page)
        page.reload()
        written(page)
        assert seen(page) == before


def test_a_link_shows_somebody_else_the_same(browser, anywhere):
    settings = {"reduced_motion": "reduce", "permissions": ["clipboard-read", "clipboard-write"]}
    with watched_page(browser, **settings) as page:
        page.goto(anywhere)
        before = look_closely(page)
        page.click("#live-tab-translate")
        page.click("#live-share")
        page.wait_for_function("document.querySelector('#live-shared').textContent")
        link = page.evaluate("navigator.clipboard.readText()")
        assert link == page.url
        page.click("#live-tab-step")
        link = page.url
    with watched_page(browser, reduced_motion="reduce") as other:
        other.goto(link)
        written(other)
        assert seen(other) == before


def test_what_was_chosen_and_drawn_comes_back(page, address):
    page.goto(address)
    written(page)
    page.click("#live-target button >> nth=1")
    page.click("#live-next button[aria-pressed=false] >> nth=0")
    after = written(page)
    page.reload()
    assert written(page) == after
    page.check("[value=sample]")
    page.fill("#live-temperature", "2")
    page.click("#live-again")
    drawn = written(page)
    row = page.locator("#live-target button[aria-pressed=true]").inner_text()
    page.reload()
    assert written(page) == drawn and page.is_checked("[value=sample]")
    assert page.locator("#live-target button[aria-pressed=true]").inner_text() == row
    assert page.inner_text("#live-degrees") == "2.0" and page.is_visible("#live-again")


@pytest.mark.parametrize(
    "wrong",
    [
        "#text=&tab=step",
        "#how=magic&temperature=x&written=9999999+-1+a&tapped=7&at=77&tab=step&station=99&layer=9&head=9",
        "#removed=cross.9.0+moon.0.0+cross.0+x&at=-1&tab=nowhere",
        "#chapters",
    ],
)
def test_an_address_that_makes_no_sense_does_no_harm(page, address, wrong):
    page.goto(address + wrong)
    written(page)
    assert page.locator("#live-switches [aria-pressed=true]").count() == 0
    assert page.is_checked("[value=greedy]")
