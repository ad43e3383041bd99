"""Exercises: the stub is not yet passed, the solution passes, wrong answers are told what is wrong."""

import ast
import dataclasses
import importlib
import re

import pytest

from helpers.exercises import checking
from helpers.exercises.checking import diagnose, try_out
from helpers.exercises.comparing import difference
from helpers.exercises.kinds import Exercise, Prediction
from helpers.lesson import check
from notebook_parts import CHAPTERS, code_cells, prose_cells, read, tags, trees
from wrong_answers import RIGHT, WRONG

for path in CHAPTERS:
    importlib.import_module(f"wrong_answers.chapter_{path.name[:2]}")


KINDS = {
    "build": "만들기",
    "debug": "디버깅",
    "predict": "예측",
    "explore": "탐구",
}


def kind_of(exercise):
    if isinstance(exercise, Exercise):
        return "debug" if exercise.start else "build"
    return "predict" if isinstance(exercise, Prediction) else "explore"


class Task:
    """An exercise in a chapter: a stub that ends in check(answer, exercises.name), and a folded solution."""

    def __init__(self, path, index):
        nb = read(path)
        self.chapter, self.index, self.trees = path.name[:2], index, trees(nb)
        self.stub = nb.cells[index].source
        call = ast.parse(self.stub).body[-1].value
        self.answer, self.name = call.args[0].id, call.args[1].attr
        self.exercise = getattr(
            importlib.import_module(f"helpers.exercises.chapter_{self.chapter}"), self.name
        )
        self.kind = kind_of(self.exercise)
        self.heading = re.findall(
            "^### .*", "\n".join(source for i, source in prose_cells(nb) if i < index), re.M
        )
        following = "\n".join(source for i, source in prose_cells(nb) if i > index)
        solutions = re.findall(r"<details>.*?```python\n(.*?)```", following, re.S)
        self.solution = solutions[0] if solutions else ""
        self.right = RIGHT.get((self.chapter, self.name), [])
        self.wrong = WRONG.get((self.chapter, self.name), [])

    def run(self, source):
        """Run a source where only the chapter's imports have run; return the answer and its exercise."""
        names = {}
        for i, tree in self.trees:
            imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
            if i <= self.index:
                exec(compile(ast.Module(imports, []), f"cell {i}", "exec"), names)
        exec(compile(source, f"{self.chapter} {self.name}", "exec"), names)
        return names[self.answer], getattr(names["exercises"], self.name)


TASKS = [Task(path, i) for path in CHAPTERS for i, cell in code_cells(read(path)) if "exercise" in tags(cell)]


def tasks(*kinds):
    chosen = [task for task in TASKS if task.kind in (kinds or KINDS)]
    return pytest.mark.parametrize("task", chosen, ids=[f"{task.chapter} {task.name}" for task in chosen])


def both_languages(text):
    return re.search("[가-힣]", text) and re.search("[A-Za-z]{3}", text)


@pytest.mark.parametrize("chapter", [path.name[:2] for path in CHAPTERS if path.name[:2] != "00"])
def test_exercises_of_a_chapter(chapter):
    kinds = [task.kind for task in TASKS if task.chapter == chapter]
    assert 4 <= len(kinds) <= 5
    assert set(kinds) == set(KINDS)


def test_headings_name_the_kind_and_hints_come_in_steps():
    for task in TASKS:
        kinds = rf"\({KINDS[task.kind]}\) · Exercise \d+\. .+ \({task.kind}\)"
        assert re.fullmatch(rf"### 연습 \d+\. .+ {kinds}", task.heading[-1]), task.heading[-1]
        assert len(task.exercise.hints) >= 2, task.name
        assert all(both_languages(" ".join(step)) for step in task.exercise.hints), task.name


@tasks("build", "predict", "explore")
def test_stub_is_not_yet_passed(task, capsys):
    answer, exercise = task.run(task.stub)
    said = capsys.readouterr().out
    assert both_languages(said) and "not yet" in said.lower()
    assert diagnose(answer, exercise).passed is None


