"""`python -m helpers grade`: which exercises of the notebooks in a folder are solved."""

import argparse
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from helpers.commands.terminal import say
from helpers.engine.checks import check_sizes
from helpers.engine.files import check_writable, write_whole
from helpers.grading.marks import FAILED, grade
from helpers.grading.submissions import find_submissions
from helpers.grading.tables import as_csv, lines_of, overview

GIGABYTE = 2**30
RESULTS = "results.csv"
DOCKER = (
    'docker run --rm --network none --memory 8g --pids-limit 1000 -v "{}":/submissions '
    "course python -m helpers grade /submissions"
)
DESCRIPTION = f"""\
Runs the notebooks of students, each in a process and a temporary folder of its own, and tells which exercises
are passed, and why not. Writes FOLDER/{RESULTS}.

This runs students' code with your rights: it can read and change your files. In a container it cannot (the
page for teachers says how to make the image "course"):

    {DOCKER.format("$PWD/FOLDER")}
"""
EPILOG = """\
A notebook is called STUDENT_04_attention.ipynb, or lies in a folder STUDENT: what stands before the chapter's
name is the student. The chapter is the one whose exercises the notebook imports. Of several answers to one
exercise the last counts.
"""


def add_arguments(parser):
    """Tell a parser the arguments of the command.

    Args:
        parser: of argparse.
    """
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("folder", help="with the students' notebooks; folders in it are looked through")
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
        ValueError: an option is out of its range, nbclient is missing, or as `find_submissions` and
            `check_writable`.
    """
    check_sizes(seconds=options.seconds, memory=options.memory)
    submissions = find_submissions(options.folder)
    folder = Path(options.folder)
    check_writable(folder / RESULTS)
    sys.stdout.reconfigure(errors="replace")  # of a terminal without Hangul or ✓
    say(f"This runs students' code with your rights. In a container: {DOCKER.format(folder.resolve())}\n")
    results = []
    try:
        for result in graded(submissions, options.seconds, options.memory * GIGABYTE, options.language):
            print(*lines_of(result), sep="\n", flush=True)
            results.append(result)
    finally:
        if results:
            print(*overview(results), f"\n{folder / RESULTS}", sep="\n")
            write_whole(folder / RESULTS, as_csv(results))


def graded(submissions, seconds, memory, language):
    """Grade notebooks, as many at once as there are cores.

    Args:
        submissions: list of `Submission`.
        seconds, memory: the limits of each, the memory in bytes.
        language: "ko" or "en".

    Returns:
        Iterator of `Result`, in order.

    Raises:
        ValueError: nbclient is missing.
    """
    if missing := [name for name in ("nbclient", "psutil") if find_spec(name) is None]:
        raise ValueError(f"grade needs the {missing[0]} library; pip install jupyter")
    from helpers.grading.limits import run_limited

    stop, pool = threading.Event(), ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        running = [pool.submit(run_limited, one, seconds, memory, stop) for one in submissions]
        for one, notes in zip(submissions, running, strict=True):
            try:
                result = grade(one, notes.result(), language)
            except Exception:  # it costs only itself, whatever it did
                result = grade(one, FAILED, language)
            yield result
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
