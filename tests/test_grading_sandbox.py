"""The sandbox of the grader, tried by notebooks that would buy their marks."""

import dataclasses
import inspect
import io
import json
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook

from helpers.commands.grade import graded
from helpers.exercises import progress
from helpers.exercises.comparing import difference, run
from helpers.exercises.kinds import Exercise
from helpers.grading import given, inside, limits, sandbox
from helpers.grading.marks import Mark
from helpers.grading.submissions import CHECK, MINE, Submission
from helpers.grading.values import from_text

SETUP = """\
import contextlib, gc, importlib, importlib.util, json, os, socket, subprocess, sys, time
import torch
from helpers.lesson import check
from helpers.exercises import chapter_04 as exercises"""
RIGHT = """\
def softmax(scores):
    powers = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


check(softmax, exercises.softmax)"""


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """The sandbox of this computer."""
    found, why = sandbox.find_sandbox(tmp_path_factory.getbasetemp())
    if found is None and os.environ.get("REQUIRE_SANDBOX"):
        pytest.fail(f"no sandbox: {why}")
    if found is None:
        pytest.skip(f"no sandbox: {why}; install bubblewrap, or tests cannot try it")
    return found


def run_cells(box, *cells, seconds=600, memory=2**30):
    """The notes of a notebook of chapter 04, as a dictionary of exercises, and of why it stopped."""
    one = Submission(Path("a.ipynb"), "a", "04", [SETUP, *cells])
    notes = limits.run_limited(one, seconds, memory, threading.Event(), box)
    assert notes and isinstance(notes[0].get("asked"), list), notes
    assert not [note for note in notes if "error" in note], notes
    return {note.get("exercise", "stopped"): note for note in notes if {"exercise", "stopped"} & note.keys()}


# What one hostile notebook can do

TRIES = """\
PLACES = {places!r}
PORT = {port}


def tried(what):
    try:
        return repr(what())
    except BaseException as error:
        return type(error).__name__


def seen(*names):
    return [os.path.join(at, file) for at, _, files in os.walk("/") for file in files if file.endswith(names)]


def load(path):
    spec = importlib.util.spec_from_file_location("stolen", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.softmax.spec


def import_again():
    for name in [name for name in sys.modules if name.startswith("helpers")]:
        del sys.modules[name]
    return importlib.import_module("helpers.exercises.chapter_04").softmax.spec


def of_the_exercises(found):
    if type(found).__name__ == "function":
        return "chapter_" in found.__code__.co_filename
    return type(found).__name__ in ("Exercise", "Mistake", "Prediction", "Exploration")


def fill():
    for number in range(100):
        with open(f"file {{number}}", "wb") as file:
            file.write(bytes(2**20))


result = {{
    "reads": [tried(lambda: open(place).read()) for place in PLACES],
    "writes": [tried(lambda: open(place, "a")) for place in PLACES],
    "links": [tried(lambda: os.symlink(place, str(i)) or open(str(i))) for i, place in enumerate(PLACES)],
    "writes elsewhere": [
        tried(lambda: open(place, "w"))
        for place in ("/x", "/usr/x", "/dev/x", "/course/x", "/course/helpers/laws.py", sys.prefix + "/x")
    ],
    "writes to the kernel": [
        tried(lambda: open(place, "w"))
        for place in ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger")
    ],
    "solutions": seen("_attention.ipynb", "results.csv", *(f"chapter_{{i:02}}.py" for i in range(20))),
    "loads": [tried(lambda: load(place)) for place in PLACES if place.endswith(".py")],
    "imports": tried(import_again),
    "objects": [str(found) for found in gc.get_objects() if of_the_exercises(found)],
    "network": tried(lambda: socket.create_connection(("127.0.0.1", PORT), 5)),
    "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    "secret": [tried(lambda: b"SECRET" in open(f"/proc/{{p}}/environ", "rb").read()) for p in (1, "self")],
    "user": subprocess.run(["unshare", "--user", "--map-root-user", "true"]).returncode,
    "mount": subprocess.run(["mount", "-t", "tmpfs", "none", "/home"]).returncode,
    "rights": [line.split()[1] for line in open("/proc/self/status") if line[:6] in ("CapEff", "CapBnd")],
    "disk": tried(lambda: os.posix_fallocate(os.open("big", os.O_CREAT | os.O_RDWR), 0, 10**11)),
    "hole": tried(lambda: os.truncate("big", 10**11)),
    "files": tried(fill),
    "shared": tried(lambda: open("/dev/shm/big", "wb").write(bytes(2**26))),
    "memory": tried(lambda: len(bytearray(50 * 10**9))),
    "parent": tried(lambda: os.kill(os.getppid(), 9)),
}}
check(json.dumps(result), exercises.two_anns)"""
OUTLIVES = """\
quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
KEEPS = '''
import os, time
for process in os.listdir("/proc"):
    for number in range(10):
        try:
            os.open(f"/proc/{{process}}/fd/{{number}}", os.O_WRONLY | os.O_APPEND)
        except OSError:
            pass
time.sleep({seconds})'''
subprocess.Popen(["sleep", "{seconds}"], env={{}}, start_new_session=True, **quiet)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sleep", ["sleep", "{seconds}"], {{}})
    os._exit(0)
# The last: it would also keep open the pipe by which another Popen learns that its process has begun.
subprocess.Popen([sys.executable, "-c", KEEPS], env={{}}, start_new_session=True)


def started():
    found = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            found += b"{seconds}" in open(f"/proc/{{process}}/cmdline", "rb").read()
    return found


while started() < 3:
    time.sleep(0.1)
check("all of them", exercises.two_anns)"""
LONG = "6543.21"  # seconds, which no other process has among its arguments


