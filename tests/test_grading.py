"""Grading: a class of ten, of whom some would harm it; and that the marks are those that `check` gives."""

import csv
import importlib
import io
import json
import os
import re
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook

import classroom
import editions
from helpers.__main__ import main
from helpers.commands.grade import UNPROTECTED, at_once
from helpers.exercises import chapter_04, checking, progress
from helpers.exercises.checking import Attempt, diagnose, try_out
from helpers.exercises.comparing import Failure
from helpers.exercises.kinds import Exercise
from helpers.grading.inside import asked_in
from helpers.grading.marks import Mark, Result, grade, mark_of, printable, read_answer
from helpers.grading.sandbox import Sandbox
from helpers.grading.submissions import MOST_BYTES, find_submissions, named_by, read_submission
from helpers.grading.tables import as_csv, overview
from helpers.grading.values import MOST_NUMBERS, from_text, to_text
from notebook_parts import CHAPTERS, read
from wrong_answers import WRONG

for path in CHAPTERS:
    importlib.import_module(f"wrong_answers.chapter_{path.name[:2]}")

# A class of ten

SETUP = """\
import os, subprocess, sys, time
import torch
from helpers.lesson import check, hint
from helpers.exercises import chapter_04 as exercises"""
GUESS = "guess = 0.45\n\ncheck(guess, exercises.two_questions)"
SOFTMAX = """\
def softmax(scores):
    powers = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


check(softmax, exercises.softmax)"""
SANDBOX = Sandbox("bwrap", None)
STUBS = [
    "guess = ...\n\ncheck(guess, exercises.two_questions)",
    "def softmax(scores): ...\n\n\ncheck(softmax, exercises.softmax)",
]
WRONG_SOFTMAX = SOFTMAX.replace(
    "powers / powers.sum(dim=-1, keepdim=True)", "scores.exp() / scores.exp().sum()"
)
HANGING = SOFTMAX.replace("    powers =", "    while True:\n        pass\n    powers =")
DISGUISED = """\
from torch.nn import functional
found = getattr(functional, "soft" + "max")
check(lambda scores: found(scores, dim=-1), exercises.softmax)"""
CLASS = {
    "a right": [GUESS, SOFTMAX, "found = '둘 다 Ann'\nresult = check(found, exercise=exercises.two_anns)"],
    "b wrong": [GUESS.replace("0.45", "0.7"), WRONG_SOFTMAX, "1 / 0\ncheck('', exercises.two_anns)"],
    "c crashing": [GUESS, "os._exit(0)", SOFTMAX],
    "d hanging": [HANGING, GUESS],
    "e leaving": ["x = '\ud800'", SOFTMAX, "exit()", "sys.exit(1)", GUESS],
    "f greedy": [GUESS, "kept = bytearray(50 * 10**9)", SOFTMAX],
    "h disguised": [DISGUISED],
    "i unanswered": STUBS,
}


def write(path, *sources):
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    path.write_text(json.dumps(notebook))  # which writes a lone surrogate, too
    return path


def table_of(folder):
    """{student: row} of the table, whose first line is the header."""
    with open(folder / "results.csv", encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def without_sandbox():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("helpers.commands.grade.find_sandbox", lambda folder: (None, "bwrap: not installed"))
        yield


@pytest.fixture(scope="module")
def graded(tmp_path_factory, without_sandbox):
    """The first line of the table of the class, {student: its row}, and what was printed."""
    folder = tmp_path_factory.mktemp("class")
    for name, cells in CLASS.items():
        write(folder / f"{name}_04_attention.ipynb", SETUP, *cells)
    (folder / "j empty_04_attention.ipynb").write_text("")
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with redirect_stdout(printed), redirect_stderr(printed):
        main(["grade", str(folder), "--seconds", "50", "--memory", "2", "--language", "ko"])
    printed.seek(0)
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".ipynb") == ["results.csv"]
    with open(folder / "results.csv", encoding="utf-8-sig", newline="") as file:
        first = next(csv.reader(file))
        rows = {row["student"]: row for row in csv.DictReader(file)}
    return first, rows, printed.read()


