"""make course: execute every chapter in order into build/, go on past a failure, end with a table."""

import sys
import time

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
    try:
        papermill.execute_notebook(path, output, cwd=path.parent, progress_bar=False, extra_arguments=QUIET)
    except papermill.PapermillExecutionError as error:
        return f"cell [{error.exec_count}]: {error.ename}: {error.evalue}"
    except Exception as error:  # the kernel died, the file is no notebook, …: the other chapters still run
        return f"cell [{last_started(output)}]: {type(error).__name__}: {error}"


def last_started(output):
    """The number of the cell at which papermill stopped, from the times in what it had written by then."""
    if not output.exists():
        return 0
    code = [cell for cell in nbformat.read(output, as_version=4).cells if cell.cell_type == "code"]
    return sum(bool(cell.metadata.get("papermill", {}).get("start_time")) for cell in code)


if __name__ == "__main__":
    sys.exit(1 if run(chapters(), ROOT / "build") else 0)
