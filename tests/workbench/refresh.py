"""make notebooks: execute chapters again, in place; the same outputs give the same bytes.

With arguments only the notebooks named.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from project import METADATA, QUIET, ROOT, chapters, write


def refresh_all(paths):
    """Refresh each notebook, print progress; return the failures, each with its chapter, cell and error."""
    failures = []
    for path in paths:
        print(f"{path.stem} … ", end="", flush=True)
        before = path.read_bytes()
        failure = refresh(path)
        print(failure or ("unchanged" if path.read_bytes() == before else "changed"), flush=True)
        if failure:
            failures.append(f"{path.stem}, {failure}")
    return failures


def refresh(path):
    """Execute a notebook in its own folder and rewrite it; on an error leave it, return "cell [n]: error"."""
    notebook = nbformat.read(path, as_version=4)
    started = []
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        coalesce_streams=True,
        record_timing=False,
        extra_arguments=QUIET,
        on_cell_execute=lambda cell, cell_index: started.append(cell_index),
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except Exception as error:  # of the cell, a time-out, a dead kernel
        name, value = getattr(error, "ename", type(error).__name__), getattr(error, "evalue", error)
        return f"cell [{len(started)}]: {name}: {value}"
    write(normalised(notebook), path)


def normalised(notebook):
    """The notebook with no metadata but the course's own."""
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat_minor = 5
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k == "tags"})
        for output in cell.get("outputs", []):
            if "metadata" in output:
                output.metadata = nbformat.from_dict({})
    return notebook


def draw_map():
    """Draw the README's picture: the map of the model."""
    import matplotlib

    matplotlib.use("Agg")
    from helpers import plots

    picture = ROOT / "notebooks" / "images" / "model_map.png"
    picture.parent.mkdir(exist_ok=True)
    temporary = picture.with_suffix(".tmp")
    plots.use_style()
    plots.model_map().savefig(temporary, format="png", dpi=150)
    os.replace(temporary, picture)


if __name__ == "__main__":
    failures = refresh_all([Path(name).resolve() for name in sys.argv[1:]] or chapters())
    if failures:
        sys.exit("\nfailed, left as before:\n" + "\n".join(failures))
    if not sys.argv[1:]:
        draw_map()
