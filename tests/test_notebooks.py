"""Every rule holds for every chapter."""

import pytest

import rules_budget
import rules_code
import rules_hygiene
import rules_prose
from glossary import forbidden_terms
from notebook_parts import CHAPTERS, DEPTHS, HELPERS, prose_cells, read

RULES = rules_prose.RULES + rules_code.RULES + rules_hygiene.RULES


def prose_of(path):
    return "\n".join(source for _, source in prose_cells(read(path)))


def test_there_are_chapters():
    numbers = [path.name[:3] for path in CHAPTERS]
    assert numbers == [f"{n:02d}_" for n in range(len(numbers))] and numbers


@pytest.mark.parametrize("path", CHAPTERS + DEPTHS, ids=lambda path: path.stem)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule(rule, path):
    problems = rule(read(path), path)
    assert not problems, "\n" + "\n".join(problems)


BUDGET = [(rule, path) for path in CHAPTERS for rule in rules_budget.RULES]
BUDGET += [(rule, path) for path in DEPTHS for rule in rules_budget.RULES_OF_DEPTHS]


@pytest.mark.parametrize(
    ("rule", "path"), BUDGET, ids=[f"{path.stem}-{rule.__name__}" for rule, path in BUDGET]
)
def test_the_budget_of_a_way(rule, path):
    problems = rule(read(path), path)
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("path", DEPTHS, ids=lambda path: path.stem)
def test_a_depth_and_its_chapter_lead_to_each_other(path):
    [chapter] = [chapter for chapter in CHAPTERS if chapter.name[:2] == path.name[:2]]
    assert f"](../{chapter.name})" in prose_of(path)
    assert f"](deeper/{path.name})" in prose_of(chapter)


def test_helpers_are_built():
    problems = rules_code.helpers_built([read(path) for path in CHAPTERS + DEPTHS])
    assert not problems, "\n" + "\n".join(problems)


def test_setup_is_the_same():
    problems = rules_hygiene.setup_is_the_same([read(path) for path in CHAPTERS])
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("file", sorted(HELPERS.rglob("*.py")), ids=lambda file: file.stem)
def test_words_of_the_glossary_in_helpers(file):
    assert forbidden_terms(file.read_text("utf-8")) == []
