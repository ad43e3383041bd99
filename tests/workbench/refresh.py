"""make notebooks: execute chapters and depths again, in place; an output that still holds keeps its bytes.

With arguments only the notebooks named.
"""

import io
import subprocess
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from approximate import outputs_difference, tolerance_of
from helpers.engine.files import write_whole
from project import (
    METADATA,
    OF_PICTURES,
    QUIET,
    ROOT,
    chapters,
    checksum,
    code_up_to,
    depths,
    end_in_one_line,
    metadata_of,
    pictures_of,
    runs_here,
    write,
)
from summary import write_summary

KEEP = """\
import random as _random, numpy as _numpy, torch as _torch
from helpers.engine.languages import speak as _speak
_states = _random.getstate(), _numpy.random.get_state(), _torch.get_rng_state()"""
BACK = """\
_random.setstate(_states[0]), _numpy.random.set_state(_states[1]), _torch.set_rng_state(_states[2])
_speak("{language}")"""  # what is drawn at random is the same in each language


def refresh_all(paths):
    """Refresh each notebook, print progress; return the failures, each with its chapter, cell and error."""
    failures = []
    for path in paths:
        print(f"{path.stem} … ", end="", flush=True)
        if not runs_here(path):
            print("left as it is: SmolLM2 is not installed (make smollm)", flush=True)
            continue
        before = path.read_bytes()
        failure = refresh(path)
        print(failure or ("unchanged" if path.read_bytes() == before else "changed"), flush=True)
        if failure:
            failures.append(f"{path.stem}, {failure}")
    return failures


def refresh(path):
    """Execute a notebook in its own folder and rewrite it; on an error leave it, return "cell [n]: error"."""
    stored, notebook = (nbformat.read(path, as_version=4) for _ in range(2))
    write_summary(notebook)
    started = []
    client = Painter(
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
        return f"cell [{len(set(started))}]: {name}: {value}"
    keep_what_holds(stored, notebook, path)
    write(normalized(notebook), path)


class Painter(NotebookClient):
    """It executes each cell that draws first in each language, and keeps these pictures, too.

    They are in the metadata of the picture in both languages, with checksums of all the code up to there and
    of the pictures.
    """

    async def async_execute_cell(self, cell, cell_index, *arguments, **options):
        once = super().async_execute_cell
        if "drawing" not in cell.metadata.get("tags", []):
            return await once(cell, cell_index, *arguments, **options)

        async def aside(source):
            extra = nbformat.v4.new_code_cell(source)
            await once(extra, cell_index, store_history=False)
            self.code_cells_executed -= 1  # the reader's cells are numbered in order
            return extra.outputs

        others = {}
        await aside(KEEP)
        for language in ("ko", "en"):
            await aside(BACK.format(language=language))
            others[language] = await aside(cell.source)
        await aside(BACK.format(language="both"))
        done = await once(cell, cell_index, *arguments, **options)
        keep_languages(cell, others, code_up_to(self.nb, cell_index))
        return done


def keep_languages(cell, others, code):
    """Put the pictures of each language, where it has its own, beside those in both.

    Args:
        cell: executed in both languages; its outputs are completed.
        others: the outputs of the same code in "ko" and "en".
        code: sources of all code cells up to this one.
    """
    for place, output in enumerate(cell.outputs):
        if "image/png" not in output.get("data", {}):
            continue
        same = [outputs[place] for outputs in others.values()]
        about = output.metadata.setdefault("image/png", {})
        about["code"] = checksum(code)
        about["smallest_label"] = min(one.metadata["image/png"]["smallest_label"] for one in [output, *same])
        for language, other in zip(others, same, strict=True):
            if other.data["image/png"] != output.data["image/png"]:
                about[language] = other.data["image/png"]
        about["pictures"] = checksum(pictures_of(output))


def keep_what_holds(stored, notebook, path):
    """Put each stored output that still holds back in its place."""
    for number, (old_cell, cell) in enumerate(zip(stored.cells, notebook.cells, strict=True)):
        before, now = old_cell.get("outputs", []), cell.get("outputs", [])
        if len(before) == len(now):
            code = code_up_to(notebook, number)
            for place, (old, new) in enumerate(zip(before, now, strict=True)):
                if holds(old, new, tolerance_of(cell.metadata.get("tags", [])), code, path):
                    now[place] = renumbered(old, new)


def holds(old, new, tolerance, code, path):
    """Whether a stored output holds: its texts beside the new ones, a figure by the code that drew it."""
    if outputs_difference([old], [new], tolerance):
        return False
    picture = old.get("data", {}).get("image/png")
    if not picture or (picture == new.data["image/png"] and old.metadata == new.metadata):
        return True
    codes = {output.metadata.get("image/png", {}).get("code") for output in (old, new)}
    return len(codes) == 1 and drawn_by(code, picture, path)


def renumbered(old, new):
    """A stored output with the execution count of the new one."""
    if "execution_count" in new:
        old.execution_count = new.execution_count
    return old


def drawn_by(code, picture, path):
    """Whether a figure came into the history with this code, and with helpers as they are now."""
    some = picture[len(picture) // 2 :][:60]  # enough to tell it from others
    commit = git(path.parent, "log", "-1", "--format=%H", f"-S{some}", "--", path.name)
    file = commit and git(path.parent, "show", f"{commit}:./{path.name}")
    if not file or not helpers_are_as_in(commit, path.parent):
        return False
    then = nbformat.reads(file, as_version=4)
    return code == code_up_to(then, len(then.cells))[: len(code)]


def helpers_are_as_in(commit, folder):
    return git(folder, "diff", "--name-only", commit, "--", ":/helpers") == ""


def git(folder, *arguments):
    """What git prints, without the end of its last line; None where it fails or is not installed."""
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, encoding="utf-8")
    except FileNotFoundError:
        return None
    return done.stdout.strip("\n") if done.returncode == 0 else None


def normalized(notebook):
    """The notebook with no metadata but the course's own: of cells, and what is known of pictures."""
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat_minor = 5
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(metadata_of(cell))
        for output in cell.get("outputs", []):
            if "metadata" in output:
                about = output.metadata.get("image/png", {})
                about = {name: about[name] for name in OF_PICTURES if name in about}
                output.metadata = nbformat.from_dict({"image/png": about} if about else {})
    return notebook


def draw_map():
    """Draw the README's picture, the map of the model, unless it was drawn by helpers as they are."""
    import matplotlib

    matplotlib.use("Agg")
    from helpers.figures import plots

    picture = ROOT / "notebooks" / "images" / "model_map.png"
    commit = git(ROOT, "log", "-1", "--format=%H", "--", str(picture))
    if commit and picture.exists() and helpers_are_as_in(commit, ROOT):
        return
    drawn = io.BytesIO()
    plots.use_style()
    plots.model_map().savefig(drawn, format="png", dpi=150)
    write_whole(picture, drawn.getvalue())


if __name__ == "__main__":
    with end_in_one_line():
        failures = refresh_all([Path(name).resolve() for name in sys.argv[1:]] or chapters() + depths())
        if failures:
            sys.exit("\nfailed, left as before:\n" + "\n".join(failures))
        if not sys.argv[1:]:
            draw_map()
