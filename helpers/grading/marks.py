"""Marks: what the answers of a notebook, or the parts in mine/, are worth, in the words of `check`."""

from dataclasses import dataclass, field

from helpers.exercises import progress
from helpers.exercises.checking import Attempt, diagnose
from helpers.exercises.kinds import Exercise, Exploration
from helpers.grading.parts import is_right
from helpers.grading.submissions import MINE
from helpers.grading.values import from_text
from helpers.mine.rungs import PARTS, Part

PASSED = {"ko": "통과", "en": "passed"}
WRITTEN = {"ko": "적음", "en": "written"}
NOT_TRIED = {"ko": "아직 풀지 않음", "en": "not tried"}
RAISED = {"ko": "이 셀에서 오류가 났습니다", "en": "The cell raises an error"}
LATE = {"ko": "{:g}초 안에 끝나지 않아 멈췄습니다.", "en": "It was stopped after {:g} s."}
UNREADABLE = {"ko": "결과를 읽을 수 없습니다.", "en": "What it returns cannot be read."}
OTHER_VALUES = {
    "ko": "검사는 통과했다고 하지만, 돌려준 값이 맞지 않습니다.",
    "en": "Its check says that it passes, but what it returned is wrong.",
}
CODE_CELL = "코드 셀 {}", "code cell {}"
NO_CHAPTER = "어느 장인지 알 수 없습니다.", "It is not clear which chapter this is."
NOT_REACHED = {"ko": "노트북이 멈춰 채점하지 못했습니다.", "en": "Not reached: the notebook had stopped."}
STOPPED = {
    "died": ("{}에서 커널이 죽었습니다.", "Its kernel died in {}."),
    "late": ("{}에서 시간이 다 되었습니다.", "Its time was over in {}."),
    "memory": ("메모리를 너무 많이 써서 멈췄습니다.", "It was stopped: too much memory."),
    "processes": ("프로세스를 너무 많이 만들어서 멈췄습니다.", "It was stopped: too many processes."),
    "failed": ("실행이 끝까지 가지 못했습니다.", "It did not run to its end."),
}
FAILED = [{"stopped": None, "why": "failed"}]  # notes of a notebook of which there are none
LONGEST = 400  # characters of what a student's code can say


@dataclass
class Mark:
    """passed: True, False, or None for what was not tried. text: passed, why not, or "not tried"."""

    passed: bool | None
    text: str


@dataclass
class Result:
    """A graded notebook: {exercise: `Mark`} in the order of the chapter, and what ended all of it."""

    student: str
    chapter: str | None
    marks: dict = field(default_factory=dict)
    problem: str = ""

    @property
    def passed(self):
        """How many exercises are passed."""
        return sum(mark.passed is True for mark in self.marks.values())


def tasks_of(chapter):
    """What there is to do in a chapter, or in mine/.

    Args:
        chapter: "05", "mine" or None.

    Returns:
        {name: exercise or `Part`}, in their order.
    """
    return PARTS if chapter == MINE else progress.exercises_of(chapter)


def grade(submission, notes, language):
    """Judge a notebook, or a folder mine/.

    Args:
        submission: a `Submission`.
        notes: as `run_limited` returns them; none if it was not run.
        language: "ko" or "en".

    Returns:
        A `Result`.
    """
    result = Result(submission.student, submission.chapter)
    said = {"ko": 0, "en": 1}[language]
    exercises = tasks_of(submission.chapter)
    problem = submission.problem or (() if exercises else NO_CHAPTER)
    if problem:
        result.problem = problem[said]
        return result
    for note in notes:
        if "stopped" in note:
            told = STOPPED[note["why"]][said].format(place_of(note["stopped"], submission.chapter, said))
            result.problem = printable(f"{told} {note.get('said', '')}")
    found = {note["exercise"]: note for note in notes if "exercise" in note}  # the last one counts
    asked = {name for note in notes for name in note.get("asked", ())}
    for name, exercise in exercises.items():
        if name in found:
            result.marks[name] = mark_of(found[name], exercise, language)
        elif result.problem and (name in asked or not asked):
            result.marks[name] = Mark(False, NOT_REACHED[language])
        else:
            result.marks[name] = Mark(None, NOT_TRIED[language])
    return result


def place_of(cell, chapter, said):
    """Where a notebook, or a folder mine/, was stopped.

    Args:
        cell: its number, which may come from anyone.
        chapter: "05", or "mine", where each cell checks a part.
        said: 0 for Korean, 1 for English.

    Returns:
        A text.
    """
    parts = dict(enumerate(PARTS, start=1)) if chapter == MINE else {}
    return parts.get(cell) or CODE_CELL[said].format(cell)


def mark_of(note, exercise, language):
    """Judge one answer.

    Args:
        note: of `helpers.grading.inside`, about this exercise.
        exercise: of one of `KINDS`, or a `Part`.
        language: "ko" or "en".

    Returns:
        A `Mark`.
    """
    if "late" in note:
        return Mark(False, LATE[language].format(note["late"]))
    if "error" in note:
        return Mark(False, printable(f"{RAISED[language]}: {note['error']}"))
    try:
        if isinstance(exercise, Part):
            return mark_of_part(note, exercise, language)
        answer = read_answer(note, exercise)
        diagnosis = diagnose(answer, exercise)
    except Exception:  # it comes from a student's kernel, and may be made to break what reads it
        return Mark(False, UNREADABLE[language])
    if diagnosis.passed and isinstance(exercise, Exploration):
        return Mark(True, printable(f"{WRITTEN[language]}: {answer}"))
    if diagnosis.passed:
        return Mark(True, PASSED[language])
    if diagnosis.passed is None and (isinstance(exercise, Exercise | Exploration) or answer is ...):
        return Mark(None, NOT_TRIED[language])
    return Mark(False, printable(getattr(diagnosis, language)))  # a guess in a wrong form, too


def mark_of_part(note, part, language):
    """Judge a part of mine/.

    Args:
        note: of `helpers.grading.parts.tried`, which may come from anyone.
        part: a `Part`.
        language: "ko" or "en".

    Returns:
        A `Mark`.

    Raises:
        ValueError: as `is_right`; or another error.
    """
    if note["passed"] is None:
        return Mark(None, NOT_TRIED[language])
    if note["passed"] is not True:
        ko, en = note["said"]
        return Mark(False, printable({"ko": ko, "en": en}[language]))
    if is_right(note["results"], part):
        return Mark(True, PASSED[language])
    return Mark(False, OTHER_VALUES[language])


def read_answer(note, exercise):
    """Read what came of an answer.

    Args:
        note: as for `mark_of`, which may come from anyone.
        exercise: of one of `KINDS`.

    Returns:
        What `diagnose` takes.

    Raises:
        ValueError: `helpers.grading.inside` notes no such thing; or another error.
    """
    if not isinstance(exercise, Exercise):
        return from_text(note["value"])
    results = [from_text(result) for result in note["results"]]
    if len(results) != len(exercise.cases):
        raise ValueError(f"results: {len(results)} of {len(exercise.cases)} cases; send all")
    return Attempt(results=results, **{key: from_text(value) for key, value in note["attempt"].items()})


def printable(text):
    """A text of one line without what could change a terminal, not too long.

    Args:
        text: a string.

    Returns:
        A string.
    """
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
