"""Typical faults in the reader's parts: each is said by its own sentence, and what is right is right."""

import re
from types import SimpleNamespace

import pytest

from helpers.mine import checking
from helpers.mine.checking import judged
from helpers.mine.faults import FAULTS
from helpers.mine.rungs import PARTS
from helpers.mine.yours import by_name

CASES = [(name, fault) for name, faults in FAULTS.items() for fault in faults]


def own(name, wrong):
    """A part as `find` returns it."""
    if not PARTS[name].is_class:
        return wrong
    return SimpleNamespace(make=wrong, call=lambda mine, *inputs: mine(*inputs), tensors=by_name)


@pytest.fixture(autouse=True)
def ours_may_stand_in(monkeypatch):
    """The faults are made from our own classes."""
    monkeypatch.setattr(checking.Watch, "name_of", lambda self, frame: "")


@pytest.mark.parametrize("name, fault", CASES, ids=[f"{name}: {fault.en[:40]}" for name, fault in CASES])
def test_a_fault_is_said(name, fault):
    outcome = judged(name, own(name, fault.wrong))
    assert outcome.passed is False
    assert outcome.en == f"{fault.en} See {fault.section}."
    assert outcome.ko == f"{fault.ko} {fault.section}절을 보세요."


@pytest.mark.parametrize("name", PARTS)
def test_ours_is_right(name):
    outcome = judged(name, own(name, PARTS[name].ours))
    assert outcome.passed, (outcome.en, outcome.example)


def test_sections_and_languages():
    from notebook_parts import CHAPTERS, prose_cells, read

    known = set()
    for path in CHAPTERS:
        for _, source in prose_cells(read(path)):
            known |= set(re.findall(r"^## (\d+\.\d+)", source, re.M))
    for _, fault in CASES:
        assert fault.section in known, fault
        assert re.search("[가-힣]", fault.ko) and not re.search("[가-힣]", fault.en)
