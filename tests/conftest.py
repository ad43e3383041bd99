"""Property tests have no deadline: a busy machine is slow now and then. And what tests lacked."""

import re
from pathlib import Path

import pytest
from hypothesis import settings

from browser import browser, other_engine, page, playwright  # noqa: F401 the fixtures
from helpers.engine import languages
from live_page import address, checkpoint, still  # noqa: F401

settings.register_profile("course", deadline=None)
settings.load_profile("course")


@pytest.fixture(autouse=True)
def both_languages(monkeypatch, tmp_path_factory):
    """A test begins in both languages, whatever another has chosen, or `make lab` remembers."""
    monkeypatch.setattr(languages, "_shown", languages.LANGUAGES["both"])
    monkeypatch.setattr(languages, "readers_project", lambda: Path(tmp_path_factory.getbasetemp()))


def pytest_terminal_summary(terminalreporter):
    """Say why tests in a browser or a sandbox, or of chapters 17 and 18, were skipped."""
    skipped = (str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    for reason in sorted(
        {reason for reason in skipped if re.search("no (browser|sandbox|model|packages): ", reason)}
    ):
        terminalreporter.write_line(reason)