@pytest.fixture(scope="module")
def attack(box, tmp_path_factory):
    """What the notebook of `TRIES` found, beside a server, a submission, a table and the solutions."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "results.csv").write_text("student,passed\n")
    (folder / "anna_04_attention.ipynb").write_text("{}")
    (folder / "teacher.txt").write_text("secret")
    exercise = Path(inspect.getfile(progress)).with_name("chapter_04.py")
    places = [*map(str, folder.iterdir()), str(exercise), "/course/helpers/exercises/chapter_04.py"]
    places += ["/etc/passwd", str(Path.home() / ".bashrc")]
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setattr(sandbox, "DISK", 2**25)
        patch.setenv("TOKEN", "SECRET")
        cell = TRIES.format(places=places, port=server.getsockname()[1])
        notes = run_cells(box, cell, RIGHT)
    assert (folder / "results.csv").read_text() == "student,passed\n"
    assert len(from_text(notes["softmax"]["results"][0])) == 1  # it is graded all the same
    return json.loads(from_text(notes["two_anns"]["value"]))


@pytest.mark.parametrize("way", ["reads", "writes", "links", "loads"])
def test_no_file_of_the_teacher_or_of_another_is_reached(attack, way):
    assert set(attack[way]) <= {"FileNotFoundError", "PermissionError", "OSError"}


@pytest.mark.parametrize("way", ["writes elsewhere", "writes to the kernel"])
def test_nothing_outside_its_own_folder_is_written(attack, way):
    assert set(attack[way]) <= {"FileNotFoundError", "PermissionError", "OSError"}


def test_no_solution_is_in_the_sandbox(attack):
    assert attack["solutions"] == [] and attack["objects"] == []
    assert attack["imports"] == "ModuleNotFoundError"


def test_there_is_no_network_no_other_process_and_no_secret(attack):
    assert attack["network"] == "ConnectionRefusedError"
    assert attack["processes"] <= 3 and set(attack["secret"]) <= {"False", "PermissionError"}


def test_there_are_no_rights_and_none_to_gain(attack):
    assert {int(rights, 16) for rights in attack["rights"]} == {0}
    assert attack["user"] and attack["mount"]


def test_disk_and_memory_are_limited(attack):
    assert (attack["disk"], attack["hole"], attack["memory"]) == ("OSError", "OSError", "MemoryError")
    assert attack["files"] == attack["shared"] == "OSError"


def processes_with(argument):
    found = []
    for process in psutil.process_iter():
        try:
            found += [process] if argument in " ".join(process.cmdline()) else []
        except psutil.Error:
            pass  # it has just ended
    return found


def is_gone(argument):
    """Whether no process has this argument; the last may be on its way out."""
    for _ in range(100):
        if not processes_with(argument):
            return True
        time.sleep(0.1)
    return False


def test_no_process_outlives_its_notebook_or_keeps_the_grader_waiting(box):
    begun = time.monotonic()
    notes = run_cells(box, OUTLIVES.format(seconds=LONG), RIGHT)
    assert "stopped" not in notes and "results" in notes["softmax"]
    assert from_text(notes["two_anns"]["value"]) == "all of them"
    assert time.monotonic() - begun < 60 and is_gone(LONG)


def test_a_killed_grader_leaves_its_table_and_no_process(box, tmp_path):
    for name, cell in (("a", RIGHT), ("b", "subprocess.run(['sleep', '6543.24'])")):
        cells = [new_code_cell(SETUP), new_code_cell(cell)]
        (tmp_path / f"{name}_04_attention.ipynb").write_text(json.dumps(new_notebook(cells=cells)))
    quiet = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
    with subprocess.Popen([sys.executable, "-m", "helpers", "grade", str(tmp_path)], **quiet) as grader:
        table = tmp_path / "results.csv"
        while grader.poll() is None and not (table.exists() and processes_with("sleep 6543.24")):
            time.sleep(0.1)
        grader.kill()
    assert table.read_text("utf-8-sig").splitlines()[1].startswith("a,1,not tried,passed,")
    assert is_gone("sleep 6543.24")


BOMB = """\
open("bomb.sh", "w").write("sh bomb.sh & sh bomb.sh & sleep 6543.22")
subprocess.Popen(["sh", "bomb.sh"])
time.sleep(600)"""
GREEDY = """\
for _ in range(4):
    if os.fork() == 0:
        kept = bytearray(400_000_000)
        time.sleep(6543.23)
