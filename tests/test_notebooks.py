"""Every rule holds for every chapter, and for the README as far as it applies."""

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

import rules_code
import rules_hygiene
import rules_prose
from glossary import forbidden_terms
from notebook_parts import CHAPTERS, HELPERS, ROOT, code_cells, read
from watched_run import watched_run

RULES = rules_prose.RULES + rules_code.RULES + rules_hygiene.RULES
# Of a watched run; nbval and the edition train the chapter in full.
SHORTER = {"11": {"epochs": 1, "pair_count": 4000, "model_name": "short.pt"}}
chapters = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


def test_there_are_chapters():
    numbers = [path.name[:3] for path in CHAPTERS]
    assert numbers == [f"{n:02d}_" for n in range(len(numbers))] and numbers


@chapters
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule(rule, path):
    problems = rule(read(path), path)
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize(
    "rule",
    [rules_code.helpers_built, rules_hygiene.setup_is_the_same, rules_hygiene.few_excluded],
    ids=lambda rule: rule.__name__,
)
def test_rule_over_all_chapters(rule):
    problems = rule([read(path) for path in CHAPTERS])
    assert not problems, "\n" + "\n".join(problems)


@chapters
def test_watched_run(path):
    """No cell reaches the network, warns or misses a glyph; no plotted array holds NaN or infinity."""
    nb = read(path)
    report = watched_run(path, **SHORTER.get(path.name[:2], {}))
    print(f"{path.stem}: {report['seconds']:.1f} s, {report['figures']} figures")
    assert not report["problems"], "\n" + "\n".join(report["problems"])
    assert report["cells"] == len(code_cells(nb))
    assert report["seconds"] <= 60  # 30 on two idle cores; here it is one, and busy
    stored = [out for _, cell in code_cells(nb) for out in cell.outputs if "image/png" in out.get("data", {})]
    assert report["figures"] == len(stored)


@pytest.mark.parametrize(
    "rule",
    [
        rules_prose.no_literal_markup,
        rules_prose.words_of_the_glossary,
        rules_hygiene.nothing_of_this_machine,
        rules_hygiene.links_lead_somewhere,
    ],
    ids=lambda rule: rule.__name__,
)
def test_readme(rule):
    readme = ROOT / "README.md"
    page = new_notebook(cells=[new_markdown_cell(readme.read_text("utf-8"))])
    assert rule(page, readme) == []


@pytest.mark.parametrize("file", sorted(HELPERS.rglob("*.py")), ids=lambda file: file.stem)
def test_words_of_the_glossary_in_helpers(file):
    assert forbidden_terms(file.read_text("utf-8")) == []
