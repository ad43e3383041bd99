"""A real browser for tests: what this machine has, or else its tests are skipped, which the summary says."""

import contextlib
import functools
import os
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)
HERE = ("file:", "data:", "blob:", "http://127.0.0.1:")
PHONE = {"width": 390, "height": 844}


def chromium_path(playwright):
    """The program to start: BROWSER_PATH, else Chromium or Chrome, else playwright's own; None without."""
    found = [os.environ.get("BROWSER_PATH"), *map(shutil.which, PROGRAMS)]
    found += [path for path in (*PLACES, playwright.chromium.executable_path) if Path(path).exists()]
    return next(filter(None, found), None)


def absent(what):
    """Skip; or fail where a browser is required."""
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(f"REQUIRE_BROWSER is set, but {what}")
    pytest.skip(f"no browser: {what}")


@pytest.fixture(scope="module")
def playwright():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("playwright is not installed")
    with sync_playwright() as api:
        yield api


@pytest.fixture(scope="module")
def browser(playwright):
    """Chromium or Chrome."""
    path = chromium_path(playwright) or absent("there is no Chromium or Chrome; BROWSER_PATH=… names one")
    opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    yield opened
    opened.close()


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def other_engine(playwright, request):
    """Another browser than Chromium: the one that `playwright install NAME` brings, where it is."""
    kind = getattr(playwright, request.param)
    if not Path(kind.executable_path).exists():
        absent(f"the {request.param} of playwright is not installed")
    opened = kind.launch()
    yield opened
    opened.close()


@contextlib.contextmanager
def watched_page(browser, **settings):
    """A page in which an error, a warning or a request to elsewhere fails the test."""
    context = browser.new_context(**{"viewport": PHONE, "locale": "ko-KR"} | settings)
    page, problems = context.new_page(), []
    page.on("console", lambda said: said.type in ("error", "warning") and problems.append(said.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith(HERE) or problems.append(asked.url))
    page.set_default_timeout(10_000)
    yield page
    context.close()
    assert problems == []


@pytest.fixture
def page(browser):
    """A page as wide as a phone, in Korean."""
    with watched_page(browser) as opened:
        yield opened


def serious(page, exclude=()):
    """What axe-core finds, by rule and place."""
    missing = "no browser: axe is not installed"
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=missing).Axe()
    options = {"resultTypes": ["violations"], "preload": False}  # which would be requests
    plain = "for (const one of document.querySelectorAll('.wide, pre')) one.style.backgroundImage = 'none'"
    page.evaluate(plain)  # on a gradient it compares no colors
    found = axe.run(page, context={"exclude": [[name] for name in exclude]}, options=options)
    return [
        (rule["id"], node["html"])
        for rule in found.response["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@contextlib.contextmanager
def served(folder):
    """The address of a folder over http, on this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
