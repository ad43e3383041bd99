"""Rules for a chapter that is a way of 45 minutes, and for a depth. Each returns a list of problems."""

import ast
import re

import budget
from helpers.lesson.takeaways import DIV, FENCE, SECTION, SENTENCE, takeaways
from notebook_parts import code_cells, trees
from summary import summary, summary_cells

MORE = re.compile(r"\s*(?:(?:더 깊이|Deeper): [^\n]+\s*)?")  # what may follow a takeaway
WIDTH = re.compile(r"(?:.?[<>=^])?[-+ ]?[1-9{]")  # of a column in an f-string; 02 is the look of a number


def few_words(nb, path, most=2000):
    """At most 2,000 English words of prose, folded solutions not counted."""
    found = budget.words(nb)
    return [f"all cells: {found:,} English words, at most {most:,}"] if found > most else []


def few_lines(nb, path, most=230):
    """At most 230 visible lines of code."""
    found = budget.lines(nb)
    return [f"all cells: {found} visible lines of code, at most {most}"] if found > most else []


def sections_of_a_way(nb, path):
    """7 to 9 sections, exercises and summary not counted; 4 or 5 exercises."""
    found, exercises = len(budget.sections(nb)), budget.exercises(nb)
    problems = [] if 7 <= found <= 9 else [f"all cells: {found} sections, expected 7 to 9"]
    return problems + ([] if 4 <= exercises <= 5 else [f"all cells: {exercises} exercises, expected 4 or 5"])


def short_cells(nb, path, most=30):
    """A code cell has at most 30 visible lines, unless it builds a class."""
    builds = re.compile("^class ", re.M)
    sizes = [(i, budget.visible_lines(cell)) for i, cell in code_cells(nb) if not builds.search(cell.source)]
    return [f"cell {i}: {size} visible lines, at most {most}" for i, size in sizes if size > most]


def a_takeaway_a_section(nb, path):
    """Each section ends with its takeaway, one in each language; a link to a depth may follow."""
    said = [takeaway.section for takeaway in takeaways(nb)]
    headings = budget.sections(nb)
    problems = [
        f"{section}: {said.count(section)} takeaways" for section in headings if said.count(section) != 1
    ]
    problems += [f"{section}: a takeaway, but no section" for section in said if section not in headings]
    text = FENCE.sub("", "\n\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown"))
    for part in re.split(r"^(?=## )", text, flags=re.M)[1:]:
        blocks = [block for _, block in DIV.findall(part)]
        for number, block in enumerate(blocks):
            sentence = SENTENCE.search(block)
            if sentence and (number < len(blocks) - 2 or not MORE.fullmatch(block[sentence.end() :])):
                problems.append(f"{SECTION.match(part)[1]}: the takeaway is not the last line")
    return problems


def summary_is_the_takeaways(nb, path):
    """The cell tagged `summary` is the list of the takeaways; `make notebooks` writes it."""
    cells = summary_cells(nb)
    if len(cells) != 1:
        return [f"all cells: {len(cells)} cells tagged summary, expected 1"]
    heading, _, below = cells[0].source.partition("\n\n")
    problems = [] if re.match(r"## .*정리 · Summary$", heading) else [f"summary: heading {heading!r}"]
    return problems + (["summary: is not the takeaways"] if below != summary(nb) else [])


def tables_by_one_call(nb, path):
    """No f-string and no string lays out columns; `table` does."""
    problems = []
    for i, tree in trees(nb):
        for node in ast.walk(tree):
            if isinstance(node, ast.FormattedValue) and node.format_spec:
                spec = ast.unparse(node.format_spec)[2:-1]
                problems += [f"cell {i}: :{spec} lays out a column; use table"] if WIDTH.match(spec) else []
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "   " in node.value:
                problems.append(f"cell {i}: spaces lay out {node.value!r}; use table")
    return problems


def size_of_a_depth(nb, path):
    """A depth has at most 1,000 English words and 110 visible lines in 3 to 7 sections."""
    found = len(budget.sections(nb))
    problems = [] if 3 <= found <= 7 else [f"all cells: {found} sections, expected 3 to 7"]
    return problems + few_words(nb, path, most=1000) + few_lines(nb, path, most=110)


def title_asks(nb, path):
    """The title of a depth is its question, and the answer stands below it: three sentences at most."""
    title, _, below = nb.cells[0].source.partition("\n")
    ko, _, en = title.partition(" · ")
    problems = [] if ko.endswith("?") and en.endswith("?") else [f"cell 0: {title!r} asks no question"]
    for language, block in DIV.findall(below)[:2]:
        answer = block.strip().split("\n\n")[0]
        sentences = re.split(r"(?<=[.!?])[*]*\s", answer)
        if sum(" " in sentence for sentence in sentences) > 3:  # “No.” is none
            problems.append(f"cell 0: the answer in {language} has more than three sentences")
    return problems


SHARED = [short_cells, a_takeaway_a_section, summary_is_the_takeaways, tables_by_one_call]
RULES = [few_words, few_lines, sections_of_a_way, *SHARED]
RULES_OF_DEPTHS = [size_of_a_depth, title_asks, *SHARED]
