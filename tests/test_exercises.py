"""Of every exercise the stub is not yet passed, the solution passes, wrong answers are told what is wrong."""

import ast
import importlib
import re

import pytest

from helpers.exercises.checking import diagnose
from helpers.lesson import check
from notebook_parts import CHAPTERS, code_cells, prose_cells, read, tags, trees
from wrong_answers import WRONG

for path in CHAPTERS:
    importlib.import_module(f"wrong_answers.chapter_{path.name[:2]}")


class Task:
    """An exercise in a chapter: a stub that ends in check(answer, exercises.name), and a folded solution."""

    def __init__(self, path, index):
        nb = read(path)
        self.chapter, self.index, self.trees = path.name[:2], index, trees(nb)
        self.stub = nb.cells[index].source
        call = ast.parse(self.stub).body[-1].value
        self.answer, self.name = call.args[0].id, call.args[1].attr
        following = "\n".join(source for i, source in prose_cells(nb) if i > index)
        solutions = re.findall(r"<details>.*?```python\n(.*?)```", following, re.S)
        self.solution = solutions[0] if solutions else ""
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
tasks = pytest.mark.parametrize("task", TASKS, ids=[f"{task.chapter} {task.name}" for task in TASKS])


def both_languages(text):
    return re.search("[가-힣]", text) and re.search("[A-Za-z]{3}", text)


@pytest.mark.parametrize("chapter", [path.name[:2] for path in CHAPTERS if path.name[:2] != "00"])
def test_three_exercises_a_chapter(chapter):
    assert sum(task.chapter == chapter for task in TASKS) >= 3


@tasks
def test_stub_is_not_yet_passed(task, capsys):
    answer, exercise = task.run(task.stub)
    said = capsys.readouterr().out
    assert both_languages(said) and "not yet" in said.lower()
    assert diagnose(answer, exercise).passed is None


@tasks
def test_solution_passes(task, capsys):
    assert task.solution, "no folded solution follows"
    answer, exercise = task.run(task.solution)
    result = diagnose(answer, exercise)
    assert result.passed is True, f"{result.ko}\n{result.en}"
    check(answer, exercise)
    assert both_languages(capsys.readouterr().out)


@tasks
def test_wrong_answers_get_a_fitting_diagnosis(task):
    assert len(task.wrong) >= 3, "tests/wrong_answers needs three of each exercise"
    _, exercise = task.run(task.solution)
    for answer, phrase in task.wrong:
        result, line = diagnose(answer, exercise), f"line {answer.__code__.co_firstlineno}"
        assert result.passed is False, line
        assert phrase in result.en and re.search("[가-힣]", result.ko), f"{line}\n{result.ko}\n{result.en}"


def test_no_wrong_answer_without_exercise():
    assert WRONG.keys() <= {(task.chapter, task.name) for task in TASKS}
