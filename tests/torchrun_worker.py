"""One of the processes that torchrun starts: trains by the command line, and something happens on the way.

Arguments: what happens, then those of `python -m helpers`.

    nothing    at the end the process says how many threads of gloo are left
    killed     the second process is killed after step 5
    told       the launcher is told to end (SIGTERM) after step 5, and the step lasts until it has told us
    starved    the threads of gloo get no time of their own, which makes a race at the end likely
"""

import os
import signal
import sys
import time
from pathlib import Path

from helpers.__main__ import main
from helpers.training import Trainer

STEP = 5


def gloo_threads():
    """Numbers of the threads that gloo has started, on Linux."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        try:
            found += [int(task.name)] if "gloo" in (task / "comm").read_text() else []
        except OSError:
            pass  # it has just ended
    return found


def wait_for(condition, seconds):
    """Return as soon as a condition holds, or after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)


def happen(what, trainer):
    first = os.environ["RANK"] == "0"
    if what == "killed" and not first:
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "told" and first:
        os.kill(os.getppid(), signal.SIGTERM)
        wait_for(
            lambda: trainer.asked_to_stop, seconds=60
        )  # a busy launcher may take longer than the training
    elif what == "starved":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        for thread in gloo_threads():
            os.sched_setaffinity(thread, os.sched_getaffinity(0))
            os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))


def run(what, *arguments):
    take_step = Trainer.take_step

    def step_and_happen(trainer, batch):
        take_step(trainer, batch)
        if trainer.step == STEP:
            happen(what, trainer)

    Trainer.take_step = step_and_happen
    main(arguments)
    if what == "nothing":
        wait_for(lambda: not gloo_threads(), seconds=5)  # Linux lists a thread for a moment after its end
        os.write(2, f"threads of gloo left: {len(gloo_threads())}\n".encode())  # at once: print is two writes


if __name__ == "__main__":
    run(*sys.argv[1:])
