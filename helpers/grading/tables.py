"""The marks of a class as a table: on the terminal, and as a file for a spreadsheet."""

import csv
import io
import unicodedata

from helpers.exercises.checking import SYMBOLS
from helpers.grading.marks import printable, tasks_of


def lines_of(result):
    """What there is to say to one notebook.

    Args:
        result: a `Result`.

    Returns:
        List of lines.
    """
    head = [printable(result.student), result.chapter, f"{result.passed} / {len(result.marks)}"]
    lines = ["  ".join(head if result.marks else head[:1])]
    lines += [f"    {result.problem}"] if result.problem else []
    width = max(map(len, result.marks), default=0)
    marks = result.marks.items()
    return lines + [f"    {SYMBOLS[mark.passed]} {name:{width}}  {mark.text}" for name, mark in marks]


def overview(results):
    """For each chapter a table, students × exercises, of symbols.

    Args:
        results: list of `Result`.

    Returns:
        List of lines.
    """
    lines = []
    for chapter in chapters_of(results):
        names = list(tasks_of(chapter))
        legend = (f"{number} {name}" for number, name in enumerate(names, start=1))
        rows = [result for result in results if result.chapter == chapter and result.marks]
        width = max(width_of(printable(row.student)) for row in rows)
        lines += ["", f"{chapter}: {', '.join(legend)}"]
        lines += [" " * width + "".join(f"{number:3}" for number in range(1, len(names) + 1))]
        for row in rows:
            student = printable(row.student)
            symbols = "".join(f"  {SYMBOLS[mark.passed]}" for mark in row.marks.values())
            lines.append(
                f"{student}{' ' * (width - width_of(student))}{symbols}   {row.passed} / {len(names)}"
            )
    return lines


def chapters_of(results):
    """The chapters that were graded.

    Args:
        results: list of `Result`.

    Returns:
        Sorted list of "05"; "mine" comes last.
    """
    return sorted({result.chapter for result in results if result.marks})


def width_of(text):
    """How many columns a text takes on a terminal.

    Args:
        text: a string.

    Returns:
        An integer; a Hangul syllable takes two.
    """
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)


def as_csv(results, warning=""):
    """A table, students × exercises of all chapters, as a spreadsheet opens it.

    Args:
        results: list of `Result`.
        warning: the only cell of a row above the table.

    Returns:
        Bytes: CSV in UTF-8 with a byte order mark, without which Excel does not show Hangul.
    """
    columns = [(chapter, name) for chapter in chapters_of(results) for name in tasks_of(chapter)]
    text = io.StringIO(newline="")
    table = csv.writer(text)
    if warning:
        table.writerow([warning])
    table.writerow(["student", "passed", *map(" ".join, columns), "problem"])
    for student in dict.fromkeys(result.student for result in results):
        own = [result for result in results if result.student == student]
        marks = {(one.chapter, name): mark.text for one in own for name, mark in one.marks.items()}
        problems = [f"{one.chapter or ''} {one.problem}".strip() for one in own if one.problem]
        row = [student, sum(one.passed for one in own), *map(marks.get, columns), "; ".join(problems)]
        table.writerow(map(harmless, row))
    return text.getvalue().encode("utf-8-sig")


def harmless(value):
    """A cell that no spreadsheet takes for a formula.

    Args:
        value: a text, a number or None.

    Returns:
        The value, or the text behind an apostrophe.
    """
    if isinstance(value, str):
        value = printable(value)
        return f"'{value}" if value.startswith(("=", "+", "-", "@")) else value
    return value
