"""The kernel that nbval runs the chapters on: it is as in a fresh Colab, and it watches.

The doors to the network and to other processes are closed. Warnings, log messages, figures and the files that
a cell leaves are looked at. What is found is raised at the end of the cell, so that nbval fails this cell.
"""

import fresh_colab  # noqa: F401, I001  first, so that nothing below finds what is hidden

import functools
import logging
import os
import sys
import warnings
from itertools import combinations

import numpy as np
import torch  # noqa: F401  loaded while doors are open: loading looks around in the machine
from ipykernel.kernelapp import IPKernelApp
from matplotlib import collections, font_manager, image, lines, patches, text
from matplotlib import pyplot as plt  # noqa: F401  loaded while doors are open
from matplotlib.axes import Axes
from matplotlib.backend_bases import FigureCanvasBase

CLOSED = {  # what a cell may not do: reach out, or start a process that could
    "socket.connect",
    "socket.bind",
    "socket.sendto",
    "socket.sendmsg",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.gethostbyaddr",
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
}
SILENT = ("hist", "imshow", "pcolormesh", "scatter")  # methods of axes that drop or mask NaN without a word
problems = []  # of the cell that runs


class WatchError(Exception):
    """What a cell did that a chapter must not do."""


def report(problem):
    if problem not in problems:
        problems.append(problem)


def raise_problems(result=None):
    found = problems.copy()
    problems.clear()
    if found:
        raise WatchError("\n" + "\n".join(found))


def close_the_doors():
    """From now on a connection, or a new process, is reported and fails as it does without a network."""

    def hook(event, arguments):
        if event in CLOSED:
            report(f"{event} {arguments[:2] if event == 'subprocess.Popen' else arguments[1:]}")
            raise OSError(f"{event} is closed in this test")

    sys.addaudithook(hook)


def listen():
    """Report each warning, and each log message at the level of a warning."""

    class Reporter(logging.Handler):
        def emit(self, record):
            report(f"log: {record.getMessage()}")

    def show(message, category, *place):
        report(f"{category.__name__}: {message}")

    logging.getLogger().addHandler(Reporter(logging.WARNING))
    warnings.showwarning = show


def hide_fonts():
    """Leave no fonts but those that come with matplotlib."""
    fonts = font_manager.fontManager.ttflist
    font_manager.fontManager.ttflist = [font for font in fonts if "mpl-data" in font.fname]


def finite(values):
    """False if a number among the values is NaN or infinite; masked cells and words do not count."""
    try:
        return bool(np.isfinite(np.ma.masked_array(values, dtype=float).compressed()).all())
    except (TypeError, ValueError):
        return all(map(finite, values)) if isinstance(values, list | tuple) else True


def watch_silent_methods():
    """Look at what goes into the methods that hide NaN; the figure does not show it any more."""

    def watched(name, method):
        @functools.wraps(method)
        def call(self, *args, **options):
            if not all(finite(x) for x in (*args, options.get("c")) if x is not None):
                report(f"{name}: NaN or infinity")
            return method(self, *args, **options)

        return call

    for name in SILENT:
        setattr(Axes, name, watched(name, getattr(Axes, name)))


def numbers(artist):
    """The arrays that a part of a figure is drawn from."""
    if isinstance(artist, lines.Line2D):
        yield from (artist.get_xdata(), artist.get_ydata())
    elif isinstance(artist, image.AxesImage):
        yield artist.get_array()
    elif isinstance(artist, collections.Collection):
        yield from (artist.get_offsets(), artist.get_array(), *(path.vertices for path in artist.get_paths()))
    elif isinstance(artist, patches.Patch):
        yield artist.get_patch_transform().transform(artist.get_path().vertices)
    elif isinstance(artist, text.Text):
        yield from (artist.get_position(), getattr(artist, "xy", ()))


def overlaps(figure):
    """Pairs of texts of a diagram (axes without an axis) that lie on each other; aslant ones do not count."""
    for axes in figure.axes:
        texts = [text for text in axes.texts if text.get_text() and not text.get_rotation()]
        boxes = [(text.get_text(), text.get_window_extent().shrunk(0.8, 0.8)) for text in texts]
        for (one, here), (other, there) in combinations(boxes if not axes.axison else [], 2):
            if here.overlaps(there):
                yield one, other


def watch_figures():
    """Look at each figure that is shown: at what drawing it says, its texts and its numbers."""
    draw = FigureCanvasBase.print_figure

    @functools.wraps(draw)
    def draw_and_look(canvas, *args, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            drawn = draw(canvas, *args, **options)
        for one, other in overlaps(canvas.figure):
            report(f"text {one!r} lies on {other!r}")
        for artist in canvas.figure.findobj():
            if not all(finite(values) for values in numbers(artist) if values is not None):
                report(f"{type(artist).__name__}: NaN or infinity")
        return drawn

    FigureCanvasBase.print_figure = draw_and_look


def watch_the_folder(events):
    """Report a file that a cell leaves in the current folder; what chapters train belongs into build/."""
    known = {"build", *os.listdir()}

    def look(result):
        for name in set(os.listdir()) - known:
            known.add(name)
            report(f"left behind: {name}")

    events.register("post_run_cell", look)


if __name__ == "__main__":
    app = IPKernelApp.instance()
    app.initialize()
    hide_fonts()
    watch_silent_methods()
    watch_figures()
    watch_the_folder(app.shell.events)
    app.shell.events.register("post_run_cell", raise_problems)
    listen()
    close_the_doors()
    app.start()