@tasks("debug")
def test_start_is_wrong_and_not_mended(task, capsys):
    answer, exercise = task.run(task.stub)
    said = capsys.readouterr().out
    assert both_languages(said) and "not fixed yet" in said.lower() and "expected:" in said
    assert diagnose(answer, exercise).passed is None
    assert diagnose(exercise.start, exercise).en == diagnose(answer, exercise).en


@tasks("build", "debug")
def test_every_listed_mistake_is_told_in_its_own_words(task):
    assert len(task.exercise.mistakes) + len(task.wrong) >= 3, "three wrong answers, listed or not"
    for mistake in task.exercise.mistakes:
        attempt = dataclasses.replace(
            try_out(mistake.answer, task.exercise.cases), used=set()
        )  # none forbidden
        result = diagnose(attempt, task.exercise)
        assert (result.passed, result.ko, result.en) == (False, mistake.ko, mistake.en)
        assert re.search("[가-힣]", mistake.ko)


@tasks("build", "debug")
def test_solution_passes(task, capsys):
    assert task.solution, "no folded solution follows"
    answer, exercise = task.run(task.solution)
    result = diagnose(answer, exercise)
    assert result.passed is True, f"{result.ko}\n{result.en}"
    check(answer, exercise)
    assert both_languages(capsys.readouterr().out)


@tasks("build", "debug")
def test_right_answers_pass(task):
    for answer in task.right:
        result = diagnose(answer, task.exercise)
        assert result.passed is True, f"{where(answer)}: {result.en}"


def where(answer):
    return f"line {answer.__code__.co_firstlineno}" if callable(answer) else f"{answer}"


@tasks("build", "debug")
def test_wrong_answers_that_nobody_listed_are_named(task, monkeypatch):
    listed = [try_out(mistake.answer, task.exercise.cases).results for mistake in task.exercise.mistakes]
    for answer, phrase in task.wrong:
        monkeypatch.setattr(checking, "SECONDS", 0.5 if "never ends" in phrase else 60.0)
        attempt = try_out(answer, task.exercise.cases, task.exercise.forbidden)
        line = where(answer)
        result = diagnose(attempt, task.exercise)
        assert result.passed is False, line
        assert phrase in result.en and re.search("[가-힣]", result.ko), f"{line}\n{result.ko}\n{result.en}"
        for mistake in listed:
            pairs = zip(attempt.results, mistake, strict=True)
            assert any(difference(*pair) for pair in pairs), f"{line} is a listed mistake already"


def wrong_guess(answer):
    """A guess of the right form that is far off."""
    if isinstance(answer, list | tuple):
        return (
            [*answer[1:], answer[0]]
            if len(set(map(str, answer))) > 1
            else [wrong_guess(answer[0])] * len(answer)
        )
    return answer + "!" if isinstance(answer, str) else not answer if answer in (0, 1) else -answer


@tasks("predict")
def test_predictions_reveal_the_answer_and_why(task):
    exercise = task.exercise
    answer = exercise.answer() if callable(exercise.answer) else exercise.answer
    assert both_languages(" ".join(exercise.why))
    for guess, right in ((answer, True), (wrong_guess(answer), False)):
        result = diagnose(guess, exercise)
        assert result.passed is right
        assert exercise.why[0] in result.ko and exercise.why[1] in result.en and "answer:" in result.example


@tasks("predict")
def test_guesses_are_judged(task):
    for guess in task.right:
        assert diagnose(guess, task.exercise).passed is True, guess
    for guess, phrase in task.wrong:
        result = diagnose(guess, task.exercise)
        assert result.passed is not True and phrase in result.en, f"{guess}: {result.en}"


@tasks("explore")
def test_explorations_show_what_to_look_for(task):
    result = diagnose("something", task.exercise)
    assert result.passed and both_languages(" ".join(task.exercise.look_for))
    assert task.exercise.look_for[0] in result.ko and task.exercise.look_for[1] in result.en


def test_no_answer_without_exercise():
    assert WRONG.keys() | RIGHT.keys() <= {(task.chapter, task.name) for task in TASKS}
