"""What the README says is what the chapters, the requirements and the workflow say."""

import re
from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

import links
import rules_hygiene
import rules_prose
from notebook_parts import CHAPTERS, DEPTHS, ROOT, read
from test_packaging import pins

README = (ROOT / "README.md").read_text("utf-8")
INSTALL, LIST_OF_DEPTHS = ((ROOT / "docs" / name).read_text("utf-8") for name in ("install.md", "depths.md"))
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
WORKFLOW = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
RULES = [
    rules_prose.no_literal_markup,
    rules_prose.words_of_the_glossary,
    rules_hygiene.nothing_of_this_machine,
    rules_hygiene.links_lead_somewhere,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_rule(rule, path):
    page = new_notebook(cells=[new_markdown_cell(path.read_text("utf-8"))])
    assert rule(page, path) == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_and_its_row_name_the_same_minutes(path):
    row = re.search(
        rf"^\| \[{path.name[:2]} .*\]\(notebooks/{path.name}\).* (\d+) min, (\d+ (?:s|min)) \|$", README, re.M
    )
    title = read(path).cells[0].source
    korean, english = re.search(r"(\d+)(초|분)쯤", title), re.search(r"about (\d+) (second|minute)", title)
    units = {"초": "s", "분": "min", "second": "s", "minute": "min"}
    assert f"{korean[1]} {units[korean[2]]}" == f"{english[1]} {units[english[2]]}" == row[2]
    assert f"읽는 데 {row[1]}분" in title and f"{row[1]} minutes to read" in title


def defined(cells):
    """The names of the functions and classes that cells define."""
    return {name for cell in cells for name in re.findall(r"^(?:def|class) (\w+)", cell.source, re.M)}


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_defines_what_its_row_names_and_shows_it(path):
    [row] = re.findall(rf"\(notebooks/{path.name}\) \| (.*?) \|", README)
    code = [cell for cell in read(path).cells if cell.cell_type == "code"]
    shown = [cell for cell in code if "preparing" not in cell.metadata.get("tags", [])]
    assert set(re.findall(r"`(\w+)`", row)) <= defined(shown)


def test_the_depths_are_listed_and_counted():
    titles = [read(path).cells[0].source.split("\n")[0].removeprefix("# ") for path in DEPTHS]
    listed = [
        f"- [{path.name[:2]} {title}](../notebooks/deeper/{path.name})"
        for path, title in zip(DEPTHS, titles, strict=True)
    ]
    assert [line for line in LIST_OF_DEPTHS.split("\n") if "notebooks/deeper/" in line] == listed
    counted = re.findall(r"짧은 노트북 (\d+)개", README), re.findall(r"(\d+) short notebooks", README)
    assert counted == ([str(len(DEPTHS))],) * 2


def test_the_split_that_is_documented_shares_no_sentence(tmp_path, monkeypatch):
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "own_sentences.md").read_text("utf-8"), re.S)
    programs = ("vlc", *"abcdefg")
    lines = [f"문장 번호 {i % 5000}\tsentence number {i % 7000}\t{programs[i % 8]}\n" for i in range(16_000)]
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "pairs.tsv").write_text("".join(lines), "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    found = {
        name: [tuple(line.split("\t")) for line in Path(f"build/{name}.tsv").read_text("utf-8").splitlines()]
        for name in ("train", "known", "unseen", "validation")
    }
    seen = {text for pair in found["train"] for text in pair}
    assert all(found.values()) and len(found["unseen"]) == 1000
    assert all(seen.isdisjoint(pair) for name in ("known", "unseen", "validation") for pair in found[name])
    assert not {*found["known"]} & {*found["validation"]}


def test_the_cpu_lines_name_the_pinned_torch():
    [line] = re.findall(r"^ *(\S+ -m pip install .*/whl/cpu)$", INSTALL, re.M)
    assert f"torch=={pins('requirements.txt')['torch']} " in line
    assert line in WORKFLOW


def test_the_workflow_runs_the_lines_for_windows():
    block = re.search(r"```\n(py -m venv.*?)```", INSTALL, re.S)[1]
    install_and_run = [line for line in block.splitlines() if "lab.py" not in line]
    assert re.findall(r"- run: (\S*py.*)", WORKFLOW) == install_and_run


def test_the_workflow_executes_the_chapters_where_they_lie():
    """`make test` executes their one-file editions."""
    assert re.search(r"- \{ os: ubuntu-latest, .*, course: true \}", WORKFLOW)
    assert re.search(r"- run: make course .*\n +if: matrix\.course$", WORKFLOW, re.M)


def test_the_readme_begins_with_the_site_of_its_repository():
    repository = re.search(r"git clone https://github\.com/(\S+)", README)[1]
    assert f"]({links.site(repository)})" in README.split("\n\n")[1]


def test_make_knows_every_command():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    pages = "\n".join(path.read_text("utf-8") for path in PAGES)
    for target in re.findall(r"^make (\w+)|`make (\w+)`", pages, re.M):
        assert re.search(rf"^{''.join(target)}:", makefile, re.M)
