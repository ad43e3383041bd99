"""What runs in the sandbox: the cells of one notebook, as IPython runs them; or one folder mine/.

    python -m helpers.grading.inside < job > notes

A student's code can change all of this; it then says what else its answers are, and no more. A note is a line
of JSON:

    {"asked": [exercise]}                all that the cells check
    {"cell": number}                     the cell begins
    {"exercise": …, "results": [text], "attempt": {…}}   what a function does in every case
    {"exercise": …, "value": text}       another answer
    {"exercise": …, "passed": …, "said": […], "results": […]}   a part of mine/, as `parts.tried`
    {"exercise": …, "error": text}       the cell raised this before it checked the answer
    {"exercise": …, "late": seconds}     it was stopped after so long
    {"over": true}                       there is no time for a further cell
    {"done": true}                       all cells were run
"""

import ast
import contextlib
import json
import os
import pickle
import re
import signal
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import helpers
from helpers import exercises, lesson
from helpers.exercises import progress
from helpers.exercises.checking import try_out
from helpers.exercises.comparing import plain
from helpers.grading.values import to_text

SHARE = 0.1  # of the notebook's time, for a cell that checks an answer
REACTION = 1, 2, 6  # seconds after each interrupt in which the code must end


class Notebook:
    """One notebook.

    Args:
        job: dictionary with cells (sources), given ({exercise: its hints, cases and what is forbidden}),
            chapter and seconds.
        notes: number of the open file to write to.
    """

    def __init__(self, job, notes):
        self.cells, self.given, self.seconds = job["cells"], job["given"], job["seconds"]
        self.notes, self.answered = notes, set()
        module = SimpleNamespace(
            **{name: SimpleNamespace(name=name, hints=one["hints"]) for name, one in self.given.items()}
        )
        sys.modules[progress.PREFIX + job["chapter"]] = module
        setattr(exercises, f"chapter_{job['chapter']}", module)
        lesson.check = self.check
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        self.shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))

    def check(self, answer, exercise):
        """Note what an answer is: of a function what it does in every case, of another answer its value.

        Args:
            answer, exercise: as `helpers.lesson.check`.
        """
        name = exercise.name
        if cases := self.given[name]["cases"]:
            attempt = vars(try_out(answer, cases, self.given[name]["forbidden"]))
            results = [to_text(result) for result in attempt.pop("results")]
            told = {key: to_text(value) for key, value in attempt.items()}
            self.note(exercise=name, results=results, attempt=told)
        else:
            self.note(exercise=name, value=to_text(plain(answer)))
        self.answered.add(name)

    def note(self, **content):
        """Write a line of JSON.

        Args:
            content: of the line.
        """
        line = memoryview(json.dumps(content).encode() + b"\n")
        while line:
            line = line[os.write(self.notes, line) :]

    def run(self):
        """Run all cells."""
        signal.signal(
            signal.SIGINT, signal.default_int_handler
        )  # where grading runs in the background, it is off
        deadline = time.monotonic() + self.seconds
        asked = [asked_in(source) & self.given.keys() for source in self.cells]
        self.note(asked=sorted(set().union(*asked)))
        for number, (source, names) in enumerate(zip(self.cells, asked, strict=True), start=1):
            left = deadline - time.monotonic()
            if left <= 0:
                return self.note(over=True)
            self.note(cell=number)
            self.answered.clear()
            failure = self.failure(source, min(left, self.seconds * SHARE) if names else left)
            for name in sorted(names - self.answered) if failure else ():
                self.note(exercise=name, **failure)
        self.note(done=True)

    def failure(self, source, seconds):
        """Run a cell.

        Args:
            source: its code.
            seconds: the most that it may take.

        Returns:
            {} if all went well, else {"error": …} or {"late": …}.
        """
        begun = time.monotonic()
        try:
            with self.interrupted_after(seconds):
                result = self.shell.run_cell(source)
            error = result.error_before_exec or result.error_in_exec
        except BaseException as raised:  # by what a student's code made of the shell; or the last interrupt
            error = raised
        with contextlib.suppress(Exception):
            sys.modules["matplotlib.pyplot"].close("all")  # as a notebook does after each cell
        if error is None:
            return {}
        if time.monotonic() - begun >= seconds:
            return {"late": seconds}
        return {"error": f"{type(error).__name__}: {error}"}

    @contextlib.contextmanager
    def interrupted_after(self, seconds):
        """Interrupt the cell after so long, as Jupyter does; end the process if it goes on.

        Args:
            seconds: a number.
        """
        ended = threading.Event()

        def interrupt():
            if ended.wait(seconds):
                return
            for longer in REACTION:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
                if ended.wait(longer):
                    return
            self.note(over=True)
            os._exit(1)

        threading.Thread(target=interrupt, daemon=True).start()
        try:
            yield
        finally:
            ended.set()


