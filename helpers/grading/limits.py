"""Running a notebook in a process of its own, which is ended when it takes too much."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

import helpers
from helpers.lesson import build_folder

GRACE = 180  # seconds over the notebook's time, in which its kernel starts and its process ends by itself
PAUSE = 0.2  # seconds between two looks at the memory
MOST_NOTES = 50_000_000  # bytes
MARK = "COURSE_GRADED"  # of every process that a notebook starts
TRANSLATOR = "translator.pt"  # which chapter 11 leaves for later ones


def run_limited(submission, seconds, memory, stop):
    """Run a notebook in a temporary folder with a clean copy of helpers.

    Args:
        submission: a `Submission` with cells to run.
        seconds: for the whole notebook.
        memory: bytes.
        stop: `threading.Event`; once it is set, the notebook is ended.

    Returns:
        List of notes, as `helpers.grading.execution` writes them; the last may be {"stopped": None, "why": …}
        with "memory" or "failed".
    """
    if not submission.cells or stop.is_set():
        return []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        furnish(Path(folder))
        job = {
            "folder": folder,
            "environment": environment_of(folder),
            "chapter": submission.chapter,
            "seconds": seconds,
            "cells": submission.cells,
        }
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as notes:
            given.write(json.dumps(job).encode())
            given.seek(0)
            ended = supervise(job, given, notes, memory, stop)
            notes.seek(0)
            whole_lines = notes.read(MOST_NOTES).splitlines(keepends=True)
        found = [json.loads(line) for line in whole_lines if line.endswith(b"\n")]
        return found + ([{"stopped": None, "why": ended}] if ended else [])


def furnish(folder):
    """Put into a folder what a notebook needs: helpers, and the translator of chapter 11 where there is one.

    Args:
        folder: a path.
    """
    shutil.copytree(Path(helpers.__file__).parent, folder / "helpers")
    (folder / "build").mkdir()
    (folder / "tmp").mkdir()
    if (build_folder() / TRANSLATOR).exists():
        shutil.copy(build_folder() / TRANSLATOR, folder / "build")


def environment_of(folder):
    """The environment variables of a student's kernel.

    Args:
        folder: where it runs.

    Returns:
        A dictionary.
    """
    return os.environ | {
        "PYTHONPATH": folder,
        "TMPDIR": os.path.join(folder, "tmp"),
        "IPYTHONDIR": os.path.join(folder, "tmp"),
        "OMP_NUM_THREADS": "1",  # as many notebooks run at once as there are cores
        "TQDM_DISABLE": "1",
        "COURSE_PROGRESS": "none",
        MARK: folder,
    }


def supervise(job, given, notes, memory, stop):
    """Start the process of a notebook, and wait until it ends or must be ended.

    Args:
        job: for `helpers.grading.execution`.
        given, notes: the files from which it reads the job and to which it writes.
        memory, stop: as for `run_limited`.

    Returns:
        "memory" or "failed", or None if it ended by itself.
    """
    command = [sys.executable, "-P", "-m", "helpers.grading.execution"]
    environment = job["environment"] | {
        "PYTHONPATH": str(Path(helpers.__file__).parents[1]),
        "JUPYTER_PREFER_ENV_PATH": "1",
    }
    pipes = {"stdin": given, "stdout": notes, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env=environment, start_new_session=True, **pipes)
    too_much = False
    try:
        deadline = time.monotonic() + job["seconds"] + GRACE
        while process.poll() is None and time.monotonic() < deadline and not stop.is_set():
            if memory_of(process.pid) > memory:
                too_much = True
                break
            time.sleep(PAUSE)
    finally:
        end_all(process, job["folder"])
    return "memory" if too_much else "failed" if process.returncode else None


def memory_of(number):
    """Bytes of memory that a process and all that it has started hold.

    Args:
        number: of the process.

    Returns:
        An integer.
    """
    total = 0
    try:
        main = psutil.Process(number)
        for process in [main, *main.children(recursive=True)]:
            total += process.memory_info().rss
    except psutil.Error:
        pass  # it has just ended
    return total


def end_all(process, mark):
    """End a process and all that carry the mark, whoever their parents are.

    Args:
        process: `Popen`.
        mark: what `MARK` is in their environment.
    """
    for other in psutil.process_iter():
        try:
            if other.environ().get(MARK) == mark and other.pid != process.pid:
                other.kill()
        except (psutil.Error, OSError):
            pass  # another user's, or it has just ended
    process.kill()
    process.wait()
