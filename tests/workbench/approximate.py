"""Compare what is stored below a cell with what its code prints now.

A number after ≈ is compared by value: `≈ 0.31` holds where now stands `≈ 0.33`. A text in curly quotes after
≈ is an example of what a trained model writes, and is not compared: `≈ “She had a dream.”`. The spaces around
both may differ, since columns shift with the number of digits. In a table of `helpers.lesson.tables` a header
that begins with ≈ stands for the sign before each number below it. Everything else is compared character by
character.
"""

import re
from decimal import Decimal
from itertools import zip_longest
from typing import NamedTuple

WITHIN = re.compile(r"within-(?:(?P<percent>\d+)%|(?P<least>\d+(?:\.\d+)?))")
DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"  # 12,345 or 0.31 or 1e-05
NUMBER = rf"[-+]?(?:{DIGITS}|(?:nan|inf)\b)"
APPROXIMATE = re.compile(rf" *≈ *(?:“[^”]*”|(?P<number>{NUMBER})) *")
MEASURED = re.compile(rf"<td class=measured [^>]*>(?={NUMBER})")
PICTURES = {"image/png", "image/jpeg"}


class Tolerance(NamedTuple):
    """How far a number after ≈ may be from the stored one: this share of that, or this much."""

    share: Decimal = Decimal("0.1")
    least: Decimal = Decimal(0)


A_TENTH = Tolerance()


def tolerance_of(tags):
    """What the tags of a cell say: within-30%, or within-0.05 of what may be close to 0, or nothing."""
    found = [match for match in map(WITHIN.fullmatch, tags) if match]
    shares = [Decimal(match["percent"]) / 100 for match in found if match["percent"]]
    leasts = [Decimal(match["least"]) for match in found if match["least"]]
    return Tolerance(*shares or A_TENTH[:1], *leasts)


def first_difference(stored, new, tolerance=A_TENTH):
    """Where a new text differs from the stored one.

    Args:
        stored, new: texts of any number of lines.
        tolerance: how far a number after ≈ may be from the stored one; one unit of the last stored digit
            is allowed in any case.

    Returns:
        One line for a person, or "" where the stored text still holds.
    """
    strict = [APPROXIMATE.sub(placeholder, text).split("\n") for text in (stored, new)]
    for place, (line, now) in enumerate(zip_longest(*strict), start=1):
        if line != now:
            return f"line {place}: stored {line!r}, now {now!r}"
    for old, now in zip(*(APPROXIMATE.finditer(text) for text in (stored, new)), strict=True):
        if old["number"] and (difference := difference_of_numbers(old["number"], now["number"], tolerance)):
            place = 1 + stored.count("\n", 0, old.start())
            return f"line {place}: {difference}"
    return ""


def placeholder(found):
    """What stands for any number, or any example, where all else is compared."""
    return " ≈ 0… " if found["number"] else " ≈ “…” "


def difference_of_numbers(stored, new, tolerance):
    """What is wrong about one number beside the stored one, or ""."""
    old, now = (Decimal(text.replace(",", "")) for text in (stored, new))
    if not (old.is_finite() and now.is_finite()):  # a page has no use for ≈ nan, stored or not
        return f"stored ≈ {stored}, now ≈ {new}; this is no number"
    unit = Decimal((0, (1,), old.as_tuple().exponent))  # two numbers close together are rounded up and down
    most = max(tolerance.share * abs(old), tolerance.least, unit)
    if abs(now - old) <= most:
        return ""
    least = f"{tolerance.least}, " if tolerance.least else ""
    allowed = f"± {most.normalize():f} ({tolerance.share:.0%} of it, {least}or one unit of its last digit)"
    return f"stored ≈ {stored}, now ≈ {new}; allowed {allowed}"


def parts_of(outputs):
    """(kind, content) of each output of a cell; of a picture that it is there, and its alt text."""
    for output in outputs:
        if output["output_type"] == "stream":
            yield output["name"], output["text"]
        elif output["output_type"] == "error":
            yield "error", f"{output['ename']}: {output['evalue']}"
        data = output.get("data", {})
        is_table = str(data.get("text/html", "")).startswith('<table class="course-table">')
        for kind, content in sorted(data.items()):
            if kind in PICTURES:
                content = alt_text(output, kind)
            elif is_table:
                content = signed_html(content) if kind == "text/html" else signed_text(content)
            yield kind, content


def signed_html(table):
    """A table with the sign ≈ before each measured number, not only in the header."""
    return MEASURED.sub("<td>≈ ", table)


def signed_text(table):
    """The same of its text; the columns are two spaces apart."""
    header, *rows = (re.split(" {2,}", line.strip()) for line in table.split("\n"))
    signs = ["≈ " * title.startswith("≈ ") for title in header]
    signed = [
        [sign * bool(re.match(NUMBER, cell)) + cell for sign, cell in zip_longest(signs, row, fillvalue="")]
        for row in rows
    ]
    return "\n".join(map(" | ".join, [header, *signed]))


def alt_text(output, kind):
    return output.get("metadata", {}).get(kind, {}).get("alt", "")


def outputs_difference(stored, new, tolerance=A_TENTH):
    """Where the new outputs of a cell differ from the stored ones: one line, or "" where these still hold."""
    old_parts, new_parts = list(parts_of(stored)), list(parts_of(new))
    kinds = [[kind for kind, _ in parts] for parts in (old_parts, new_parts)]
    if kinds[0] != kinds[1]:
        return f"stored outputs: {', '.join(kinds[0]) or 'none'}; now: {', '.join(kinds[1]) or 'none'}"
    for (kind, old), (_, now) in zip(old_parts, new_parts, strict=True):
        texts = isinstance(old, str) and isinstance(now, str)
        difference = first_difference(old, now, tolerance) if texts else (old != now and "another content")
        if difference:
            return f"{kind}, {difference}"
    return ""


def compare_outputs(cell, new, stored, skip_compare=None):
    """In place of the method of nbval's cells, which compares every character."""
    difference = outputs_difference(stored, new, tolerance_of(cell.cell.metadata.get("tags", [])))
    cell.comparison_traceback = [difference]  # what nbval shows
    return not difference
