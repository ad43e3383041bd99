"""Pictures of a mechanism: tensors as boxes with their shapes and numbers, operations as arrows."""

from typing import NamedTuple

from helpers import plots
from helpers.plots import GREY

DARK = "#333333"
CELL = 0.3  # inches
SMALLEST = 6.5  # points: smaller text cannot be read


class Box(NamedTuple):
    """Where arrows meet a thing on the canvas: the middles of its sides, clear of its labels; points (x, y)."""

    left: tuple
    right: tuple
    top: tuple
    bottom: tuple
    center: tuple


def around(left, bottom, right, top, center):
    """The Box with these sides and this center."""
    x, y = center
    return Box((left, y), (right, y), (x, top), (x, bottom), center)


class Canvas:
    """An empty figure to draw on; units are cells of 0.3 inches, y grows upwards.

    Args:
        width: cells; about 30 fill the page.
        height: cells.
    """

    def __init__(self, width, height):
        import matplotlib.pyplot as plt

        self.figure = plt.figure(figsize=(width * CELL, height * CELL), layout="none")
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
        self.axes.axis("off")

    def text(self, x, y, text, size=9, color=DARK, ha="center", va="center", **options):
        """Write text at (x, y).

        Args:
            x: cells.
            y: cells.
            text: may have several lines; a $ is a $.
            size: points.
            color: of matplotlib.
            ha: which side of the text is at x: "left", "center" or "right".
            va: which side of the text is at y: "bottom", "center" or "top".
            **options: of matplotlib's Text.

        Returns:
            matplotlib's Text.
        """
        options = {"parse_math": False, "linespacing": 1.3, **options}
        return self.axes.text(x, y, text, size=size, color=color, ha=ha, va=va, **options)

    def tensor(
        self,
        values,
        left,
        bottom,
        title="",
        shape=None,
        color=GREY,
        cell=1.0,
        numbers=False,
        rows=None,
        columns=None,
        digits=1,
    ):
        """Draw a matrix as cells whose darkness is the size of the number; -inf is crossed out.

        Args:
            values: (rows, columns), tensor or nested list; or a tuple of two ints for a matrix without numbers.
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
        from matplotlib.colors import to_rgb
        from matplotlib.patches import Rectangle

        empty = isinstance(values, tuple)
        matrix = torch.zeros(values) if empty else torch.as_tensor(values).detach().cpu()
        if matrix.ndim != 2:
            raise ValueError(f"values: shape is {tuple(matrix.shape)}; give one matrix, (rows, columns)")
        n_rows, n_columns = matrix.shape
        for name, labels, count in (("rows", rows, n_rows), ("columns", columns, n_columns)):
            if labels is not None and len(labels) != count:
                raise ValueError(f"{name}: {len(labels)} labels; values has {count} {name}, give one for each")
        whole = not matrix.is_floating_point()
        matrix = matrix.double()
        finite = matrix[matrix.isfinite()]
        largest = max(finite.abs().max().item(), 1e-12) if finite.numel() else 1.0
        hues = [color] * 2 if isinstance(color, str) else color
        right, top = left + n_columns * cell, bottom + n_rows * cell
        written = []
        for i, row in enumerate(matrix.tolist()):
            for j, value in enumerate(row):
                x, y = left + j * cell, top - (i + 1) * cell
                masked = value == float("-inf")
                strength = 0.15 if empty else 0.0 if masked else 0.05 + 0.85 * abs(value) / largest
                fill = [1 - strength * (1 - part) for part in to_rgb(hues[value < 0])]
                options = {"facecolor": fill, "edgecolor": "#AAAAAA", "linewidth": 0.6}
                self.axes.add_patch(Rectangle((x, y), cell, cell, **options))
                if masked and not numbers:
                    self.axes.plot([x, x + cell], [y, y + cell], color="#AAAAAA", linewidth=0.6)
                if numbers and not empty:
                    number = "-∞" if masked else f"{value:.{0 if whole else digits}f}"
                    ink = "white" if sum(fill) < 1.5 else "black"
                    written.append(self.text(x + cell / 2, y + cell / 2, number, color=ink))
        self._fit(written, 0.9 * cell, 0.9 * cell, f"cell: {cell}")
        label_left, label_top = left, top
        if rows is not None:
            labels = [
                self.text(left - 0.2, top - (i + 0.5) * cell, label, ha="right") for i, label in enumerate(rows)
            ]
            self._fit(labels, float("inf"), 1.1 * cell, f"cell: {cell}")
            label_left = min(self._extent(label)[0] for label in labels)
        if columns is not None:
            labels = [
                self.text(left + (j + 0.5) * cell, top + 0.15, label, va="bottom")
                for j, label in enumerate(columns)
            ]
            if max(self._size(label)[0] for label in labels) > 0.95 * cell:
                for label in labels:
                    label.set(rotation=45, ha="left", rotation_mode="anchor", va="baseline")
                    label.set_position((label.get_position()[0] - 0.1, top + 0.2))
            label_top = max(self._extent(label)[3] for label in labels)
        middle = (left + right) / 2
        label_bottom = bottom
        if title:
            label_top = self._extent(self.text(middle, label_top + 0.2, title, size=10, va="bottom"))[3]
        if shape is None:
            shape = str(tuple(matrix.shape))
        if shape:
            below = self.text(middle, bottom - 0.2, shape, size=8, color="#555555", va="top")
            label_bottom = self._extent(below)[1]
        return around(label_left, label_bottom, right, label_top, (middle, (bottom + top) / 2))

    def box(self, text, left, bottom, width, height, color=GREY):
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
        from matplotlib.colors import to_rgb
        from matplotlib.patches import FancyBboxPatch

        pale = [1 - 0.15 * (1 - part) for part in to_rgb(color)]
        style = f"round,pad=0,rounding_size={min(0.35, width / 2, height / 2)}"
        options = {"facecolor": pale, "edgecolor": color, "linewidth": 1.3}
        self.axes.add_patch(FancyBboxPatch((left, bottom), width, height, boxstyle=style, **options))
        center = (left + width / 2, bottom + height / 2)
        words = self.text(*center, text)
        self._fit([words], width - 0.3, height - 0.1, f"width, height: {width}, {height}")
        return around(left, bottom, left + width, bottom + height, center)

    def arrow(self, start, end, label="", color=DARK, bend=0, corners=()):
        """Draw an arrow.

        Args:
            start: point (x, y).
            end: point (x, y).
            label: written beside its middle.
            color: of matplotlib.
            bend: 0 for a straight line; otherwise how far the middle lies to the right of it, in lengths.
            corners: points between start and end, for an arrow of straight pieces.
        """
        points = [start, *corners, end]
        self.axes.plot(*zip(*points[:-1], strict=True), color=color, linewidth=1.4)
        style = {"arrowstyle": "-|>", "color": color, "linewidth": 1.4, "mutation_scale": 9}
        style |= {"shrinkA": 0 if corners else 2, "shrinkB": 2, "connectionstyle": f"arc3,rad={bend}"}
        self.axes.annotate("", points[-1], points[-2], arrowprops=style)
        if label:
            (x0, y0), (x1, y1) = points[len(points) // 2 - 1 : len(points) // 2 + 1]
            x, y = (x0 + x1 + bend * (y1 - y0)) / 2, (y0 + y1 - bend * (x1 - x0)) / 2
            if abs(y1 - y0) <= abs(x1 - x0):  # rather flat: above it
                slope = abs(y1 - y0) / max(abs(x1 - x0), 1e-9)
                self.text(x, y + 0.2 + 0.5 * slope, label, size=8, color=color, va="bottom")
            else:
                self.text(x + 0.25, y, label, size=8, color=color, ha="left")

    def show(self, ko, en):
        """Show the canvas with its description, as `plots.show`."""
        import matplotlib.pyplot as plt

        plt.figure(self.figure.number)
        plots.show(ko, en)

    def _extent(self, text):
        """left, bottom, right, top of a text, in cells."""
        corners = self.axes.transData.inverted().transform(text.get_window_extent())
        return corners.flatten().tolist()

    def _size(self, text):
        left, bottom, right, top = self._extent(text)
        return right - left, top - bottom

    def _fit(self, texts, width, height, given):
        """Write all the texts in the one size in which the largest fits."""
        sizes = [self._size(text) for text in texts]
        share = min((min(width / w, height / h, 1) for w, h in sizes), default=1)
        for text in texts:
            if text.get_fontsize() * share < SMALLEST:
                raise ValueError(f"{given} is too small for the text {text.get_text()!r}; make it larger")
            text.set_fontsize(text.get_fontsize() * share)
