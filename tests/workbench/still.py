"""Draw the README's picture of the translator's page; needs Chromium and tests/requirements.txt."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from project import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from browser import chromium_path
from helpers.__main__ import main

with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    main(["page", str(ROOT / "build" / "translator.pt"), f"{folder}/page.html"])
    browser = playwright.chromium.launch(executable_path=chromium_path(playwright), args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 760, "height": 748})
    page.goto(Path(folder, "page.html").as_uri() + "?lang=both")
    page.locator("#live-next button").nth(4).wait_for()  # by then the sentence is translated
    page.wait_for_timeout(1000)
    page.screenshot(path=ROOT / "notebooks" / "images" / "translator.png")
    browser.close()
