"""make course: execute every chapter in order into build/, go on past a failure, end with a table."""

import logging
import signal
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C while the next lines import ends without a traceback

import nbformat
import papermill

from project import QUIET, ROOT, chapters


def run(paths, folder):
    """Execute the chapters into a folder; print progress and a table; return how many failed."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, failures = [], []
    for path in paths:
        print(f"{path.stem} … ", end="", flush=True)
        start = time.perf_counter()
        failure = execute(path, folder / path.name)
        seconds = time.perf_counter() - start
        print(f"{seconds:.1f} s" + (f", failed in {failure}" if failure else ""), flush=True)
        rows.append((path.stem, f"{seconds:.1f}", "no" if failure else "yes"))
        if failure:
            failures.append(f"{path.stem}, {failure}")

    width = max(len(path.stem) for path in paths)
    print()
    for chapter, seconds, ok in [("chapter", "seconds", "ok"), *rows]:
        print(f"{chapter:{width}}  {seconds:>7}  {ok}")
    if failures:
        print("\nfailed:\n" + "\n".join(failures))
    return len(failures)


def execute(path, output):
    """Execute a chapter in its own folder; return "cell [n]: error" or None."""
    output.unlink(missing_ok=True)
    output.touch()  # where nothing can be written, that is known before the chapter runs
    try:
        papermill.execute_notebook(path, output, cwd=path.parent, progress_bar=False, extra_arguments=QUIET)
    except papermill.PapermillExecutionError as error:
        return f"cell [{error.exec_count}]: {error.ename}: {error.evalue}"
    except Exception as error:  # the kernel died, the file is no notebook, …: the other chapters still run
        return f"cell [{last_started(output)}]: {type(error).__name__}: {error}"
    return left_early(output)


def code_cells(output):
    """The code cells of what papermill has written; none if it has written nothing yet."""
    text = output.read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4) if text else nbformat.v4.new_notebook()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def last_started(output):
    """The number of the cell at which papermill stopped, from the times in what it had written by then."""
    return sum(bool(cell.metadata.get("papermill", {}).get("start_time")) for cell in code_cells(output))


def left_early(output):
    """The first stored error, as "cell [n]: error": papermill takes sys.exit(0) in a cell for success."""
    for number, cell in enumerate(code_cells(output), start=1):
        for out in cell.outputs:
            if out.output_type == "error":
                return f"cell [{number}]: {out.ename}: {out.evalue}"
    return None


def stop(number, frame):
    """Ctrl-C: the kernel ends with the chapter, and nobody needs to log that it died."""
    logging.disable()
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGINT, stop)
    try:
        sys.exit(1 if run(chapters(), ROOT / "build") else 0)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; make course writes there")
    except KeyboardInterrupt:
        print("\nstopped")
        sys.exit(130)
