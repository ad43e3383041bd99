"""Property tests have no deadline: a busy machine is slow now and then. And whether there was a browser."""

from hypothesis import settings

from browser import browser, firefox, page, playwright  # noqa: F401 the fixtures

settings.register_profile("course", deadline=None)
settings.load_profile("course")


def pytest_terminal_summary(terminalreporter):
    """Say why tests in a browser were skipped."""
    skipped = (str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    for reason in sorted({reason for reason in skipped if "no browser: " in reason}):
        terminalreporter.write_line(reason)
