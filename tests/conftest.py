"""Property tests have no deadline: a busy machine is slow now and then. And what tests lacked."""

import re

from hypothesis import settings

from browser import browser, firefox, page, playwright  # noqa: F401 the fixtures

settings.register_profile("course", deadline=None)
settings.load_profile("course")


def pytest_terminal_summary(terminalreporter):
    """Say why tests in a browser or a sandbox were skipped."""
    skipped = (str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    for reason in sorted({reason for reason in skipped if re.search("no (browser|sandbox): ", reason)}):
        terminalreporter.write_line(reason)
