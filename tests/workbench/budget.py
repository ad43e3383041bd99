"""How long each notebook is, as a table: python tests/workbench/budget.py. The rules: rules_budget.py."""

import re

import nbformat

from helpers.lesson import table
from helpers.lesson.takeaways import DIV, FENCE, SECTION, takeaways
from project import chapters, depths

CLOSING = re.compile(r"(?:[\d.]+ )?(?:연습|책을 덮고 쓰기|정리) · ")  # sections that have no takeaway
DETAILS = re.compile(r"^<details.*?^</details>$", re.M | re.S)
CODE_OR_FORMULA = re.compile(r"`[^`]+`|\$\$.+?\$\$|\$[^$\n]+\$", re.S)
TAG = re.compile(r"<[^>]+>|\]\([^)]*\)")


def read_prose(notebook):
    """The Markdown that a reader sees without opening anything, a string a cell."""
    return [DETAILS.sub("", cell.source) for cell in notebook.cells if cell.cell_type == "markdown"]


def words(notebook, language="en"):
    """The number of words in one language: of titles and blocks; a code or a formula is one word."""
    count = 0
    for source in read_prose(notebook):
        bare = FENCE.sub("", source)
        blocks = [text for name, text in DIV.findall(bare) if name == language]
        titles = re.findall(r"^#+ (.+)$", bare, re.M)
        blocks += [title.split(" · ")[language == "en" and " · " in title] for title in titles]
        text = TAG.sub(" ", CODE_OR_FORMULA.sub(" x ", "\n".join(blocks)))
        count += sum(bool(re.search(r"\w", word)) for word in text.split())
    return count


def visible_lines(cell):
    """The lines of a code cell that are not blank; none where it only draws. What only prepares counts."""
    only_draws = "drawing" in cell.metadata.get("tags", [])
    return 0 if only_draws else sum(bool(line.strip()) for line in cell.source.split("\n"))


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def lines(notebook):
    """The number of visible lines of code, that in the prose included."""
    fenced = "\n".join(text for source in read_prose(notebook) for text in FENCE.findall(source))
    in_prose = sum(bool(line.strip()) and not line.startswith("```") for line in fenced.split("\n"))
    return in_prose + sum(map(visible_lines, code_cells(notebook)))


def sections(notebook):
    """The headings of the sections that have something to say, without exercises and summary."""
    headings = SECTION.findall(FENCE.sub("", "\n\n".join(read_prose(notebook))))
    return [heading for heading in headings if not CLOSING.match(heading)]


def exercises(notebook):
    return sum("exercise" in cell.metadata.get("tags", []) for cell in notebook.cells)


def show(paths):
    """Print a row for each notebook."""
    rows = []
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        counts = words(notebook), words(notebook, "ko"), lines(notebook), len(sections(notebook))
        longest = max(map(visible_lines, code_cells(notebook)))
        rows.append((path.stem, *counts, longest, exercises(notebook), len(takeaways(notebook))))
    table(rows, ["notebook", "words", "ko", "lines", "sections", "longest cell", "exercises", "takeaways"])


if __name__ == "__main__":
    show(chapters() + depths())