time.sleep(600)"""
ENDLESS = """\
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
check("", exercises.two_anns)"""


def test_a_fork_bomb_is_ended(box, monkeypatch):
    monkeypatch.setattr(sandbox, "TASKS", 40)
    notes = run_cells(
        dataclasses.replace(box, tasks=400), RIGHT, BOMB
    )  # so that tests take no more than that
    assert (notes["stopped"]["stopped"], notes["stopped"]["why"]) == (3, "processes")
    assert "results" in notes["softmax"] and is_gone("bomb.sh")


def test_memory_is_counted_over_all_processes(box):
    notes = run_cells(box, RIGHT, GREEDY)
    assert (notes["stopped"]["stopped"], notes["stopped"]["why"]) == (3, "memory")
    assert is_gone("6543.23")


def test_code_that_cannot_be_interrupted_is_ended(box):
    notes = run_cells(box, RIGHT, ENDLESS, seconds=30)  # a tenth of it for a cell
    assert (notes["stopped"]["stopped"], notes["stopped"]["why"]) == (3, "late")
    assert "results" in notes["softmax"]


FORGER = """\
import helpers.exercises.checking as checking, helpers.lesson as lesson
from helpers.exercises.checking import Diagnosis


def forge(content):
    for number in range(3, 20):
        try:
            os.write(number, (json.dumps(content) + "\\n").encode())
        except OSError:
            pass


forge({"exercise": "two_questions", "passed": True})
forge({"exercise": "two_anns", "value": ["a"]})
forge({"exercise": "softmax", "results": ["1"] * 7, "attempt": {"passed": "true"}})
forge("no note"), forge([1]), forge({"exercise": "masked_attention", "error": 1, "passed": True})
checking.diagnose = lesson.diagnose = lambda *given: Diagnosis(True, "통과", "passed", solved=True)
torch.isclose = lambda one, other, **named: torch.ones_like(one, dtype=torch.bool)


def check(answer, exercise):
    print("✓ All 7 cases pass.")


