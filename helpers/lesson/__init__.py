"""What a lesson needs around its code: how a chapter starts, and exercises that say what is wrong."""

from pathlib import Path

import torch

from helpers.engine.languages import language, say
from helpers.exercises import progress
from helpers.exercises.checking import SYMBOLS, diagnose
from helpers.exercises.hinting import say_next
from helpers.figures import plots
from helpers.lesson.tables import table as table


def start_chapter(choice, seed):
    """Set what every chapter begins with: the seed, the style of the figures, and the language of the prose.

    Args:
        choice: "ko", "en" or "both", as in `language`.
        seed: int for `torch.manual_seed`.

    Raises:
        ValueError: as `language`.
    """
    torch.manual_seed(seed)
    plots.use_style()
    language(choice)


def build_folder():
    """Where chapters keep what they train: build/ of the project, or of the current folder without it.

    Returns:
        Path; the folder need not exist yet.
    """
    project = Path(__file__).resolve().parents[2]
    return (project if (project / "notebooks").is_dir() else Path.cwd()) / "build"


def check(answer, exercise):
    """Judge an answer, say what came out, and keep what is tried and solved.

    Args:
        answer: the function that the reader wrote; a guess, for a `Prediction`; a text, for an `Exploration`.
        exercise: what it answers, from `helpers.exercises`.
    """
    result = diagnose(answer, exercise)
    mark = SYMBOLS[result.passed]
    say(f"{mark} {result.ko}", f"{mark} {result.en}")
    if result.example:
        print(result.example.removeprefix("\n"))
    place = progress.find(exercise)
    if place is None:
        return
    chapter, name = place
    if result.case is not None:
        print(f"    again:    {name}(*exercises.{name}.cases[{result.case}])")
    if result.passed is not None:
        progress.mark(chapter, name, result.passed, build_folder())
    if result.passed:
        solved, _, total = progress.count(chapter, progress.read(build_folder()))
        say(
            f"{int(chapter)}장 연습 {total}개 가운데 {solved}개를 풀었습니다.",
            f"Chapter {chapter}: {solved} of {total} exercises solved.",
        )


_hints_given = {}


def hint(exercise):
    """Print the next hint of an exercise; each call goes one further.

    Args:
        exercise: as in `check`.
    """
    hints = exercise.hints
    if not hints:
        return say("이 연습에는 힌트가 없습니다.", "This exercise has no hints.")
    _hints_given[id(exercise)] = say_next(hints, _hints_given.get(id(exercise), 0))


def show_progress():
    """Print how many exercises of every chapter are solved (■), and tried (▨)."""
    counts = progress.counts(build_folder())
    for chapter, (solved, tried, total) in counts.items():
        squares = "■" * solved + "▨" * tried + "□" * (total - solved - tried)
        print(f"{chapter}  {squares:10}  {solved} / {total}")
    solved, _, total = map(sum, zip(*counts.values(), strict=True))
    print(f"    {'':10}  {solved} / {total}")
