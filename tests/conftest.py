"""Property tests have no deadline: a busy machine is slow now and then. And which tests share a worker."""

import re

from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

settings.register_profile("course", deadline=None)
settings.load_profile("course")

TRAINS = re.compile(r"11_\w+\.ipynb::")
OPENS = re.compile(r"1[23]_\w+\.ipynb::|test_watched_run\[1[23]_")


class TranslatorTogether(LoadFileScheduling):
    """A file to a worker; chapter 11, which trains a translator, and what opens it are one file here."""

    def _split_scope(self, nodeid):
        return "translator" if TRAINS.search(nodeid) or OPENS.search(nodeid) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log):
    return TranslatorTogether(config, log)


def pytest_collection_modifyitems(items):
    """The longest comes first: chapter 11, then what opens its translator."""
    items.sort(key=lambda item: 0 if TRAINS.search(item.nodeid) else 1 if OPENS.search(item.nodeid) else 2)