check(1, exercises.softmax)"""


def test_a_forged_note_is_no_pass(box):
    one = Submission(Path("a.ipynb"), "a", "04", [SETUP, FORGER])
    [(_, result)] = graded([one], 60, 2**30, "en", box)
    marks = {name: (mark.passed, mark.text) for name, mark in result.marks.items()}
    unreadable = (False, "What it returns cannot be read.")
    assert marks["two_questions"] == marks["two_anns"] == marks["softmax"] == unreadable
    assert marks["masked_attention"] == (False, "The cell raises an error: 1") and result.passed == 0


def test_mine_runs_in_the_sandbox(box):
    causal = "import os, torch\n\ndef causal_mask(length):\n    assert os.getcwd() == '/tmp'\n"
    causal += "    return torch.ones(length, length).bool().tril()\n"
    one = Submission(Path("a"), "a", MINE, [CHECK.format("causal_mask")], {"masking.py": causal.encode()})
    [(_, result)] = graded([one], 60, 2**30, "en", box)
    assert result.marks["causal_mask"] == Mark(True, "passed") and result.passed == 1 and not result.problem


def test_endless_notes_are_cut():
    file = SimpleNamespace(fileno=lambda: 0, seek=lambda at: None, read=lambda size: b"{" * size)
    assert len(limits.content_of(file)) == limits.MOST_NOTES
    assert limits.told(b'{"cell": 2}\n' + b"[" * 10**6 + b"\n[1]\n{", b"", "failed") == [
        {"cell": 2},
        {"stopped": 2, "why": "failed", "said": ""},
    ]


# What goes in


@pytest.fixture(scope="module")
def furnished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    given.furnish(folder)
    return folder


@pytest.mark.parametrize("chapter", [f"{number:02}" for number in range(20)])
def test_inputs_go_in_and_solutions_do_not(chapter, furnished):
    job = given.packed(chapter, cells=["1"])
    solved = {name: one for name, one in progress.exercises_of(chapter).items() if isinstance(one, Exercise)}
    assert f"{progress.PREFIX}{chapter}".encode() not in job  # it asks for nothing that is not there
    for one in solved.values():
        for function in (one.spec, *(mistake.answer for mistake in one.mistakes)):
            code = getattr(function, "__code__", None)
            if code and len(code.co_code) > 60:  # a shorter one may well be that of an input
                assert code.co_code not in job
    file = io.BytesIO(job)
    assert pickle.load(file) == sys.version_info[:2]
    inside = pickle.load(file)["given"]
    assert all(one["hints"] for one in inside.values())
    assert [name for name, one in inside.items() if one["cases"]] == [*solved]
    for name, one in solved.items():  # inputs that are functions work, too
        for ours, theirs in zip(inside[name]["cases"], one.cases, strict=True):
            assert not difference(run(one.spec, ours), run(one.spec, theirs))


def recursive(number):
    return 1 if number == 0 else number * recursive(number - 1) + len(torch.__name__) - 5


def test_no_file_of_a_solution_goes_in(furnished):
    ours = Path(progress.__file__).parent
    here = {path.relative_to(ours).as_posix() for path in ours.rglob("*.py")}
    there = {path.name for path in (furnished / "helpers" / "exercises").rglob("*.py")}
    assert here - there == {f"chapter_{number:02}.py" for number in range(20)}
    for number in range(20):
        for one in progress.exercises_of(f"{number:02}").values():
            if isinstance(one, Exercise):
                functions = one.spec, *(mistake.answer for mistake in one.mistakes)
                codes = [function.__code__ for function in functions if hasattr(function, "__code__")]
                assert {code.co_filename for code in codes}.isdisjoint(str(ours / name) for name in there)


def test_a_function_travels_with_what_it_uses(monkeypatch):
    monkeypatch.setattr(progress, "PREFIX", __name__)
    factor = 3

    def scaled(number, more=4):
        return [factor * recursive(n) + more for n in (number, 0)]

    file = io.BytesIO()
    given.Pickler(file).dump(scaled)
    monkeypatch.delattr(sys.modules[__name__], "recursive")
    assert pickle.loads(file.getvalue())(3) == [22, 7]


# How it is called


def test_bubblewrap_hides_the_course_and_the_submissions(monkeypatch, tmp_path):
    """Also where they lie inside what every notebook may see, such as /usr or Python's own folder."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "lib" / "helpers").mkdir(parents=True)
    monkeypatch.setattr("helpers.__file__", str(tmp_path / "lib" / "helpers" / "__init__.py"))
    arguments = sandbox.mounts(tmp_path / "class")
    shown = arguments.index(str(tmp_path))
    for hidden in (tmp_path / "lib" / "helpers", tmp_path / "class"):
        at = [i for i in range(len(arguments)) if arguments[i : i + 2] == ["--tmpfs", str(hidden)]]
        assert len(at) == 1 and at[0] > shown
    (tmp_path / "lib" / "notebooks").mkdir()
    assert str(tmp_path / "lib" / "helpers") not in sandbox.mounts(tmp_path / "class")


