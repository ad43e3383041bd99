"""How nbval runs chapters and compares them; and which tests come first, and share a worker."""

import os
import re
from pathlib import Path

import pytest
from nbval.plugin import IPyNbCell
from xdist.scheduler import LoadFileScheduling

import alone
import approximate
from project import ROOT  # which switches progress bars off, for all that the tests run

IPyNbCell.compare_outputs = approximate.compare_outputs  # numbers after ≈ by value, all else strictly
os.environ["JUPYTER_PATH"] = str(ROOT / "tests")  # of the kernel that watches

TRAINS = re.compile(r"11_\w+\.ipynb::")
OPENS = re.compile(r"1[23]_\w+\.ipynb::")


def pytest_configure(config):
    """Write the chapters that nbval is asked to run, before they are collected."""
    asked = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    chapters = any(alone.FOLDER in (path, *path.parents) for path in asked)
    if config.option.nbval and chapters and not hasattr(config, "workerinput"):
        alone.write_chapters()


class TranslatorTogether(LoadFileScheduling):
    """A file to a worker; chapter 11, which trains a translator, and what opens it are one file here."""

    def _split_scope(self, nodeid):
        return "translator" if TRAINS.search(nodeid) or OPENS.search(nodeid) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log):
    return TranslatorTogether(config, log)


@pytest.hookimpl(trylast=True)  # after -k has chosen
def pytest_collection_modifyitems(items):
    """The longest comes first: chapter 11, then what opens its translator."""
    items.sort(key=lambda item: 0 if TRAINS.search(item.nodeid) else 1 if OPENS.search(item.nodeid) else 2)
    if items and OPENS.search(items[0].nodeid):  # without chapter 11
        alone.lend_translator()
