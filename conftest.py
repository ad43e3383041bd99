"""How nbval runs chapters and compares them; and which tests come first, and share a worker."""

import contextlib
import functools
import os
from pathlib import Path

import pytest
from nbval.plugin import IPyNbCell
from xdist.scheduler import LoadFileScheduling

import alone
import approximate
from project import ROOT, runs_here  # which switches progress bars off, for all that the tests run

IPyNbCell.compare_outputs = approximate.compare_outputs  # numbers after ≈ by value, all else strictly
os.environ["JUPYTER_PATH"] = str(ROOT / "tests")  # of the kernel that watches


def pytest_configure(config):
    """Write the chapters that nbval is asked to run, before they are collected."""
    asked = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    chapters = any(alone.FOLDER in (path, *path.parents) for path in asked)
    if config.option.nbval and chapters and not hasattr(config, "workerinput"):
        try:
            alone.write_chapters()
        except (OSError, ValueError) as error:
            raise pytest.UsageError(f"{error}; make test writes there") from None
        with contextlib.suppress(ValueError):  # without a network, what reads them is skipped
            alone.lend_packages()


runs_here = functools.cache(runs_here)
needs_packages = functools.cache(alone.needs_packages)


@functools.cache
def turn(file):
    """0: chapter 11, which trains a translator; 1: a chapter that opens it; 2: test_site;
    3: another chapter; 4: another test."""
    if file.suffix != ".ipynb":
        return 2 if file.name == "test_site.py" else 4
    return 0 if file.stem == "11_training" else 1 if "course_translator(" in file.read_text("utf-8") else 3


class TranslatorGroupScheduling(LoadFileScheduling):
    """A file to a worker; chapter 11, which trains a translator, and what opens it are one file here."""

    def _split_scope(self, nodeid):
        file = super()._split_scope(nodeid)
        return "translator" if turn(self.config.rootpath / file) < 2 else file


def pytest_xdist_make_scheduler(config, log):
    return TranslatorGroupScheduling(config, log)


@pytest.hookimpl(trylast=True)  # after -k has chosen
def pytest_collection_modifyitems(items):
    """The longest comes first, so that all workers end together."""
    items.sort(key=lambda item: turn(item.path))
    silent = pytest.mark.skip(reason="no model: SmolLM2 is not installed (make smollm)")
    unread = pytest.mark.skip(reason="no packages: pip could not download what chapter 17 reads")
    for item in items:
        if isinstance(item, IPyNbCell) and not runs_here(item.path):
            item.add_marker(silent)
        if isinstance(item, IPyNbCell) and needs_packages(item.path):
            item.add_marker(unread)
    if items and turn(items[0].path) == 1:  # without chapter 11
        alone.lend_translator()