def program(folder, name, *lines):
    """A program of this name that notes its arguments, one a line."""
    path = folder / name
    path.write_text("\n".join(["#!/bin/sh", 'printf "%s\\n" "$@" >> "$0.log"', *lines]))
    path.chmod(0o755)


def test_bubblewrap_is_in_a_scope_of_systemd_where_there_is_one(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    program(tmp_path, "systemd-run", "exit 0")
    command = sandbox.bubblewrap(tmp_path).command(tmp_path, 2**30, ("-c", ""))
    properties = {argument.removeprefix("--property=") for argument in command if "--property=" in argument}
    assert command[0] == "systemd-run" and "--scope" in command
    assert properties == {f"MemoryMax={2**31}", "MemorySwapMax=0", "TasksMax=512", "CPUQuota=100%"}
    program(tmp_path, "systemd-run", "exit 1")
    assert "systemd-run" not in sandbox.bubblewrap(tmp_path).command(tmp_path, 2**30, ("-c", ""))


def test_a_container_has_no_network_no_rights_and_nothing_to_write_but_its_own_folder(tmp_path):
    for tool in ("docker", "podman"):
        command = sandbox.container(tool).command(tmp_path, 2**30, ("-c", "1"))
        pairs = list(zip(command, command[1:], strict=False))
        for pair in [
            ("--network", "none"),
            ("--user", "65534:65534"),
            ("--cap-drop", "ALL"),
            ("--security-opt", "no-new-privileges"),
            ("--memory", str(2**30 + sandbox.DISK)),
            ("--memory-swap", str(2**30 + sandbox.DISK)),
            ("--pids-limit", str(sandbox.TASKS)),
            ("--cpus", "1"),
            ("--volume", f"{tmp_path}:/course:ro,z"),
        ]:
            assert pair in pairs
        assert "--read-only" in command and command.count("--volume") == 1
        assert command[:2] == [tool, "run"] and command[-4:] == [sandbox.IMAGE, "python", "-c", "1"]


def test_a_container_ends_with_its_notebook(monkeypatch, tmp_path):
    """The program that starts a container is not the one that must be ended."""
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    program(tmp_path, "docker", '[ "$1" = run ] && exec sleep 60')
    monkeypatch.setattr(limits, "GRACE", 0)
    one = Submission(Path("a.ipynb"), "a", "04", ["1"])
    notes = limits.run_limited(one, 1, 2**30, threading.Event(), sandbox.container("docker"))
    assert notes == [{"stopped": None, "why": "late", "said": ""}]
    lines = (tmp_path / "docker.log").read_text().splitlines()
    name = lines[lines.index("--name") + 1]
    assert lines[-2:] == ["kill", name] and name.startswith("course-")


def test_the_first_that_works_is_taken(monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda name: None)
    found, why = sandbox.find_sandbox(tmp_path)
    assert found is None
    assert why == "bwrap: not installed; docker: not installed; podman: not installed"
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    program(tmp_path, "bwrap", "echo no user namespaces >&2", "exit 1")
    program(tmp_path, "docker", "exit 0")
    found, why = sandbox.find_sandbox(tmp_path)
    assert (found.name, why) == ("docker", "")
    program(tmp_path, "docker", "echo No such image: course >&2", "exit 125")
    program(tmp_path, "podman", "exit 3")
    assert sandbox.find_sandbox(tmp_path) == (
        None,
        "bwrap: no user namespaces; docker: No such image: course; podman: exit 3",
    )


def test_a_sandbox_with_another_python_or_with_solutions_runs_nothing(monkeypatch, tmp_path):
    def start(job):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(job)))
        inside.main()

    with pytest.raises(SystemExit, match=r"3\.2 outside: use the same$"):
        start(pickle.dumps((3, 2)))
    (tmp_path / "helpers" / "exercises").mkdir(parents=True)
    (tmp_path / "helpers" / "exercises" / "chapter_04.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(SystemExit, match="exercises holds the solutions; uninstall helpers there$"):
        start(given.packed("04", protected=True))
