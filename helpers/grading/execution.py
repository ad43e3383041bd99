"""A process of its own for one notebook: starts the student's kernel, sends it the cells, notes the answers.

    python -m helpers.grading.execution < job > notes

Imports nothing that takes long, since it starts anew for every notebook. A note is a line of JSON:

    {"exercise": …, "answer": [text]}   what `inside.send` sent
    {"exercise": …, "error": text}      the cell, or the answer in it, raised this
    {"exercise": …, "late": seconds}    it was stopped after so long
    {"stopped": cell, "why": …}         no later cell was run: "died" or "late"
"""

import asyncio
import json
import math
import os
import subprocess
import sys
import time

sys.modules["rfc3987_syntax"] = None  # in which jsonschema builds a grammar, for seconds
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_code_cell, new_notebook

ANSWER = "application/vnd.course.answer+json"  # of helpers.grading.inside
SHARE = 0.1  # of the notebook's time, for the cell of one exercise
STARTING = 80  # seconds in which the kernel must start, and as many in which helpers must be imported
REACTION = 5  # seconds in which code that was interrupted must end


class Client(NotebookClient):
    """Keeps no output but answers: what a notebook shows may be endless."""

    def process_message(self, msg, cell, cell_index):
        """Look at nothing but answers and the end of a cell.

        Args:
            msg, cell, cell_index: as `NotebookClient`.
        """
        if msg["msg_type"] == "display_data" and ANSWER in msg["content"]["data"]:
            cell.outputs = [msg["content"]["data"][ANSWER]]
        elif msg["msg_type"] == "status":
            super().process_message(msg, cell, cell_index)


class Stopped(Exception):
    """No later cell is run."""


class Execution:
    """One notebook.

    Args:
        job: dictionary with folder, environment, chapter, seconds and cells; a cell is (number, code,
            [(exercise, answer)]).
    """

    def __init__(self, job):
        self.job, self.number = job, 0
        self.deadline = self.limit = self.reply = None
        self.client = Client(
            new_notebook(cells=[new_code_cell()]),
            kernel_name="python3",  # whatever the notebook names
            allow_errors=True,
            interrupt_on_timeout=True,
            startup_timeout=STARTING,
            shutdown_kernel="immediate",
            timeout_func=lambda cell: self.limit,
            iopub_timeout=60,  # an answer may come long after the reply, behind all that was printed
            on_cell_executed=self.keep_reply,
        )

    def keep_reply(self, execute_reply, **of_cell):
        """Keep what the kernel says of a cell.

        Args:
            execute_reply: its message.
            of_cell: not used.
        """
        self.reply = execute_reply["content"]

    async def run(self):
        """Run all cells; write the notes."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        where = {"cwd": self.job["folder"], "env": self.job["environment"]}
        async with self.client.async_setup_kernel(**where, **quiet):
            self.deadline = time.monotonic() + STARTING
            try:
                if failure := await self.failure(inside(f"start({self.job['chapter']!r})")):
                    sys.exit(str(failure))
                self.deadline = time.monotonic() + self.job["seconds"]
                for number, code, asked in self.job["cells"]:
                    self.number = number
                    await self.run_cell(code, asked)
            except Stopped as stopped:
                note(stopped=self.number, why=str(stopped))

    async def run_cell(self, code, asked):
        """Run a cell, and send for the answers that it checks.

        Args:
            code: of the cell.
            asked: list of (exercise, answer).
        """
        share = self.job["seconds"] * SHARE if asked else None
        of_cell = await self.failure(code, share)
        for exercise, answer in asked:
            failure = of_cell or await self.failure(inside(f"send({exercise!r}, ({answer}\n))"), share)
            note(exercise=exercise, **failure or {"answer": self.client.nb.cells[0].outputs[:1]})

    async def failure(self, code, seconds=None):
        """Execute code in the kernel.

        Args:
            code: a string.
            seconds: the most that it may take; None: what is left.

        Returns:
            {} if all went well, else {"error": …} or {"late": …}.

        Raises:
            Stopped: the notebook's time is over ("late"), or the kernel is no more ("died").
        """
        begun = time.monotonic()
        if begun >= self.deadline:
            raise Stopped("late")
        self.limit = min(self.deadline - begun, seconds or math.inf)
        try:
            running = self.client.async_execute_cell(new_code_cell(code), 0)
            await asyncio.wait_for(running, self.limit + REACTION)
        except (DeadKernelError, TimeoutError):
            raise Stopped("died" if time.monotonic() < begun + self.limit else "late") from None
        if self.reply["status"] == "ok":
            return {}
        if time.monotonic() >= self.deadline:
            raise Stopped("late")
        if time.monotonic() - begun >= self.limit:
            return {"late": self.limit}
        return {"error": "{ename}: {evalue}".format(**self.reply)}


def inside(call):
    """Code that calls a function of `helpers.grading.inside`, whatever names the student has given away.

    Args:
        call: code.

    Returns:
        A line of code.
    """
    return f"__import__('helpers.grading.inside', fromlist=['inside']).{call}"


def note(**content):
    """Print a line of JSON.

    Args:
        content: of the line.
    """
    print(json.dumps(content), file=NOTES, flush=True)


if __name__ == "__main__":
    NOTES = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")  # which the kernel does not inherit
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    asyncio.run(Execution(json.load(sys.stdin)).run())
