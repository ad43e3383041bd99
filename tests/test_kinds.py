"""Predictions, explorations, exercises to mend, hints, and the count of what is solved."""

import os
import re
import subprocess
import sys

import pytest
import torch

from helpers import lesson
from helpers.__main__ import main
from helpers.engine import languages
from helpers.exercises import chapter_00, chapter_05, progress
from helpers.exercises.checking import diagnose
from helpers.exercises.kinds import Exercise, Exploration, Prediction
from helpers.lesson import check, hint

HINTS = ["제곱이 아닙니다.", "It is no square.", "x * 2", "x * 2"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where progress is kept in a test."""
    monkeypatch.setattr(lesson, "build_folder", lambda: tmp_path / "build")
    monkeypatch.setattr(progress, "_kept", set())
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    return tmp_path / "build"


@pytest.mark.parametrize(
    ("answer", "guess", "passed"),
    [
        (0.5, 0.5, True),
        (0.5, 0.54, True),
        (0.5, 0.56, False),
        (0.5, torch.tensor(0.5), True),
        (0.5, ..., None),
        (0.5, "0.5", None),
        (0.5, [0.5], None),
        (0.5, float("nan"), False),
        (lambda: 2 + 3, 5, True),
        ("axis 0", " Axis 0", True),
        ("axis 0", "axis 1", False),
        (["a", "b"], ("a", "b"), True),
        (("a", "b"), ["b", "a"], False),
        (["a", "b"], ["a"], False),
        ([1, 2], torch.tensor([1, 2]), True),
        (True, False, False),
        (True, True, True),
    ],
    ids=lambda value: "function" if callable(value) else str(value),
)
def test_prediction(answer, guess, passed):
    result = diagnose(guess, Prediction(answer, near=0.1, why=("그래서입니다.", "That is why.")))
    assert result.passed is passed
    assert ("That is why." in result.en) is ("answer:" in result.example) is (passed is not None)
    assert passed is not None or "Not yet" in result.en


@pytest.mark.parametrize("found", ["", " ", "...", "…", ..., None, 3])
def test_exploration_not_yet(found):
    result = diagnose(found, Exploration(("길이", "the length")))
    assert result.passed is None and "length" not in result.en


def test_exploration():
    result = diagnose("it grows", Exploration(("길이", "the length")))
    assert result.passed and "the length" in result.en and "길이" in result.ko


MEND = Exercise(
    lambda x: x * 2,
    [(1,), (2,), (3,)],
    [lambda x: x + 2, "더했습니다.", "This adds."],
    start=lambda x: x**2,
)


@pytest.mark.parametrize(
    ("answer", "passed", "english"),
    [
        (lambda x: x * x, None, "Not fixed yet."),
        (lambda x: x + x, True, "All 3 cases pass."),
        (lambda x: x + 2, False, "This adds."),
        (lambda x: x**3, False, "The values differ."),
    ],
)
def test_mending(answer, passed, english):
    result = diagnose(answer, MEND)
    assert (result.passed, result.en) == (passed, english)
    assert ("expected: 2" in result.example) is (passed is not True)


def test_hints_come_one_after_another(capsys):
    exercise = Exercise(abs, [(1,)], [], hints=HINTS)
    for _ in range(3):
        hint(exercise)
    assert capsys.readouterr().out.splitlines() == [
        "힌트 1/2: 제곱이 아닙니다.",
        "Hint 1 of 2: It is no square.",
        *["힌트 2/2: x * 2", "Hint 2 of 2: x * 2"] * 2,
    ]
    hint(MEND)
    assert "no hints" in capsys.readouterr().out


def test_messages_are_in_the_chosen_language(capsys, monkeypatch):
    monkeypatch.setattr(languages, "_shown", ("en",))
    check(abs, MEND)
    hint(MEND)
    assert not re.search("[가-힣]", re.sub(".*(expected|got):", "", capsys.readouterr().out))


def count_words(text):
    return len(text.split())


def test_what_is_solved_is_counted_and_kept(folder, monkeypatch, capsys):
    check(..., chapter_00.rows_by_id)
    assert not folder.exists() and "solved" not in capsys.readouterr().out
    check(count_words, chapter_00.count_words)
    total = len(progress.names_of(chapter_00))
    assert f"Chapter 00: 1 of {total} exercises solved." in capsys.readouterr().out
    monkeypatch.setattr(progress, "_kept", set())  # a new start of Python
    assert [file.name for file in (folder / "progress").iterdir()] == ["00.count_words.solved"]
    progress.mark("05", "silence_head", True, folder)
    main(["progress"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["00", "■" + "□" * (total - 1), "1", "/", str(total)]
    total = len(progress.names_of(chapter_05))
    assert lines[5].split() == ["05", "■" + "□" * (total - 1), "1", "/", str(total)]
    assert lines[-1].split()[:2] == ["2", "/"]


def test_what_is_wrong_is_tried_and_not_solved(folder, capsys):
    total = len(progress.names_of(chapter_00))
    check((9, 9, 9), chapter_00.rows_by_id)
    assert "✗" in (said := capsys.readouterr().out) and "solved" not in said
    assert progress.counts(folder)["00"] == (0, 1, total)
    main(["progress"])
    assert capsys.readouterr().out.split()[1] == "▨" + "□" * (total - 1)
    check((2, 3, 16), chapter_00.rows_by_id)
    check((9, 9, 9), chapter_00.rows_by_id)  # what was solved stays so
    assert progress.counts(folder)["00"] == (1, 0, total)


MARKING = """
import sys
from pathlib import Path
from helpers.exercises import progress
for i in range(200):
    progress.mark("05", f"{sys.argv[1]}{i}", True, Path(sys.argv[2]))
"""


def test_processes_that_mark_at_once_lose_nothing(folder):
    environment = {name: value for name, value in os.environ.items() if name != "COURSE_PROGRESS"}
    commands = [[sys.executable, "-c", MARKING, name, str(folder)] for name in "ab"]
    for process in [subprocess.Popen(command, env=environment) for command in commands]:
        assert process.wait(timeout=120) == 0
    assert len(progress.read(folder)) == 400
    assert len(list((folder / "progress").iterdir())) == 400, "nothing else is left there"


@pytest.mark.parametrize("name", ["", "00", "00.count_words", "a.b.c.d", "00.count_words.solved.tmp", "한글"])
def test_files_of_other_names_count_as_nothing(name, folder):
    progress.mark("05", "silence_head", True, folder)
    (folder / "progress" / f"{name}x").touch()
    (folder / "progress" / "a folder").mkdir()
    assert progress.read(folder) == {("05", "silence_head"): True}


@pytest.mark.parametrize(
    ("earlier", "solved"),
    [
        (b'{"00": ["count_words"]}', 1),
        (b'{"01": null, "00": ["count_words"], "02": 3, "03": {"a": 1}}', 1),
        *(
            (damaged, 0)
            for damaged in (b"", b"{", b"\xff", b"[1]", b"3", b'{"00": 3}', b'{"00": [[]]}', b"[" * 9999)
        ),
    ],
)
def test_what_earlier_versions_kept_in_one_file_is_read_as_far_as_it_goes(earlier, solved, folder):
    folder.mkdir()
    (folder / "progress.json").write_bytes(earlier)
    assert progress.counts(folder)["00"][0] == solved
    progress.mark("00", "center_rows", True, folder)
    assert progress.counts(folder)["00"][0] == solved + 1


def test_where_nothing_can_be_written_progress_is_counted_all_the_same(folder, capsys):
    folder.write_text("a file where the folder should be")
    check(count_words, chapter_00.count_words)
    assert "Chapter 00: 1 of" in capsys.readouterr().out


def test_an_exercise_of_no_chapter_is_not_counted(folder, capsys):
    check(lambda x: 2 * x, MEND)
    assert not folder.exists() and "solved" not in capsys.readouterr().out


def test_tests_and_stored_outputs_know_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "_kept", set())
    progress.mark("00", "count_words", True, tmp_path)  # COURSE_PROGRESS=none, by tests/workbench/project.py
    assert list(tmp_path.iterdir()) == [] and progress.counts(tmp_path)["00"][0] == 1


def test_a_guess_that_is_no_choice_is_told_the_choices():
    prediction = Prediction("pre", choices=("pre", "post"))
    assert diagnose("pree", prediction).en == "Not yet: instead of 'pree' choose from 'pre', 'post'."
    assert diagnose(" Pre", prediction).passed is True and diagnose("post", prediction).passed is False
