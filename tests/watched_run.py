"""Run a chapter's code in one fresh process with the network closed, and look at every figure it draws.

`python watched_run.py NOTEBOOK` prints a report as JSON in its last line: what each cell printed, the number
of figures, and the problems.
"""

import contextlib
import functools
import io
import json
import logging
import os
import subprocess
import sys
import types
import warnings
from itertools import combinations
from pathlib import Path

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
problems, figures, where = [], 0, "before the first cell"
described, bare = False, []  # whether a figure had a description, and the cells whose figure had none


def watched_run(path, timeout=300, **parameters):
    """The report of a run in a process of its own; values for names that a cell tagged `parameters` sets."""
    settings = {"MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"}  # two threads on busy cores wait for each other
    done = subprocess.run(
        [sys.executable, __file__, path.name, json.dumps(parameters)],
        cwd=path.parent,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def report(problem):
    if f"{where}: {problem}" not in problems:
        problems.append(f"{where}: {problem}")


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


def finite(values):
    """False if a number among the values is NaN or infinite; masked cells and words do not count."""
    import numpy as np

    try:
        return bool(np.isfinite(np.ma.masked_array(values, dtype=float).compressed()).all())
    except (TypeError, ValueError):
        return all(map(finite, values)) if isinstance(values, list | tuple) else True


def watch_silent_methods():
    """Look at what goes into the methods that hide NaN; the figure does not show it any more."""
    from matplotlib.axes import Axes

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
    from matplotlib import collections, image, lines, patches, text

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


def look_at_figures(*args, **options):
    """In place of plt.show: draw each open figure (so missing glyphs show), look at its numbers, close it.

    `helpers.plots.show` calls it too; the description is then the figure's label.
    """
    import matplotlib.pyplot as plt

    global figures, described
    for number in plt.get_fignums():
        figures += 1
        figure = plt.figure(number)
        if figure.get_label():
            described = True
        else:
            bare.append(where)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            figure.savefig(io.BytesIO(), bbox_inches="tight")
        for one, other in overlaps(figure):
            report(f"text {one!r} lies on {other!r}")
        for artist in figure.findobj():
            if not all(finite(values) for values in numbers(artist) if values is not None):
                report(f"{type(artist).__name__}: NaN or infinity")
        plt.close(figure)


def run(path, parameters):
    """Run the code cells in order in one namespace, as a kernel does."""
    global where
    import matplotlib.pyplot as plt
    import nbformat
    import torch  # noqa: F401  loaded while doors are open: loading looks around in the machine

    cells = nbformat.read(path, as_version=4).cells
    sys.path[0] = ""
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    plt.show = look_at_figures
    printed = []
    watch_silent_methods()
    listen()
    close_the_doors()
    for i, cell in enumerate(cells):
        if cell.cell_type != "code":
            continue
        where = f"cell {i}"
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(cell.source, f"<cell {i}>", "exec"), main.__dict__)
            if "parameters" in cell.metadata.get("tags", []):
                main.__dict__.update(parameters)
            look_at_figures()  # what the kernel shows at the end of a cell
        except BaseException as error:
            report(f"{type(error).__name__}: {error}")
            break
        printed.append(out.getvalue())
    if described:  # the chapter uses plots.show
        problems.extend(f"{cell}: figure without a description" for cell in bare)
    return {"printed": printed, "figures": figures, "problems": problems}


if __name__ == "__main__":
    print("\n" + json.dumps(run(Path(sys.argv[1]), json.loads(sys.argv[2]))))
