"""`python -m helpers grade`: which exercises in students' notebooks are solved, and which parts of mine/."""

import argparse
import os
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path

from helpers.commands.terminal import say
from helpers.engine.checks import check_sizes
from helpers.engine.files import check_writable, write_whole
from helpers.grading.marks import FAILED, grade
from helpers.grading.sandbox import DISK, IMAGE, find_sandbox
from helpers.grading.submissions import find_submissions
from helpers.grading.tables import as_csv, lines_of, overview

GIGABYTE = 2**30
RESULTS = "results.csv"
UNPROTECTED = "NOT PROTECTED: without a sandbox any notebook could change these marks and your files."
DESCRIPTION = f"""\
Runs the notebooks of students and what they wrote in mine/, each in a sandbox of its own, and tells which
exercises and which parts are passed, and why not. Writes FOLDER/{RESULTS}, anew after each notebook.

The sandbox is bubblewrap (bwrap), or else a container that docker or podman makes of the image "{IMAGE}"; the
page for teachers says how to get either. Without one this runs students' code with your rights, and says so
in the first line of the table.
"""
EPILOG = """\
A notebook is called STUDENT_04_attention.ipynb, or lies in a folder STUDENT: what stands before the chapter's
name is the student. The chapter is the one whose exercises the notebook imports. Of several answers to one
exercise the last counts. A folder with adapters.py is a student's mine/: STUDENT/mine, or STUDENT_mine.
"""


def add_arguments(parser):
    """Tell a parser the arguments of the command.

    Args:
        parser: of argparse.
    """
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("folder", help="with what students hand in; folders in it are looked through")
    parser.add_argument("--language", choices=("ko", "en"), default="en", help="of the marks; default: en")
    parser.add_argument(
        "--seconds",
        type=int,
        default=600,
        help="for a notebook; a tenth of it for one exercise; default: 600",
    )
    parser.add_argument("--memory", type=int, default=4, help="gigabytes for a notebook; default: 4")
    parser.set_defaults(run=run, interrupted=lambda options: "stopped")


def run(options):
    """Grade all notebooks; print what comes out, and write the table, after Ctrl-C of those that are graded.

    Args:
        options: what the parser returns.

    Raises:
        ValueError: an option is out of its range, psutil is missing, or as `find_submissions` and
            `check_writable`.
    """
    check_sizes(seconds=options.seconds, memory=options.memory)
    if find_spec("psutil") is None:
        raise ValueError("grade needs the psutil library; pip install psutil")
    submissions = find_submissions(options.folder)
    folder = Path(options.folder)
    check_writable(folder / RESULTS)
    sandbox, why = find_sandbox(folder)
    say(f"Each notebook runs in a sandbox: {sandbox.name}.\n" if sandbox else f"{UNPROTECTED} ({why})\n")
    done = {}
    try:
        for path, result in graded(
            submissions, options.seconds, options.memory * GIGABYTE, options.language, sandbox
        ):
            print(*lines_of(result), sep="\n", flush=True)
            done[path] = result
            results = [done[one.path] for one in submissions if one.path in done]
            write_whole(folder / RESULTS, as_csv(results, "" if sandbox else UNPROTECTED))
    finally:
        if done:
            print(*overview(results), f"\n{folder / RESULTS}", sep="\n")


def graded(submissions, seconds, memory, language, sandbox):
    """Grade notebooks, as many at once as cores and memory allow.

    Args:
        submissions: list of `Submission`.
        seconds, memory: the limits of each, the memory in bytes.
        language: "ko" or "en".
        sandbox: a `Sandbox`, or None.

    Returns:
        Iterator of (path, `Result`), as they are done.
    """
    from helpers.grading.limits import run_limited

    stop, pool = threading.Event(), ThreadPoolExecutor(at_once(memory))
    try:
        running = {pool.submit(run_limited, one, seconds, memory, stop, sandbox): one for one in submissions}
        for notes in as_completed(running):
            one = running[notes]
            try:
                result = grade(one, notes.result(), language)
            except Exception:  # it costs only itself, whatever it did
                result = grade(one, FAILED, language)
            yield one.path, result
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def at_once(memory):
    """How many notebooks run at once.

    Args:
        memory: bytes that each may take, besides what it writes.

    Returns:
        An integer, at least 1.
    """
    import psutil

    return max(1, min(os.cpu_count() or 1, psutil.virtual_memory().available // (memory + DISK)))