class Folder(Notebook):
    """One folder mine/, run like a notebook that checks a part in each cell.

    Args:
        job: dictionary with files ({name: bytes}), cells, chapter and seconds.
        notes: as of `Notebook`.
    """

    def __init__(self, job, notes):
        from helpers.grading.parts import tried
        from helpers.mine.rungs import PARTS
        from helpers.mine.stubs import write_folder

        self.tried = tried
        super().__init__(job | {"given": {name: {"hints": ()} for name in PARTS}}, notes)
        Path("mine").mkdir()
        for name, content in job["files"].items():
            Path("mine", name).write_bytes(content)
        write_folder()

    def check(self, answer, exercise):
        """Note what becomes of a part.

        Args:
            answer: nothing.
            exercise: what has the name of the part.
        """
        self.note(exercise=exercise.name, **self.tried(exercise.name))
        self.answered.add(exercise.name)


def asked_in(source):
    """The exercises that a cell checks, however it calls `check`.

    Args:
        source: its code, or what is none.

    Returns:
        A set of names.
    """
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        timed = re.sub(r"^([ \t]*)%+\w+[ \t]*", r"\1", source, flags=re.M)  # what %time or %%time runs
        tree = ast.parse(TransformerManager().transform_cell(timed))
        return {name_of(node) for call in ast.walk(tree) for node in exercise_in(call)} - {None}
    except Exception:  # it will raise an error, too, and then it matters what it was to check
        return set(re.findall(r"exercises\.(\w+)", source))


def exercise_in(node):
    """The exercise in a call of `check`, or in one that is to call it, such as `partial(check, …)`.

    Args:
        node: of a syntax tree.

    Returns:
        List of one node, or of none.
    """
    if not isinstance(node, ast.Call):
        return []
    parts = [node.func, *node.args]
    if name_of(parts[0]) != "check":
        parts = parts[1:]
    if not parts or name_of(parts[0]) != "check":
        return []
    return parts[2:3] or [keyword.value for keyword in node.keywords if keyword.arg == "exercise"]


def name_of(node):
    """The last part of a name.

    Args:
        node: of a syntax tree.

    Returns:
        "check" for check and lesson.check; None for anything else than a name.
    """
    return getattr(node, "attr", None) or getattr(node, "id", None)


def limit(memory, disk, tasks):
    """Let the kernel refuse this process, and those that it starts, what is too much for one.

    Args:
        memory: bytes.
        disk: bytes of a file.
        tasks: processes and threads of a user, or None.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = {"CORE": 0, "DATA": memory, "FSIZE": disk} | ({"NPROC": tasks} if tasks else {})
    for kind, most in limits.items():
        number = getattr(resource, f"RLIMIT_{kind}")
        hard = resource.getrlimit(number)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(number, (most, most))


def main():
    """Read the job, and run it."""
    version = pickle.load(sys.stdin.buffer)
    if version != sys.version_info[:2]:
        sys.exit("Python {}.{} here, {}.{} outside: use the same".format(*sys.version_info[:2], *version))
    job = pickle.load(sys.stdin.buffer)
    course = Path(helpers.__file__).parents[1]
    known = [Path(place) / "helpers" / "exercises" for place in sys.path]
    if job["protected"] and (found := [place for place in known if [*place.glob("chapter_*")]]):
        sys.exit(f"{found[0]} holds the solutions; uninstall helpers there")
    for file in (course / "build").iterdir():
        Path("build").mkdir(exist_ok=True)
        Path("build", file.name).write_bytes(file.read_bytes())
    notes = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    limit(**job["limits"])
    (Folder if job["files"] else Notebook)(job, notes).run()
    os._exit(0)  # whatever threads there are


if __name__ == "__main__":
    main()
