"""The page of a small translator, for tests in a browser."""

import pytest

from browser import watched_page
from helpers.__main__ import main
from small_translator import write_checkpoint


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A small translator, trained until it says something."""
    return write_checkpoint(tmp_path_factory.mktemp("live") / "small.pt", epochs=5, norm_first=True)


@pytest.fixture(scope="module")
def address(checkpoint):
    """Where the page of the small translator lies."""
    path = checkpoint.with_name("page.html")
    main(["page", str(checkpoint), str(path)])
    return path.as_uri()


@pytest.fixture
def still(browser):
    """A page as wide as a phone, in Korean, which writes without pausing at every token."""
    with watched_page(browser, reduced_motion="reduce") as opened:
        yield opened


def written(page):
    """The translation, once it is whole."""
    page.wait_for_selector(".live[aria-busy=false]")
    return page.inner_text("#live-translation")


def painted(locator):
    """The top of an element as it stood in the last picture on the screen, in CSS pixels.

    Between two pictures the page may be half changed; nobody sees that.
    """
    return locator.evaluate(
        """one => new Promise((done) => {
            new IntersectionObserver(([{boundingClientRect}], observer) => {
                observer.disconnect();
                done(boundingClientRect.top);
            }).observe(one);
        })"""
    )


def ask(page, text):
    """Type a sentence, press Enter; the translation, once it is whole."""
    page.fill("#live-text", text)
    page.press("#live-text", "Enter")
    return written(page)
