"""A table by one call: aligned, in the language of the page, as HTML in a notebook and as text elsewhere."""

import re
import unicodedata
from html import escape

from helpers.engine.languages import chosen
from helpers.figures.plots import in_notebook

NUMBER = re.compile(r"[-+−]?(?:\d[\d,]*)?\.?\d+(?:[eE][-+]?\d+)?(?: ?[%×])?|–")  # or none
MEASURED = "≈ "  # what the header of a measured column begins with


def table(rows, columns, digits=2):
    """Show rows of numbers and words as a table.

    A column whose header begins with "≈ " is measured: tests compare its numbers by value.

    Args:
        rows: each with a cell for every column: a number, a tensor of one number, a text, a pair of texts
            (Korean, English), or None, shown as –.
        columns: the headers, each a text or a pair of texts.
        digits: of numbers that are not integers, after the point; or one for each column.

    Raises:
        ValueError: a row, or digits, has not one entry for every column; a pair is not of two texts.
    """
    columns, rows = list(columns), [list(row) for row in rows]
    each = [digits] * len(columns) if isinstance(digits, int) else list(digits)
    if len(each) != len(columns):
        raise ValueError(f"digits: {len(each)} for {len(columns)} columns; give one number, or one for each")
    for number, row in enumerate(rows):
        if len(row) != len(columns):
            raise ValueError(f"rows: row {number} has {len(row)} cells, but there are {len(columns)} columns")
    cells = [[both(header) for header in columns]]
    cells += [[both(cell, places) for cell, places in zip(row, each, strict=True)] for row in rows]
    plain = as_text([[" · ".join(dict.fromkeys(in_chosen(cell))) for cell in row] for row in cells])
    if not in_notebook():
        return print(plain)
    from IPython.display import display

    display({"text/html": as_html(cells), "text/plain": plain}, raw=True)


def both(cell, digits=2):
    """A cell as a pair of texts, Korean and English, which are mostly the same.

    Args:
        cell: as in `table`.
        digits: of a number that is not an integer.

    Returns:
        A tuple of two strings.

    Raises:
        ValueError: a tuple is not a pair of texts.
    """
    if isinstance(cell, tuple):
        if len(cell) != 2 or not all(isinstance(text, str) for text in cell):
            raise ValueError(f"cell: {cell!r}; use a pair of texts, Korean and English")
        return cell
    value = cell.item() if hasattr(cell, "item") else cell
    if value is None:
        text = "–"
    elif isinstance(value, str | bool):
        text = str(value)
    else:
        text = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
    return text, text


def in_chosen(pair):
    """What a reader sees of a pair of texts.

    Args:
        pair: Korean and English.

    Returns:
        A list of one or two texts.
    """
    texts = [text for code, text in zip(("ko", "en"), pair, strict=True) if code in chosen()]
    return [texts[0], texts[1].removeprefix(MEASURED)] if len(texts) == 2 else texts


def width(text):
    """How many columns of a terminal a text takes: Hangul takes two, an accent none.

    Args:
        text: a string.

    Returns:
        An integer.
    """
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(bool(unicodedata.combining(letter)) for letter in text)


def right_columns(cells):
    """Which columns stand at the right: those of numbers alone.

    Args:
        cells: rows of texts, the header first.

    Returns:
        A list of booleans.
    """
    body = [column[1:] for column in zip(*cells, strict=True)]
    return [bool(column) and all(map(NUMBER.fullmatch, column)) for column in body]


def as_text(cells):
    """Rows of texts as lines, the columns two spaces apart.

    Args:
        cells: rows of texts, the header first.

    Returns:
        A string.
    """
    cells = [[" ".join(text.split()) or "–" for text in row] for row in cells]
    right, widths = right_columns(cells), [max(map(width, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        spaces = [" " * (size - width(text)) for text, size in zip(row, widths, strict=True)]
        parts = [s + t if r else t + s for t, s, r in zip(row, spaces, right, strict=True)]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def as_html(cells):
    """Rows of pairs as an HTML table; the numbers of a measured column are marked.

    Args:
        cells: rows of pairs of texts, the header first.

    Returns:
        A string.
    """
    header, *body = cells
    right = right_columns([[ko for ko, _ in row] for row in cells])
    measured = [ko.startswith(MEASURED) for ko, _ in header]
    lines = [row_html(header, "th", right, [False] * len(header))]
    lines += [row_html(row, "td", right, measured) for row in body]
    return '<table class="course-table">\n' + "\n".join(lines) + "\n</table>"


def row_html(row, tag, right, measured):
    """A row of the table as HTML.

    Args:
        row: pairs of texts.
        tag: "th" or "td".
        right, measured: of each column, whether it is.

    Returns:
        A string.
    """
    cells = [
        f'<{tag}{" class=measured" * is_measured} style="text-align: {"right" if at_right else "left"}">'
        f"{pair_html(pair)}</{tag}>"
        for pair, at_right, is_measured in zip(row, right, measured, strict=True)
    ]
    return f"<tr>{''.join(cells)}</tr>"


def pair_html(pair):
    """A pair of texts as HTML, in the languages that the reader chose.

    Args:
        pair: Korean and English.

    Returns:
        A string; where both are chosen and differ, each has its own span.
    """
    texts = [escape(text) for text in in_chosen(pair)]
    if len(texts) == 1 or pair[0] == pair[1]:
        return texts[0]
    ko, en = texts
    sign = MEASURED if ko.startswith(MEASURED) else ""
    ko = ko.removeprefix(MEASURED)
    return f'{sign}<span lang="ko">{ko}</span><span class="dot"> · </span><span lang="en">{en}</span>'
