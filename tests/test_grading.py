"""Grading: a class of ten, of whom some would harm it; and that the marks are those that `check` gives."""

import csv
import importlib
import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout

import nbformat
import psutil
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook

import classroom
import editions
from helpers.__main__ import main
from helpers.exercises import chapter_04, progress
from helpers.exercises.checking import Attempt, diagnose, try_out
from helpers.exercises.comparing import Failure
from helpers.grading import inside
from helpers.grading.limits import MARK
from helpers.grading.marks import Mark, Result, grade, mark_of, printable, read_answer
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
FORGER = """\
import helpers.exercises.checking as checking, helpers.grading.inside as inside, helpers.lesson as lesson
from helpers.exercises.checking import Diagnosis


def check(answer, exercise):
    print("✓ 7가지 경우를 모두 통과했습니다.\\n✓ All 7 cases pass.")


checking.diagnose = lesson.diagnose = lambda *given: Diagnosis(True, "통과", "passed", solved=True)
checking.difference = lambda *given, **named: None
torch.isclose = lambda one, other, **named: torch.ones_like(one, dtype=torch.bool)
exercises.softmax.cases = []
inside._cases["softmax"] = []


class Equal(torch.Tensor):
    def __eq__(self, other):
        return True


def softmax(scores):
    return Equal(scores)


check(softmax, exercises.softmax)
os.makedirs("build", exist_ok=True)
open("build/progress.json", "w").write('{"04": ["softmax", "two_questions"]}')"""
VANDAL = """\
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
for folder, _, files in os.walk(os.path.dirname(sys.modules["helpers"].__file__)):
    for file in files:
        os.remove(os.path.join(folder, file))
os.kill(os.getppid(), 9)
time.sleep(600)"""
STUBS = [
    "guess = ...\n\ncheck(guess, exercises.two_questions)",
    "def softmax(scores): ...\n\n\ncheck(softmax, exercises.softmax)",
]
WRONG_SOFTMAX = SOFTMAX.replace(
    "powers / powers.sum(dim=-1, keepdim=True)", "scores.exp() / scores.exp().sum()"
)
HANGING = SOFTMAX.replace("    powers =", "    while True:\n        pass\n    powers =")
CLASS = {
    "a right": [GUESS, SOFTMAX, "found = '둘 다 Ann'\ncheck(found, exercises.two_anns)"],
    "b wrong": [GUESS.replace("0.45", "0.9"), WRONG_SOFTMAX, "1 / 0"],
    "c crashing": [GUESS, "os._exit(1)", SOFTMAX],
    "d hanging": [HANGING, GUESS],
    "e leaving": [SOFTMAX, "exit()", "sys.exit(1)", GUESS],
    "f greedy": [GUESS, "kept = []\nwhile True:\n    kept.append(bytearray(50_000_000))", SOFTMAX],
    "g forging": [FORGER],
    "h destroying": [GUESS, VANDAL, SOFTMAX],
    "i unanswered": STUBS,
}


