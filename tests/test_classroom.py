"""Chapters for a class: students' without solutions, teachers' with them, and nothing else differs."""

import re

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

import classroom
import editions
import rules_hygiene
import rules_prose
from helpers.__main__ import parser
from helpers.grading.inside import SHARE
from helpers.grading.sandbox import IMAGE
from helpers.mine.stubs import write_folder
from notebook_parts import CHAPTERS, ROOT, read
from rules_hygiene import page
from small_notebooks import SOLUTION, small

OTHER = "<details>\n<summary>잰 조건 · How this was measured</summary>\n\n1\n\n</details>"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_students_chapter_lacks_the_solutions_and_nothing_else(path):
    whole = read(path)
    student = classroom.without_solutions(nbformat.from_dict(whole))
    ours, theirs = ("\n\n".join(cell.source for cell in notebook.cells) for notebook in (whole, student))
    assert ours.count("<summary>풀이 · Solution</summary>") >= 4
    assert "풀이 · Solution" not in theirs
    solutions = classroom.SOLUTION.findall(ours)
    assert all(solution.count("<details>") == 1 for solution in solutions)
    assert ours.count("<details>") - theirs.count("<details>") == len(solutions)
    assert ours.count("</details>") - theirs.count("</details>") == len(solutions)
    codes = [[cell for cell in notebook.cells if cell.cell_type == "code"] for notebook in (whole, student)]
    assert codes[0] == codes[1]
    kept = [cell.source.strip() for cell in whole.cells if "풀이 · Solution" not in cell.source]
    assert set(kept) <= {cell.source.strip() for cell in student.cells}


def test_what_stands_beside_a_solution_stays():
    cells = [new_markdown_cell(f"## 가 · a\n\n{SOLUTION}\n\n## 나 · b"), new_markdown_cell(OTHER)]
    [first, second] = classroom.without_solutions(new_notebook(cells=cells)).cells
    assert first.source == "## 가 · a\n\n## 나 · b" and second.source == OTHER


def test_mine_lies_beside_the_chapters_as_the_command_writes_it(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    write_folder()
    classroom.build([], tmp_path / "classroom")
    wanted = {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()}
    assert len(wanted) > 10
    for language in ("ko", "en"):
        for reader in ("student", "teacher"):
            folder = tmp_path / "classroom" / language / reader / "mine"
            assert {path.name: path.read_bytes() for path in folder.iterdir()} == wanted


def test_a_folder_for_each_language_and_reader(tmp_path):
    nbformat.write(small(), tmp_path / "99_small.ipynb")
    classroom.build([tmp_path / "99_small.ipynb"], tmp_path / "classroom")
    found = sorted(
        path.relative_to(tmp_path / "classroom") for path in tmp_path.rglob("classroom/**/*.ipynb")
    )
    assert [path.as_posix() for path in found] == [
        f"{language}/{reader}/99_small.ipynb"
        for language in ("en", "ko")
        for reader in ("student", "teacher")
    ]
    for language in ("ko", "en"):
        student, teacher = (
            nbformat.read(tmp_path / "classroom" / language / reader / "99_small.ipynb", as_version=4)
            for reader in ("student", "teacher")
        )
        edition = editions.edition(small(), language, editions.carrier_of_helpers())
        sources = [[cell.source for cell in notebook.cells] for notebook in (student, teacher, edition)]
        assert sources[0] == sources[1][:-1] and sources[1] == sources[2]
        assert "x = 2 * 3 * 4" in sources[1][-1]


def test_a_depth_lies_where_its_chapter_links_to(tmp_path):
    (tmp_path / "deeper").mkdir()
    nbformat.write(small(), tmp_path / "deeper" / "99_why.ipynb")
    classroom.build([tmp_path / "deeper" / "99_why.ipynb"], tmp_path / "classroom")
    for language in ("ko", "en"):
        for reader in ("student", "teacher"):
            assert (tmp_path / "classroom" / language / reader / "deeper" / "99_why.ipynb").exists()


PAGE = ROOT / "tests" / "workbench" / "web" / "teachers.md"
RULES = [*rules_prose.RULES, rules_hygiene.nothing_of_this_machine]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_page_for_teachers(rule):
    assert rule(new_notebook(cells=[new_markdown_cell(PAGE.read_text("utf-8"))]), PAGE) == []


def test_the_page_for_teachers_plans_every_chapter_and_names_what_there_is():
    text = PAGE.read_text("utf-8")
    linked = re.findall(r"\[(\d+)\]\((\S+)\)", "\n".join(re.findall(r"^\| \d+ \| .*", text, re.M)))
    assert linked == [(str(int(path.name[:2])), path.name) for path in CHAPTERS] * 2
    sections = {
        title.split()[0] for path in CHAPTERS for title in re.findall("^## (.*)", str(page(path)), re.M)
    }
    assert set(re.findall(r"\b\d+\.\d+\b", text)) - {"3.12"} <= sections
    assert f"| docker build -t {IMAGE} -f- .\n" in text and "apt install bubblewrap\n" in text
    options = parser().parse_args(["grade", "submissions", "--language", "ko"])
    assert f"{options.seconds}초" in text and f"{options.memory} GB" in text and SHARE == 0.1
