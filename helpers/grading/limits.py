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
        List of notes, as `helpers.grading.execution` writes them; the last may be {"stopped": None, "why": …,
        "said": error} with "memory" or "failed".
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
        notes, said, ended = supervise(job, memory, stop)
    lines = [json.loads(line) for line in notes.splitlines(keepends=True) if line.endswith("\n")]
    if ended:
        last = said.splitlines()[-1:] if ended == "failed" else []
        lines.append({"stopped": None, "why": ended, "said": "".join(last)})
    return lines


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


def supervise(job, memory, stop):
    """Start the process of a notebook, and wait until it ends or must be ended.

    Args:
        job: for `helpers.grading.execution`.
        memory, stop: as for `run_limited`.

    Returns:
        What it wrote, its errors, and "memory" or "failed", or None if it ended by itself.
    """
    command = [sys.executable, "-P", "-m", "helpers.grading.execution"]
    own = {"PYTHONPATH": str(Path(helpers.__file__).parents[1]), "JUPYTER_PREFER_ENV_PATH": "1"}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(
        command,
        env=job["environment"] | own,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
        **pipes,
    )
    given, deadline, too_much = json.dumps(job), time.monotonic() + job["seconds"] + GRACE, False
    try:
        while True:
            try:
                notes, said = process.communicate(given, timeout=PAUSE)
                return notes, said, "memory" if too_much else "failed" if process.returncode else None
            except subprocess.TimeoutExpired:
                given = None  # it has been sent, or will be
            too_much = too_much or memory_of(process.pid) > memory
            if too_much or time.monotonic() > deadline or stop.is_set():
                end_all(process, job["folder"])
    finally:
        end_all(process, job["folder"])


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
    process.kill()
    for other in psutil.process_iter():
        try:
            if other.environ().get(MARK) == mark:
                other.kill()
        except (psutil.Error, OSError):
            pass  # another user's, or it has just ended
    process.wait()
