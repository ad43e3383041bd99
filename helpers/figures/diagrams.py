"""Pictures of a mechanism: tensors as boxes with their shapes and numbers, operations as arrows."""

import math
from typing import NamedTuple

from helpers.figures import plots
from helpers.figures.plots import GRAY

DARK = "#333333"
CELL = 0.3  # inches
SMALLEST = 6.5  # points: smaller text cannot be read


class Box(NamedTuple):
    """Where arrows meet a thing on the canvas: the middles of its sides, clear of its labels, as (x, y)."""

    left: tuple
    right: tuple
    top: tuple
    bottom: tuple
    center: tuple


class Canvas:
    """An empty figure to draw on; units are cells of 0.3 inches, y grows upwards.

    Args:
        width: cells; about 30 fill the page, 22 a phone.
        height: cells.
    """

    def __init__(self, width, height):
        import matplotlib.pyplot as plt

        self.figure = plt.figure(figsize=(width * CELL, height * CELL), layout="none")
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
        self.axes.axis("off")

    def text(self, x, y, text, size=9, color=DARK, ha="center", va="center"):
        """Write text at (x, y).

        Args:
            x: cells.
            y: cells.
            text: may have several lines; a $ is a $.
            size: points.
            color: of matplotlib.
            ha: which side of the text is at x: "left", "center" or "right".
            va: which side of the text is at y: "bottom", "center" or "top".

        Returns:
            matplotlib's Text.
        """
        style = {"size": size, "color": color, "parse_math": False, "linespacing": 1.3}
        return self.axes.text(x, y, text, ha=ha, va=va, **style)

    def tensor(
        self,
        values,
        left,
        bottom,
        title="",
        shape=None,
        color=GRAY,
        cell=1.0,
        numbers=False,
        rows=None,
        columns=None,
        digits=1,
    ):
        """Draw a matrix as cells whose darkness is the size of the number; a cell of -inf is gray.

        Args:
            values: (rows, columns), tensor or nested list; a tuple of two ints for an empty matrix.
            left: of the cells, on the canvas.
            bottom: of the cells.
            title: above.
            shape: below; None writes the shape of `values`, "" nothing.
            color: one hue; or two, for positive and for negative numbers.
            cell: width and height of a cell.
            numbers: write each number into its cell.
            rows: labels left of the rows.
            columns: labels above the columns; they stand aslant if they are wider than a cell.
            digits: of the numbers, after the point.

        Returns:
            Box around the cells and their labels.

        Raises:
            ValueError: values is not a matrix; labels that are not one a row or column; cells too small.
        """
        import torch

        empty = isinstance(values, tuple)
        matrix = torch.ones(values) if empty else torch.as_tensor(values).detach().cpu()
        if matrix.ndim != 2:
            raise ValueError(f"values: shape is {tuple(matrix.shape)}; give one matrix, (rows, columns)")
        for name, labels, count in zip(("rows", "columns"), (rows, columns), matrix.shape, strict=True):
            if labels is not None and len(labels) != count:
                raise ValueError(
                    f"{name}: {len(labels)} labels; values has {count} {name}, give one for each"
                )
        digits = digits if matrix.is_floating_point() else 0
        right, top = left + matrix.shape[1] * cell, bottom + matrix.shape[0] * cell
        hues = (color, color) if isinstance(color, str) else color
        written = []
        for row, shades in enumerate(_shades(matrix.double(), hues, 0.15 if empty else 0.9)):
            for column, (number, shade) in enumerate(zip(matrix[row].tolist(), shades, strict=True)):
                x, y = left + column * cell, top - (row + 1) * cell
                self._patch("square", x, y, cell, cell, shade, "#AAAAAA", 0.6)
                if numbers and not empty:
                    ink = "white" if sum(shade) < 1.5 else "black"
                    written.append(self.text(x + cell / 2, y + cell / 2, _short(number, digits), color=ink))
        self._fit(written, 0.86 * cell, 0.9 * cell, f"cell: {cell}")

        left_labels = [
            self.text(left - 0.2, top - (row + 0.5) * cell, label, ha="right")
            for row, label in enumerate(rows or [])
        ]
        self._fit(left_labels, math.inf, cell, f"cell: {cell}")
        top_labels = [
            self.text(left + (column + 0.5) * cell, top + 0.15, label, va="bottom")
            for column, label in enumerate(columns or [])
        ]
        if any(self._size(label)[0] > 0.95 * cell for label in top_labels):
            for label in top_labels:
                label.set(rotation=45, rotation_mode="anchor", ha="left", va="baseline", y=top + 0.2)
        above = max([top, *(self._extent(label)[3] for label in top_labels)])
        middle, height = (left + right) / 2, (bottom + top) / 2
        heading = self.text(middle, above + 0.2, title, size=10, va="bottom")
        note = str(tuple(matrix.shape)) if shape is None else shape
        footing = self.text(middle, bottom - 0.2, note, color="#555555", va="top")
        return Box(
            left=(min([left, *(self._extent(label)[0] for label in left_labels)]), height),
            right=(right, height),
            top=(middle, self._extent(heading)[3] if title else above),
            bottom=(middle, self._extent(footing)[1] if note else bottom),
            center=(middle, height),
        )

    def box(self, text, left, bottom, width, height, color=GRAY):
        """Draw an operation: text in a rounded box.

        Args:
            text: may have several lines; it is written smaller if it does not fit.
            left: cells.
            bottom: cells.
            width: cells.
            height: cells.
            color: of the frame; the inside is pale.

        Returns:
            Box.

        Raises:
            ValueError: the text would have to be too small to be read.
        """
        corners = f"round,pad=0,rounding_size={min(0.35, width / 2, height / 2)}"
        self._patch(corners, left, bottom, width, height, _mixed(color, 0.15), color, 1.3)
        x, y = left + width / 2, bottom + height / 2
        self._fit([self.text(x, y, text)], width - 0.5, height - 0.2, f"width, height: {width}, {height}")
        return Box((left, y), (left + width, y), (x, bottom + height), (x, bottom), (x, y))

    def arrow(self, start, end, label="", color=DARK, bend=0, corners=()):
        """Draw an arrow; one that is almost level or upright becomes so.

        Args:
            start: point (x, y).
            end: point (x, y).
            label: written beside its middle.
            color: of matplotlib.
            bend: 0 for a straight line; otherwise how far the middle lies to the right of it, in lengths.
            corners: points between start and end, for an arrow of straight pieces.
        """
        last = corners[-1] if corners else start
        end = tuple(a if abs(a - b) < 0.2 else b for a, b in zip(last, end, strict=True))
        points = [start, *corners, end]
        self.axes.plot(*zip(*points[:-1], strict=True), color=color, linewidth=1.4, clip_on=False)
        style = {"arrowstyle": "-|>", "color": color, "linewidth": 1.4, "mutation_scale": 9}
        style |= {"shrinkA": 0 if corners else 2, "shrinkB": 2, "connectionstyle": f"arc3,rad={bend}"}
        self.axes.annotate("", points[-1], points[-2], arrowprops=style, annotation_clip=False)
        middle = len(points) // 2
        (x0, y0), (x1, y1) = points[middle - 1 : middle + 1]
        x, y = (x0 + x1 + bend * (y1 - y0)) / 2, (y0 + y1 - bend * (x1 - x0)) / 2
        if abs(y1 - y0) > abs(x1 - x0):  # rather steep: right of it
            self.text(x + 0.25, y, label, color=color, ha="left")
        else:  # above it
            slope = abs(y1 - y0) / max(abs(x1 - x0), 1e-9)
            self.text(x, y + 0.2 + 0.5 * slope, label, color=color, va="bottom")

    def show(self, ko, en):
        """Show the canvas with its description, as `plots.show`.

        Args:
            ko: what it shows, in Korean.
            en: the same in English.
        """
        import matplotlib.pyplot as plt

        plt.figure(self.figure.number)
        plots.show(ko, en)

    def _patch(self, style, left, bottom, width, height, inside, frame, line):
        from matplotlib.patches import FancyBboxPatch

        style = "square,pad=0" if style == "square" else style
        colors = {"facecolor": inside, "edgecolor": frame, "linewidth": line}
        box = FancyBboxPatch((left, bottom), width, height, boxstyle=style, clip_on=False, **colors)
        self.axes.add_patch(box)

    def _extent(self, text):
        """left, bottom, right, top of a text, in cells."""
        return self.axes.transData.inverted().transform(text.get_window_extent()).flatten().tolist()

    def _size(self, text):
        left, bottom, right, top = self._extent(text)
        return right - left, top - bottom

    def _fit(self, texts, width, height, given):
        """Write all the texts in the one size in which the largest fits."""
        sizes = [self._size(text) for text in texts]
        share = min([1, *(width / w for w, _ in sizes), *(height / h for _, h in sizes)])
        for text in texts:
            size = text.get_fontsize() * share
            if size < SMALLEST:
                raise ValueError(f"{given} is too small for the text {text.get_text()!r}; make it larger")
            text.set_fontsize(size)


def _mixed(color, strength):
    """The color on white: strength 0 is white, 1 is the color."""
    from matplotlib.colors import to_rgb

    return tuple(1 - strength * (1 - part) for part in to_rgb(color))


def _shades(matrix, hues, darkest):
    """The fill of each cell: its hue by the sign, its strength by the size; light gray for -inf."""
    sizes = matrix.abs()
    largest = sizes[sizes < math.inf].max().item() if (sizes < math.inf).any() else 0.0
    return [
        [
            _mixed("#DDDDDD", 1)
            if number == -math.inf
            else _mixed(hues[number < 0], darkest * abs(number) / (largest or 1))
            for number in row
        ]
        for row in matrix.tolist()
    ]


def _short(number, digits):
    """A number as a cell shows it."""
    return "-∞" if number == -math.inf else f"{round(number, digits) + 0:.{digits}f}"
