"""make course: execute every chapter into build/, then the depths; go on past a failure, end with a table."""

import logging
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from pathlib import Path

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C while the next lines import leaves no traceback

import nbformat
import papermill

from project import QUIET, ROOT, chapters, depths, runs_here

TRAINING = "11_training"  # takes longest, and leaves the translator
OPENING = "course_translator("  # in the chapters that open it, and would train it where it is missing


def run(paths, folder):
    """Execute notebooks into a folder, two at a time; print progress and a table; return how many failed."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = {}
    pool = ThreadPoolExecutor(2)
    try:
        for done in as_completed(start(paths, folder, pool)):
            path, seconds, failure = done.result()
            rows[path] = seconds, failure
            print(f"{path.stem} {seconds:.1f} s" + (f", failed in {failure}" if failure else ""), flush=True)
    finally:
        pool.shutdown(cancel_futures=True)

    width = max(len(path.stem) for path in paths)
    print(f"\n{'notebook':{width}}  seconds  ok")
    for path in paths:
        seconds, failure = rows[path]
        print(f"{path.stem:{width}}  {seconds:>7.1f}  {'no' if failure else 'yes'}")
    failures = [f"{path.stem}, {rows[path][1]}" for path in paths if rows[path][1]]
    if failures:
        print("\nfailed:\n" + "\n".join(failures))
    return len(failures)


def run_all(folder):
    """Execute the chapters, then the depths; return how many failed."""
    ways, deeper = ([path for path in paths if runs_here(path)] for paths in (chapters(), depths()))
    if left_out := [path.stem for path in chapters() + depths() if path not in ways + deeper]:
        print(f"left out, since SmolLM2 is not installed (make smollm): {', '.join(left_out)}", flush=True)
    failed = run(ways, folder)
    if deeper:
        print("\nnow the depths, one question each: notebooks/deeper/", flush=True)
        failed += run(deeper, folder / "deeper")
    return failed


def start(paths, folder, pool):
    """Give the chapters to the pool: the one that trains first, those that open its translator last."""
    trains = [path for path in paths if path.stem == TRAINING]
    opens = [path for path in paths if OPENING in path.read_text("utf-8")]
    others = [path for path in paths if path not in trains + opens]
    early = [pool.submit(timed, path, folder) for path in trains + others]
    return early + [pool.submit(timed, path, folder, after=early[: len(trains)]) for path in opens]


def timed(path, folder, after=()):
    """Execute a chapter in a process of its own; return the chapter, its seconds, what failed or ""."""
    wait(after)
    begun = time.perf_counter()
    output = folder / path.name
    output.unlink(missing_ok=True)
    output.touch()  # where nothing can be written, that is known before the chapter runs
    command = [sys.executable, __file__, path, output]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    failure = done.stdout.strip() or (done.returncode and f"exit status {done.returncode}")
    return path, time.perf_counter() - begun, failure


def execute(path, output):
    """Execute a chapter in its own folder; return "cell [n]: error" or ""."""
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
    """The first stored error, as `execute` names it: papermill takes sys.exit(0) in a cell for success."""
    for number, cell in enumerate(code_cells(output), start=1):
        for out in cell.outputs:
            if out.output_type == "error":
                return f"cell [{number}]: {out.ename}: {out.evalue}"
    return ""


def stop(number, frame):
    """Ctrl-C: the kernel ends with the chapter, and nobody needs to log that it died."""
    logging.disable()
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGINT, stop)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # of two chapters, each has a core
    one = [Path(argument) for argument in sys.argv[1:]]  # a chapter and its output, in a process of its own
    try:
        if one:
            sys.stdout.reconfigure(encoding="utf-8")
            print(execute(*one))
        else:
            sys.exit(1 if run_all(ROOT / "build") else 0)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; make course writes there")
    except KeyboardInterrupt:
        if not one:
            print("\nstopped")
        sys.exit(130)
