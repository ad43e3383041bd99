"""`python -m helpers grade`: which exercises of the notebooks in a folder are solved."""

import argparse
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from helpers.checks import check_sizes
from helpers.commands.terminal import say
from helpers.files import write_whole

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
    parser.set_defaults(run=run, interrupted=lambda options: "stopped; nothing was written")


def run(options):
    """Grade all notebooks; print what comes out, and write the table.

    Args:
        options: what the parser returns.

    Raises:
        ValueError: an option is out of its range, or as `find_submissions` and `write_whole`.
    """
    from helpers.grading.submissions import find_submissions
    from helpers.grading.tables import as_csv, lines_of, overview

    check_sizes(seconds=options.seconds, memory=options.memory)
    submissions = find_submissions(options.folder)
    folder = Path(options.folder)
    say(f"This runs students' code with your rights. In a container: {DOCKER.format(folder.resolve())}\n")
    results = []
    for result in graded(submissions, options.seconds, options.memory * GIGABYTE, options.language):
        print(*lines_of(result), sep="\n", flush=True)
        results.append(result)
    print(*overview(results), sep="\n")
    write_whole(folder / RESULTS, as_csv(results))
    print(f"\n{folder / RESULTS}")


def graded(submissions, seconds, memory, language):
    """Grade notebooks, as many at once as there are cores.

    Args:
        submissions: list of `Submission`.
        seconds, memory: the limits of each, the memory in bytes.
        language: "ko" or "en".

    Returns:
        Iterator of `Result`, in order.
    """
    from helpers.grading.limits import run_limited
    from helpers.grading.marks import grade

    stop = threading.Event()
    pool = ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        notes = pool.map(
            lambda one: run_limited(one, seconds, memory, stop) if one.cells else [], submissions
        )
        for one, noted in zip(submissions, notes, strict=True):
            yield grade(one, noted, language)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
