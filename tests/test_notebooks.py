"""Every rule holds for every chapter."""

import pytest

import rules_budget
import rules_code
import rules_hygiene
import rules_prose
from glossary import forbidden_terms
from notebook_parts import CHAPTERS, HELPERS, read

RULES = rules_prose.RULES + rules_code.RULES + rules_hygiene.RULES
chapters = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


def test_there_are_chapters():
    numbers = [path.name[:3] for path in CHAPTERS]
    assert numbers == [f"{n:02d}_" for n in range(len(numbers))] and numbers


@chapters
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule(rule, path):
    problems = rule(read(path), path)
    assert not problems, "\n" + "\n".join(problems)


RETOLD = [path for path in CHAPTERS if path.name[:2] in rules_budget.RETOLD]
BUDGET = [(rule, path) for path in RETOLD for rule in rules_budget.RULES]


@pytest.mark.parametrize(
    ("rule", "path"), BUDGET, ids=[f"{path.stem}-{rule.__name__}" for rule, path in BUDGET]
)
def test_the_budget_of_a_way(rule, path):
    problems = rule(read(path), path)
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize(
    "rule",
    [rules_code.helpers_built, rules_hygiene.setup_is_the_same],
    ids=lambda rule: rule.__name__,
)
def test_rule_over_all_chapters(rule):
    problems = rule([read(path) for path in CHAPTERS])
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("file", sorted(HELPERS.rglob("*.py")), ids=lambda file: file.stem)
def test_words_of_the_glossary_in_helpers(file):
    assert forbidden_terms(file.read_text("utf-8")) == []