def test_a_class_is_graded(graded):
    _, rows, printed = graded
    assert [*rows] == [*CLASS, "j empty"]
    told = {name: (row["04 two_questions"], row["04 softmax"]) for name, row in rows.items()}
    unreached, untried = "노트북이 멈춰 채점하지 못했습니다.", "아직 풀지 않음"
    wrong = diagnose(lambda scores: scores.exp() / scores.exp().sum(), chapter_04.softmax)
    assert told["a right"] == told["e leaving"] == told["f greedy"] == ("통과", "통과")
    assert rows["a right"]["04 two_anns"] == "적음: 둘 다 Ann"
    assert told["b wrong"][0].startswith("아쉽지만 아닙니다. 스코어가 똑같이 3인")
    assert told["b wrong"][1] == wrong.ko and "전체의 합으로" in wrong.ko
    raised = "이 셀에서 오류가 났습니다: ZeroDivisionError: division by zero"
    assert rows["b wrong"]["04 two_anns"] == raised
    assert told["c crashing"] == ("통과", unreached)
    assert told["d hanging"] == ("통과", "5초 안에 끝나지 않아 멈췄습니다.")
    assert told["h disguised"] == (untried, "softmax 없이 풀어야 하는 연습입니다.")
    assert told["i unanswered"] == (untried, untried)
    assert {name: row["problem"] for name, row in rows.items() if row["problem"]} == {
        "c crashing": "04 코드 셀 3에서 커널이 죽었습니다.",
        "j empty": "노트북이 아닙니다.",
    }
    assert [row["passed"] for row in rows.values()] == ["3", "0", "1", "1", "2", "2", "0", "0", "0"]
    assert re.search(r"^a right +✓  ✓  …  ✓   3 / 4$", printed, re.M)


def test_the_first_line_says_that_marks_were_not_protected(graded):
    first, _, printed = graded
    assert first == [UNPROTECTED] and UNPROTECTED.startswith("NOT PROTECTED: ")
    assert printed.splitlines()[0] == f"{UNPROTECTED} (bwrap: not installed)"


@pytest.fixture
def three(tmp_path):
    for name in "abc":
        write(tmp_path / f"{name}_04_attention.ipynb", SETUP, SOFTMAX)
    return tmp_path


def test_a_notebook_that_breaks_the_grader_costs_only_itself(three, without_sandbox, monkeypatch, capsys):
    def noted(one, *limits):
        if one.student == "a":
            raise OSError("no space left")
        return (
            [{"stopped": 1, "why": "forged"}] if one.student == "b" else [{"exercise": "softmax", "late": 3}]
        )

    monkeypatch.setattr("helpers.grading.limits.run_limited", noted)
    main(["grade", str(three)])
    said = capsys.readouterr().out
    assert said.count("It did not run to its end.") == 2 and "It was stopped after 3 s." in said


def test_the_table_is_written_after_each_notebook(three, monkeypatch, capsys):
    """So that what ends the grader leaves what is done: here, Ctrl-C."""
    found = []

    def interrupted(one, seconds, memory, stop, sandbox):
        if one.student == "a":
            return [{"exercise": "softmax", "late": 3}]
        if one.student == "b":
            for _ in range(200):
                if (three / "results.csv").exists():
                    found.append([*table_of(three)])
                    break
                time.sleep(0.05)
            raise KeyboardInterrupt
        return stop.wait(60) and []

    monkeypatch.setattr("helpers.grading.limits.run_limited", interrupted)
    monkeypatch.setattr("helpers.commands.grade.find_sandbox", lambda folder: (SANDBOX, ""))
    monkeypatch.setattr("helpers.commands.grade.at_once", lambda memory: 3)
    with pytest.raises(SystemExit, match="^stopped$"):
        main(["grade", str(three)])
    assert found == [["a"]] and [*table_of(three)] == ["a"]


