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

SHARE = Decimal("0.1")  # of the stored value, unless a tag of the cell says otherwise: within-30%
WITHIN = re.compile(r"within-(\d+)%")
DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"  # 12,345 or 0.31 or 1e-05
NUMBER = rf"[-+]?(?:{DIGITS}|(?:nan|inf)\b)"
APPROXIMATE = re.compile(rf" *≈ *(?:“[^”]*”|(?P<number>{NUMBER})) *")
MEASURED = re.compile(rf"<td class=measured [^>]*>(?={NUMBER})")
PICTURES = {"image/png", "image/jpeg"}


def share_of(tags):
    """The tolerance of a cell, as a share of the stored value: its tag within-N%, or 10 %."""
    found = [Decimal(match[1]) / 100 for match in map(WITHIN.fullmatch, tags) if match]
    return found[0] if found else SHARE


def first_difference(stored, new, share=SHARE):
    """Where a new text differs from the stored one.

    Args:
        stored, new: texts of any number of lines.
        share: how far a number after ≈ may be from the stored one, as a share of that; one unit of the
            last stored digit is allowed in any case.

    Returns:
        One line for a person, or "" where the stored text still holds.
    """
    strict = [APPROXIMATE.sub(placeholder, text).split("\n") for text in (stored, new)]
    for place, (line, now) in enumerate(zip_longest(*strict), start=1):
        if line != now:
            return f"line {place}: stored {line!r}, now {now!r}"
    for old, now in zip(*(APPROXIMATE.finditer(text) for text in (stored, new)), strict=True):
        if old["number"] and (difference := difference_of_numbers(old["number"], now["number"], share)):
            place = 1 + stored.count("\n", 0, old.start())
            return f"line {place}: {difference}"
    return ""


def placeholder(found):
    """What stands for any number, or any example, where all else is compared."""
    return " ≈ 0… " if found["number"] else " ≈ “…” "


def difference_of_numbers(stored, new, share):
    """What is wrong about one number beside the stored one, or ""."""
    old, now = (Decimal(text.replace(",", "")) for text in (stored, new))
    if not (old.is_finite() and now.is_finite()):  # a page has no use for ≈ nan, stored or not
        return f"stored ≈ {stored}, now ≈ {new}; this is no number"
    unit = Decimal((0, (1,), old.as_tuple().exponent))  # two numbers close together are rounded up and down
    tolerance = max(share * abs(old), unit)
    if abs(now - old) <= tolerance:
        return ""
    allowed = f"± {tolerance.normalize():f} ({share:.0%} of it, or one unit of its last digit)"
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


def outputs_difference(stored, new, share=SHARE):
    """Where the new outputs of a cell differ from the stored ones: one line, or "" where these still hold."""
    old_parts, new_parts = list(parts_of(stored)), list(parts_of(new))
    kinds = [[kind for kind, _ in parts] for parts in (old_parts, new_parts)]
    if kinds[0] != kinds[1]:
        return f"stored outputs: {', '.join(kinds[0]) or 'none'}; now: {', '.join(kinds[1]) or 'none'}"
    for (kind, old), (_, now) in zip(old_parts, new_parts, strict=True):
        texts = isinstance(old, str) and isinstance(now, str)
        difference = first_difference(old, now, share) if texts else (old != now and "another content")
        if difference:
            return f"{kind}, {difference}"
    return ""


def compare_outputs(cell, new, stored, skip_compare=None):
    """In place of the method of nbval's cells, which compares every character."""
    difference = outputs_difference(stored, new, share_of(cell.cell.metadata.get("tags", [])))
    cell.comparison_traceback = [difference]  # what nbval shows
    return not difference