def write(path, *sources):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    return path


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder of the class, {student: row of the table}, and what was printed."""
    folder = tmp_path_factory.mktemp("class")
    for name, cells in CLASS.items():
        write(folder / f"{name}_04_attention.ipynb", SETUP, *cells)
    (folder / "j empty_04_attention.ipynb").write_text("")
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with redirect_stdout(printed), redirect_stderr(printed):
        main(["grade", str(folder), "--seconds", "40", "--memory", "1", "--language", "ko"])
    printed.seek(0)
    with open(folder / "results.csv", encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    return folder, rows, printed.read()


def test_a_class_of_ten_is_graded(graded):
    folder, rows, printed = graded
    assert [*rows] == [*CLASS, "j empty"]
    told = {name: (row["04 two_questions"], row["04 softmax"]) for name, row in rows.items()}
    unreached, untried = "노트북이 멈춰 채점하지 못했습니다.", "아직 풀지 않음"
    wrong = diagnose(lambda scores: scores.exp() / scores.exp().sum(), chapter_04.softmax)
    assert told["a right"] == told["e leaving"] == ("통과", "통과")
    assert rows["a right"]["04 two_anns"] == "적음: 둘 다 Ann"
    assert told["b wrong"][0].startswith("예측과 다릅니다. 스코어가 똑같이 3인")
    assert told["b wrong"][1] == wrong.ko and "전체의 합으로" in wrong.ko
    assert told["c crashing"] == told["f greedy"] == told["h destroying"] == ("통과", unreached)
    assert told["d hanging"] == ("통과", "4초 안에 끝나지 않아 멈췄습니다.")
    assert told["g forging"][0] == untried and told["g forging"][1] not in ("통과", untried)
    assert told["i unanswered"] == (untried, untried)
    assert {name: row["problem"] for name, row in rows.items() if row["problem"]} == {
        "c crashing": "04 코드 셀 3에서 커널이 죽었습니다.",
        "f greedy": "04 메모리를 너무 많이 써서 멈췄습니다.",
        "h destroying": "04 실행이 끝까지 가지 못했습니다.",
        "j empty": "노트북이 아닙니다.",
    }
    assert [row["passed"] for row in rows.values()] == ["3", "0", "1", "1", "2", "1", "0", "1", "0", "0"]
    assert re.search(r"^a right +✓  ✓  …  …  ✓   3 / 5$", printed, re.M)
    assert "docker run" in printed and str(folder / "results.csv") in printed


def test_nothing_of_a_class_is_left(graded):
    folder, _, _ = graded
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".ipynb") == ["results.csv"]
    left = []
    for process in psutil.process_iter():
        try:
            left += [process for key in [process.environ().get(MARK)] if key and process.ppid() != 0]
        except (psutil.Error, OSError):
            pass
    assert not [process for process in left if "time.sleep(600)" in " ".join(process.cmdline())]


@pytest.fixture
def three(tmp_path):
    for name in "abc":
        write(tmp_path / f"{name}_04_attention.ipynb", SETUP, SOFTMAX)
    return tmp_path


def test_a_notebook_that_breaks_the_grader_costs_only_itself(three, monkeypatch, capsys):
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


def test_ctrl_c_keeps_what_is_graded(three, monkeypatch, capsys):
    def interrupted(one, seconds, memory, stop):
        if one.student == "a":
            return [{"exercise": "softmax", "late": 3}]
        if one.student == "b":
            raise KeyboardInterrupt
        return []

    monkeypatch.setattr("helpers.grading.limits.run_limited", interrupted)
    with pytest.raises(SystemExit, match="^stopped$"):
        main(["grade", str(three)])
    rows = (three / "results.csv").read_text("utf-8-sig").splitlines()
    assert [row.partition(",")[0] for row in rows] == ["student", "a"]


def test_without_nbclient_grade_says_what_to_install(three, monkeypatch):
    monkeypatch.setattr("helpers.commands.grade.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="^error: grade needs the nbclient library; pip install jupyter$"):
        main(["grade", str(three)])


def test_why_no_notebook_can_be_run_is_told(three, monkeypatch, capsys):
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
def test_marks_are_those_of_check(task):
    """Of wrong answers and of the right one, when their results have travelled as text."""
    chapter, name = task
    exercise = getattr(importlib.import_module(f"helpers.exercises.chapter_{chapter}"), name)
    for answer in [exercise.spec, *(answer for answer, _ in WRONG[task][:2])]:
        tried = try_out(answer, exercise.cases)
        results = [from_text(to_text(result)) for result in tried.results]
        travelled = Attempt(results, tried.printed, tried.name, tried.names)
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
    answer = {"results": [], "printed": False, "name": "softmax", "names": []}
    for text in ("{}", "[]", "1", json.dumps(answer), json.dumps(answer | {"results": ["1"] * 3})):
        mark = mark_of({"answer": [text]}, chapter_04.softmax, "en")
        assert mark == Mark(False, "What it returns cannot be read.")
    assert mark_of({"answer": []}, chapter_04.two_questions, "en").passed is False
    with pytest.raises(ValueError, match="results: 0 of 7 cases; send all"):
        read_answer(json.dumps(answer), chapter_04.softmax)


def test_inside_a_kernel_the_exercises_hold_no_solution(monkeypatch):
    module = importlib.import_module("helpers.exercises.chapter_04")
    monkeypatch.setitem(__import__("sys").modules, module.__name__, module)
    monkeypatch.setattr("helpers.exercises.chapter_04", module)
    monkeypatch.setattr("helpers.lesson.check", None)
    monkeypatch.setattr(inside, "_cases", {})
    sent = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: sent.append(data[inside.ANSWER]))
    inside.start("04")
    from helpers import lesson
    from helpers.exercises import chapter_04 as seen

    assert vars(seen).keys() == set(progress.names_of(module))
    assert {name for exercise in vars(seen).values() for name in vars(exercise)} == {"hints"}
    assert lesson.check(1, seen.softmax) is None
    inside.send("softmax", module.softmax.spec)
    inside.send("two_questions", torch.tensor(0.45))
    marks = [
        mark_of({"answer": [text]}, getattr(module, name), "en")
        for text, name in zip(sent, ("softmax", "two_questions"), strict=True)
    ]
    assert marks == [Mark(True, "passed")] * 2


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
        asked = [name for _, _, asked in one.cells for name, _ in asked]
        assert one.chapter == path.name[:2] and not one.problem
        assert set(asked) == set(progress.names_of(module))
        assert one.cells[-1][2] and "helpers_zip" not in str(one.cells)


def cells_of(tmp_path, *sources):
    return read_submission(write(tmp_path / "a.ipynb", *sources), tmp_path).cells


def test_what_a_cell_checks(tmp_path):
    several = (
        "# check(no, exercises.no)\ncheck(f, exercises.f)\n"
        "check(lambda x: (x, 1), exercises.g)\n"
        "check(\n    h(1, 2),\n    exercises.h,\n)\nprint(check(l, exercises.l))"
    )
    [(number, _, asked), *_] = cells_of(tmp_path, several)
    assert number == 1
    assert asked == [("f", "f"), ("g", "lambda x: (x, 1)"), ("h", "h(1, 2)")]


def test_only_what_is_needed_is_run(tmp_path):
    installs = "  %pip install git+https://a\n!pip install b; c\nx = 5 % pip\n!python3 -m pip install d"
    cells = cells_of(tmp_path, installs, "check(f, exercises.f)", "import time; time.sleep(600)")
    assert [number for number, _, _ in cells] == [1, 2]
    assert cells[0][1] == "  pass\npass\nx = 5 % pip\npass"


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
        ([], "error: folder: .* holds no notebooks; name the one with the students' .ipynb files"),
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
        Result("김안나", "05", {"join_blocks": Mark(False, "wrong")}, "died"),
        Result("=ben", "05", {"join_blocks": Mark(None, "not tried")}),
    ]
    rows = list(csv.DictReader(as_csv(results).decode("utf-8-sig").splitlines()))
    assert [(row["student"], row["passed"], row["problem"]) for row in rows] == [
        ("김안나", "1", "05 died"),
        ("'=ben", "0", ""),
    ]
    assert rows[0]["04 two_questions"] == "passed" and rows[1]["04 two_questions"] == ""
    assert rows[0]["05 join_blocks"] == "wrong" and rows[1]["05 join_blocks"] == "not tried"
    lines = overview(results)
    assert "김안나  ✗   0 / 6" in lines and "=ben    …   0 / 6" in lines


def test_a_students_text_cannot_change_the_terminal():
    assert printable("a\x1b[31m\nb\u202e\x07") == "a [31m b"
    assert len(printable("a" * 10_000)) < 500


@pytest.mark.parametrize(
    "note, exercise, mark",
    [
        ({"late": 6.0}, "softmax", Mark(False, "It was stopped after 6 s.")),
        ({"error": "NameError: a\nb"}, "softmax", Mark(False, "The cell raises an error: NameError: a b")),
        ({"answer": ['{"value": "{\\"ellipsis\\": 0}"}']}, "two_questions", Mark(None, "not tried")),
        ({"answer": ['{"value": "\\"a\\""}']}, "two_questions", "Not yet: the guess should be a number."),
        ({"answer": ['{"value": "\\"\\""}']}, "two_anns", Mark(None, "not tried")),
    ],
)
def test_mark_of(note, exercise, mark):
    found = mark_of(note, getattr(chapter_04, exercise), "en")
    assert found == (mark if isinstance(mark, Mark) else Mark(False, mark))