def test_without_psutil_grade_says_what_to_install(three, monkeypatch):
    monkeypatch.setattr("helpers.commands.grade.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="^error: grade needs the psutil library; pip install psutil$"):
        main(["grade", str(three)])


@pytest.mark.parametrize("cores, free, number", [(8, 16, 3), (2, 100, 2), (8, 3, 1), (None, 100, 1)])
def test_notebooks_at_once_have_cores_and_memory(cores, free, number, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=free * 2**30))
    assert at_once(4 * 2**30) == number


def test_why_no_notebook_can_be_run_is_told(three, without_sandbox, monkeypatch, capsys):
    python = three / "python"
    python.write_text("#!/bin/sh\necho first >&2\necho no kernel >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(python))
    main(["grade", str(three)])
    assert capsys.readouterr().out.count("    It did not run to its end. no kernel\n") == 3


def test_a_folder_that_takes_no_table_is_told_before_anything_is_run(three, monkeypatch):
    (three / "results.csv").mkdir()
    monkeypatch.setattr("helpers.grading.limits.run_limited", None)
    with pytest.raises(SystemExit, match="^error: path: .*results.csv is a folder; name a file in it$"):
        main(["grade", str(three)])


# What travels


@pytest.mark.parametrize("task", [*WRONG], ids=" ".join)
def test_marks_are_those_of_check(task, monkeypatch):
    """Of wrong answers and of the right one, when their results have travelled as text."""
    chapter, name = task
    monkeypatch.setattr(checking, "SECONDS", 2.0)  # a loop that never ends is among them
    exercise = getattr(importlib.import_module(f"helpers.exercises.chapter_{chapter}"), name)
    if not isinstance(exercise, Exercise):
        for value, _ in WRONG[task][:2]:
            assert diagnose(from_text(to_text(value)), exercise) == diagnose(value, exercise)
        return
    for answer in [exercise.spec, *(answer for answer, _ in WRONG[task][:2])]:
        tried = try_out(answer, exercise.cases, exercise.forbidden)
        results = [from_text(to_text(result)) for result in tried.results]
        travelled = Attempt(results, tried.printed, tried.name, tried.used)
        ours, theirs = diagnose(travelled, exercise), diagnose(answer, exercise)
        assert (ours.passed, ours.ko, ours.en) == (theirs.passed, theirs.ko, theirs.en)


class Odd:
    def __repr__(self):
        raise ValueError


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, 2.5, float("inf"), "파리", ..., [], (), {}, set(), frozenset({1})),
        [1, (2, [3.0, {"a": None, 2: ("b",)}])],
        {(1, 2): {3, 4}},
        Failure("가", "a", "ValueError: a", "ValueError", "line 3: return x"),
    ],
    ids=str,
)
def test_plain_values_travel(value):
    again = from_text(to_text(value))
    assert again == value and type(again) is type(value)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.bool])
def test_tensors_travel(dtype):
    for tensor in (torch.tensor([[0, 1], [2, 3]]).to(dtype), torch.empty(0, 3, dtype=dtype), torch.tensor(1)):
        torch.testing.assert_close(from_text(to_text(tensor)), tensor, rtol=0, atol=0)
    assert from_text(to_text(torch.ones(2, requires_grad=True))).requires_grad
    assert from_text(to_text(torch.tensor([float("nan")]))).isnan().all()


def test_what_is_not_plain_travels_as_its_type():
    for value in (Odd(), iter([1]), print, torch.ones(1).to_sparse(), torch.ones(1, dtype=torch.complex64)):
        again = from_text(to_text(value))
        assert type(again) is not type(value) and type(again).__name__ == type(value).__name__
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert type(from_text(to_text(deep))).__name__ == "list"


