"""The map of the model as SVG, the way through the course: each box leads to the chapters that build it."""

from html import escape

from helpers.figures.plots import COLUMNS, INPUT, NORM

WIDE, HIGH, STEP, HEIGHT = 146, 58, 72, 884  # of a box; from one box to the next; of the whole
LEFT = (12, 198)  # of the boxes of both columns
GAPS = (12, 26)  # more room around the frame


def model_map(pages):
    """The map, as HTML.

    Args:
        pages: {"04": (address, title in HTML)} of the chapters.
    """
    parts = [part for column in zip(LEFT, COLUMNS, strict=True) for part in one_column(*column, pages)]
    arrow = (
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    )
    tip = f'<defs>{arrow}<path d="M0 0 8 4 0 8z"/></marker></defs>'
    return f'<svg class="map" viewBox="0 0 368 {HEIGHT}">{tip}{"".join(parts)}</svg>'


def one_column(left, column, pages):
    """The parts of a column, from the bottom up, so that the keyboard goes the way of the data."""
    source, built_in, name, below, inside, above = column
    frame, first = len(below), left == LEFT[0]
    bottoms = [
        HEIGHT - 50 - i * STEP - GAPS[0] * (i >= frame) - GAPS[1] * (i >= frame + len(inside))
        for i in range(len(below + inside + above))
    ]
    middle, roof = left + WIDE / 2, bottoms[frame + len(inside) - 1] - HIGH - 30
    yield box(left - 6, roof, 168, bottoms[frame] + 6 - roof, "frame")
    yield text(middle, HEIGHT - 20, *source.split("\n"))
    top = HEIGHT - 36
    for y, (chapters, ko, en) in zip(bottoms, [*below, *inside, *above], strict=True):
        yield arrow((middle, top), (middle, y))
        if (chapters, ko, en) == NORM:  # what went into the sublayer is added to what comes out
            side, fork, end = left + WIDE + 8, y + STEP + 6, y - HIGH / 2
            yield arrow((middle, fork), (side, fork), (side, end), (left + WIDE, end))
        yield part(left, y - HIGH, chapters.split(), ko, en, pages)
        top = y - HIGH
        if y == bottoms[frame + len(inside) - 1]:
            yield part_name(left, roof, built_in, name, pages)
    if first:
        crossing = HEIGHT - 50 - (len(INPUT) + 2) * STEP - GAPS[0] - HIGH / 2  # of cross-attention
        yield arrow(
            (middle, top), (middle, roof - 14), (182, roof - 14), (182, crossing), (LEFT[1], crossing)
        )
        yield text(
            middle, roof - 22, '<tspan lang="ko">메모리</tspan> <tspan lang="en">memory</tspan>', raw=True
        )
    else:
        yield arrow((middle, top), (middle, top - 18))
        yield text(middle, top - 40, "I recently took", "a trip to Paris. <eos>")


def part(x, y, chapters, ko, en, pages):
    """A box with its name in both languages, and a number for each chapter that builds it."""
    label = f'<text x="{x + 9}" y="{y + 18}" lang="ko">{ko}</text>'
    label += f'<text x="{x + 9}" y="{y + 33}" lang="en">{en}</text>'
    inside = box(x, y, WIDE, HIGH, "part") + label
    if len(chapters) == 1:
        return link(chapters[0], pages, inside + number(x + 9, y + 37, chapters[0]))
    numbers = "".join(link(c, pages, number(x + 9 + 32 * i, y + 37, c)) for i, c in enumerate(chapters))
    return f"<g>{inside}{numbers}</g>"


def part_name(left, roof, chapter, name, pages):
    """The name of a frame, over the boxes in it."""
    ko, en = name
    y = roof + 18  # of the words, left and right of the arrow
    words = (
        f'<text x="{left + 30}" y="{y}" lang="ko">{ko}</text>'
        f'<text x="{left + 80}" y="{y}" lang="en">{en}</text>'
        f'<text x="{left + WIDE + 12}" y="{y}" class="times">× N</text>'
    )
    head = box(left - 6, roof, 168, 28, "head")
    return link(chapter, pages, head + words + number(left - 2, roof + 5, chapter))


def link(chapter, pages, inside):
    address, title = pages[chapter]
    return f'<a href="{address}"><title>{escape(title)}</title>{inside}</a>'


def number(x, y, chapter):
    return box(x, y, 28, 18, "number") + f'<text x="{x + 14}" y="{y + 13}" class="digits">{chapter}</text>'


def box(x, y, width, height, kind):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" class="{kind}"/>'


def text(x, y, *lines, raw=False):
    spans = (
        f'<tspan x="{x}" dy="{15 * (i > 0)}">{line if raw else escape(line)}</tspan>'
        for i, line in enumerate(lines)
    )
    return f'<text x="{x}" y="{y}" class="aside">{"".join(spans)}</text>'


def arrow(*points):
    path = " ".join(f"{x} {y}" for x, y in points)
    return f'<path d="M{path}" class="arrow" marker-end="url(#tip)"/>'
