"""Running a notebook in a process of its own, which is ended when it takes too much."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from helpers.grading import sandbox
from helpers.grading.given import furnish, packed

GRACE = 180  # seconds over the notebook's time, in which it starts and its process ends by itself
PAUSE = 0.2  # seconds between two looks at what it takes
MOST_NOTES = 2**23  # bytes
SPARE = 2**28  # bytes of memory that the computer must have left


def run_limited(submission, seconds, memory, stop, kept_in):
    """Run a notebook.

    Args:
        submission: a `Submission` with cells to run.
        seconds: for the whole notebook.
        memory: bytes.
        stop: `threading.Event`; once it is set, the notebook is ended.
        kept_in: a `Sandbox`, or None.

    Returns:
        List of notes, as `helpers.grading.inside` writes them; where it did not come to its end, the last is
        {"stopped": cell or None, "why": "died" or as `supervise`, "said": error}.
    """
    if not submission.cells or stop.is_set():
        return []
    job = packed(
        submission.chapter,
        cells=submission.cells,
        files=submission.files,
        seconds=seconds,
        protected=kept_in is not None,
        limits={"memory": memory, "disk": sandbox.DISK, "tasks": kept_in and kept_in.tasks},
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        furnish(folder)
        if kept_in:
            start = {"args": kept_in.command(folder, memory, sandbox.INSIDE)}
        else:
            home = folder / "home"
            home.mkdir()
            own = os.environ | sandbox.environment(folder, home)
            start = {"args": [sys.executable, *sandbox.INSIDE], "cwd": home, "env": own}
        files = [tempfile.TemporaryFile(dir=folder) for _ in range(3)]
        given, notes, said = files
        given.write(job)
        given.seek(0)
        process = subprocess.Popen(**start, stdin=given, stdout=notes, stderr=said, start_new_session=True)
        try:
            why = supervise(process, files, time.monotonic() + seconds + GRACE, memory, stop)
        finally:
            end(process, kept_in and kept_in.ending(folder))
        return told(*map(content_of, (notes, said)), why)


def supervise(process, files, deadline, memory, stop):
    """Wait until a process ends or must be ended. Files, not pipes: nobody can keep them from their end.

    Args:
        process: `Popen`.
        files: what it reads and writes.
        deadline: of `time.monotonic`.
        memory, stop: as for `run_limited`.

    Returns:
        Why it must be ended, "memory", "processes", "late" or "failed"; None if it has ended.
    """
    while True:
        try:
            process.wait(PAUSE)
            return None
        except subprocess.TimeoutExpired:
            pass
        used, tasks = taken_by(process.pid)
        if used > memory or psutil.virtual_memory().available < SPARE:
            return "memory"
        if time.monotonic() > deadline:
            return "late"
        if tasks > sandbox.TASKS:
            return "processes"
        if stop.is_set() or any(size_of(file) > MOST_NOTES for file in files):
            return "failed"


def taken_by(number):
    """What a process and all that it has started take.

    Args:
        number: of the process.

    Returns:
        Bytes of memory, and the number of processes and threads.
    """
    used = tasks = 0
    for process in family(number):
        try:
            used += process.memory_info().rss
            tasks += process.num_threads()
        except psutil.Error:
            pass  # it has just ended
    return used, tasks


def family(number):
    """A process and all that it has started, and these have started.

    Args:
        number: of the process.

    Returns:
        List of `psutil.Process`; empty if it has ended.
    """
    try:
        main = psutil.Process(number)
        return [main, *main.children(recursive=True)]
    except psutil.Error:
        return []


def end(process, command):
    """End a process and what it has started. Without a sandbox, a process that hides its parent lives on.

    Args:
        process: `Popen`.
        command: what ends its container, or None.
    """
    if command and process.poll() is None:
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    others = family(process.pid)
    process.kill()
    for other in others:
        try:
            other.kill()
        except psutil.Error:
            pass  # it has just ended
    process.wait()


def size_of(file):
    """The size of an open file.

    Args:
        file: object with a number.

    Returns:
        Bytes.
    """
    return os.fstat(file.fileno()).st_size


def content_of(file):
    """What was written to a file, up to the most that anything honest writes.

    Args:
        file: open.

    Returns:
        Bytes.
    """
    file.seek(0)
    return file.read(MOST_NOTES)


def told(notes, said, why):
    """Read what a notebook's process wrote.

    Args:
        notes, said: bytes of its output and of its errors.
        why: of `supervise`.

    Returns:
        As `run_limited`.
    """
    found = []
    for line in notes.splitlines():
        try:
            one = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(one, dict):
            found.append(one)
    if why is None and any("done" in one for one in found):
        return found
    cell = next((one["cell"] for one in reversed(found) if isinstance(one.get("cell"), int)), None)
    why = why or ("failed" if cell is None else "late" if "over" in found[-1] else "died")
    last = said.decode(errors="replace").splitlines()[-1:] if cell is None else []
    return [*found, {"stopped": cell, "why": why, "said": "".join(last)}]