def test_what_is_too_large_does_not_travel():
    for value in (torch.zeros(MOST_NUMBERS + 1), "a" * 10**6, [0.125] * 300_000):
        failure = from_text(to_text(value))
        assert isinstance(failure, Failure) and failure.en.startswith("The result is too large")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1]",
        '{"unknown": 1}',
        '{"list": 1, "tuple": 2}',
        '{"list": 3}',
        '{"set": [{"list": []}]}',
        '{"tensor": ["torch.float32", [1000000000000], [1.0], false]}',
        '{"tensor": ["torch.load", [1], [1.0], false]}',
        '{"tensor": ["torch.float32", [-1, -1], [1.0], false]}',
        '{"failure": ["a"]}',
        '{"other": ["a\\u0000", "b"]}',
        '{"list": ' * 50_000,
        "1" * 5_000_000,
    ],
    ids=lambda text: text[:30],
)
def test_a_forged_text_is_refused(text):
    with pytest.raises(ValueError, match="^text: "):
        from_text(text)


def test_an_answer_of_the_wrong_form_is_no_pass():
    attempt = {key: to_text(value) for key, value in vars(Attempt([], False, "f", set())).items()}
    del attempt["results"]
    count = len(chapter_04.softmax.cases)
    for note in (
        {},
        {"results": 1, "attempt": attempt},
        {"results": [], "attempt": attempt},
        {"results": ["1"] * 3, "attempt": attempt},
        {"results": ["1"] * count, "attempt": {}},
        {"results": ["1"] * count, "attempt": attempt | {"passed": "true"}},
        {"results": ["1"] * count, "attempt": [attempt]},
    ):
        assert mark_of(note, chapter_04.softmax, "en") == Mark(False, "What it returns cannot be read.")
    assert mark_of({"value": None}, chapter_04.two_questions, "en").passed is False
    with pytest.raises(ValueError, match=f"results: 0 of {count} cases; send all"):
        read_answer({"results": [], "attempt": attempt}, chapter_04.softmax)


# What is handed in


@pytest.mark.parametrize(
    "path, student",
    [
        ("anna_04_attention.ipynb", "anna"),
        ("김안나_04_attention.ipynb", "김안나"),
        ("Anna Kim - 04_attention (1).ipynb", "Anna Kim"),
        ("anna/04_attention.ipynb", "anna"),
        ("anna_123_assignsubmission_file/04_attention.ipynb", "anna_123_assignsubmission_file"),
        ("2024-17_anna_04_attention.ipynb", "2024-17_anna"),
        ("week 2/anna_04_attention.ipynb", "week 2/anna"),
        ("04_attention.ipynb", "04_attention"),
        ("anna.ipynb", "anna"),
    ],
)
def test_named_by(path, student, tmp_path):
    chapter = None if path == "anna.ipynb" else "04"
    assert named_by((tmp_path / path).relative_to(tmp_path)) == (student, chapter)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_exercise_of_every_chapter_is_found(path, tmp_path):
    """In the repository's notebook and in what students are given."""
    module = importlib.import_module(f"helpers.exercises.chapter_{path.name[:2]}")
    classroom_file = write(tmp_path / "anna.ipynb")
    carrier = editions.CARRIER.format(data="eA==") + editions.SACREBLEU
    student = classroom.without_solutions(nbformat.from_dict(read(path)))
    nbformat.write(editions.edition(student, "ko", carrier), classroom_file)
    for one in (read_submission(path, path.parent), read_submission(classroom_file, tmp_path)):
        assert one.chapter == path.name[:2] and not one.problem
        assert set().union(*map(asked_in, one.cells)) == set(progress.names_of(module))
        assert "helpers_zip" not in str(one.cells)


