"""One of the processes that torchrun starts: trains by the command line, and something happens on the way.

Arguments: what happens, then those of `python -m helpers`.

    nothing    at the end the process says how many threads of gloo are left
    killed     the second process is killed after step 5
    told       the launcher is told to end (SIGTERM) after step 5
    starved    the threads of gloo get no time of their own, which makes a race at the end likely
"""

import os
import signal
import sys
from pathlib import Path

from helpers.__main__ import main
from helpers.training import Trainer

STEP = 5


def gloo_threads():
    """Numbers of the threads that gloo has started, on Linux."""
    tasks = Path("/proc/self/task").iterdir()
    return [int(task.name) for task in tasks if "gloo" in (task / "comm").read_text()]


def happen(what):
    first = os.environ["RANK"] == "0"
    if what == "killed" and not first:
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "told" and first:
        os.kill(os.getppid(), signal.SIGTERM)
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
            happen(what)

    Trainer.take_step = step_and_happen
    main(arguments)
    if what == "nothing":
        print(f"threads of gloo left: {len(gloo_threads())}", file=sys.stderr)


if __name__ == "__main__":
    run(*sys.argv[1:])