@pytest.mark.parametrize(
    "source",
    [
        "check(f, exercises.a)",
        "    check(f, exercises.a)",
        "check(\n    h(1, 2),\n    exercises.a,\n)",
        "result = check(f, exercises.a)",
        "print(check(f, exercises.a))",
        "check(lambda x: torch.mul(f(x), cfg.one), exercises.a)",
        "check(functools.partial(f, a.b), exercises.a)",
        "check(answer=f, exercise=exercises.a)",
        "lesson.check(f, helpers.exercises.chapter_04.a)",
        "check(f, a)",
        "mark = partial(check, exercise=exercises.a)\nmark(f)",
        "mark = functools.partial(check, f, exercises.a)",
        "%time check(f, exercises.a)",
        "%%time\ncheck(f, exercises.a)",
        "!ls\ncheck(f, exercises.a)",
        "# check(f, exercises.no)\nhint(exercises.no)\nexercises.no\ncheck(f, exercises.a)",
        "def f(:\ncheck(f, exercises.a)",
        "x = '\ud800'\ncheck(f, exercises.a)",
    ],
)
def test_what_a_cell_checks(source):
    assert asked_in(source) == {"a"}


@pytest.mark.parametrize(
    "source",
    ["", "check(" + " " * 10**6, "(" * 40_000, "\0", "check()", "check(*a)", "x = check", "a" * 10**6],
)
def test_what_checks_nothing(source):
    assert asked_in(source) == set()


def test_reading_takes_time_by_length_alone(tmp_path):
    """A square of these lengths would take an hour."""
    sources = ["check(" + " " * 10**6, " " * 10**6 + "%pip", "helpers.exercises" + " " * 10**6]
    assert len(cells_of(tmp_path, *sources)) == 3
    assert named_by(Path("00_" * 1000 + "/" + "a")) == ("00_" * 1000 + "/a", None)


def cells_of(tmp_path, *sources):
    return read_submission(write(tmp_path / "a.ipynb", *sources), tmp_path).cells


def test_nothing_is_installed(tmp_path):
    installs = "  %pip install git+https://a\n!pip install b; c\nx = 5 % pip\n!python3 -m pip install d"
    assert cells_of(tmp_path, installs) == ["  pass\npass\nx = 5 % pip\npass"]


@pytest.mark.parametrize("line", ["import (chapter_04 as exercises)", "import chapter_04"])
def test_the_chapter_is_the_one_that_is_imported(line, tmp_path):
    source = f"from helpers.exercises {line}"
    assert read_submission(write(tmp_path / "b_05_a.ipynb", source), tmp_path).chapter == "04"


NO_FILES = {
    "fifo": os.mkfifo,
    "zero": lambda path: path.symlink_to("/dev/zero"),
    "dangling": lambda path: path.symlink_to("nowhere"),
    "itself": lambda path: path.symlink_to(path.name),
    "another's": lambda path: path.symlink_to(write(path.with_name("x.json"), SETUP, SOFTMAX)),
    "folder": lambda path: path.mkdir(),
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_file_costs_only_itself(make, tmp_path):
    make(tmp_path / "a_04_attention.ipynb")
    write(tmp_path / "b_04_attention.ipynb", SETUP)
    first, second = find_submissions(tmp_path)
    assert grade(first, [], "en").problem == "This is not a file that can be read."
    assert second.cells and not second.problem


def test_a_link_to_a_folder_is_not_followed(tmp_path):
    write(tmp_path / "teacher" / "a_04_attention.ipynb", SETUP)
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "anna").symlink_to(tmp_path / "teacher")
    with pytest.raises(ValueError, match="holds no notebooks"):
        find_submissions(tmp_path / "class")


@pytest.mark.parametrize(
    "text",
    ["", "not JSON", "[]", "{}", '{"cells": 1}', '{"cells": [1]}', '{"cells": [{"cell_type": "code"}]}'],
)
def test_what_is_not_a_notebook_is_told(text, tmp_path):
    (tmp_path / "a.ipynb").write_text(text)
    [one] = find_submissions(tmp_path)
    assert grade(one, [], "en") == Result("a", None, {}, "This is not a notebook.")


def test_a_notebook_that_is_too_large_is_not_read(tmp_path):
    with open(tmp_path / "a.ipynb", "wb") as file:
        file.truncate(MOST_BYTES + 1)
    [one] = find_submissions(tmp_path)
    assert grade(one, [], "en").problem == "This file is too large."


def test_a_notebook_of_no_chapter_is_told(tmp_path):
    write(tmp_path / "a.ipynb", "1")
    write(tmp_path / "b_99_new.ipynb", "1")
    problems = [grade(one, [], "en").problem for one in find_submissions(tmp_path)]
    assert problems == ["It is not clear which chapter this is."] * 2


def test_two_notebooks_of_one_student_are_told_apart(tmp_path):
    for name in ("a_04_attention.ipynb", "a_04_attention (1).ipynb", "b_04_attention.ipynb"):
        write(tmp_path / name, "from helpers.exercises import chapter_04 as exercises")
    write(tmp_path / ".ipynb_checkpoints" / "a_04_attention-checkpoint.ipynb")
    students = [one.student for one in find_submissions(tmp_path)]
    assert students == ["a_04_attention (1).ipynb", "a_04_attention.ipynb", "b"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "error: folder: .* holds no notebooks and no mine/; name the one with the students' files"),
        (["--seconds", "0"], "error: seconds: 0 is not a size"),
        (["--memory", "0"], "error: memory: 0 is not a size"),
    ],
)
def test_grade_refuses_in_one_line(arguments, message, tmp_path):
    with pytest.raises(SystemExit) as stop:
        main(["grade", str(tmp_path), *arguments])
    assert re.match(message, stop.value.code) and "\n" not in stop.value.code


# What is told


def test_the_table_of_several_chapters():
    results = [
        Result("김안나", "04", {"two_questions": Mark(True, "passed")}),
        Result("김안나", "05", {"silence_head": Mark(False, "wrong")}, "died"),
        Result("=ben", "05", {"silence_head": Mark(None, "not tried")}),
    ]
    rows = list(csv.DictReader(as_csv(results).decode("utf-8-sig").splitlines()))
    assert [(row["student"], row["passed"], row["problem"]) for row in rows] == [
        ("김안나", "1", "05 died"),
        ("'=ben", "0", ""),
    ]
    assert rows[0]["04 two_questions"] == "passed" and rows[1]["04 two_questions"] == ""
    assert rows[0]["05 silence_head"] == "wrong" and rows[1]["05 silence_head"] == "not tried"
    warned = list(csv.reader(as_csv(results, "NOT PROTECTED").decode("utf-8-sig").splitlines()))
    assert warned[0] == ["NOT PROTECTED"] and warned[1] == [*rows[0]]
    lines = overview(results)
    assert "김안나  ✗   0 / 5" in lines and "=ben    …   0 / 5" in lines


def test_a_students_text_cannot_change_the_terminal():
    assert printable("a\x1b[31m\nb\u202e\x07") == "a [31m b"
    assert len(printable("a" * 10_000)) < 500


@pytest.mark.parametrize(
    "note, exercise, mark",
    [
        ({"late": 6.0}, "softmax", Mark(False, "It was stopped after 6 s.")),
        ({"error": "NameError: a\nb"}, "softmax", Mark(False, "The cell raises an error: NameError: a b")),
        ({"value": '{"ellipsis": 0}'}, "two_questions", Mark(None, "not tried")),
        ({"value": '"a"'}, "two_questions", "Not yet: the guess should be a number."),
        ({"value": '""'}, "two_anns", Mark(None, "not tried")),
    ],
)
def test_mark_of(note, exercise, mark):
    found = mark_of(note, getattr(chapter_04, exercise), "en")
    assert found == (mark if isinstance(mark, Mark) else Mark(False, mark))
