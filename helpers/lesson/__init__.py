"""What a lesson needs around its code: how a chapter starts, and exercises that say what is wrong."""

from pathlib import Path

import torch

from helpers.engine.languages import language, say
from helpers.exercises import progress
from helpers.exercises.checking import diagnose
from helpers.figures import plots


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
    """Judge an answer, say what came out, and count what is solved.

    Args:
        answer: the function that the reader wrote; a guess, for a `Prediction`; a text, for an `Exploration`.
        exercise: what it answers, from `helpers.exercises`.
    """
    result = diagnose(answer, exercise)
    mark = {True: "✓", False: "✗", None: "…"}[result.passed]
    say(f"{mark} {result.ko}", f"{mark} {result.en}")
    if result.example:
        print(result.example.removeprefix("\n"))
    if result.solved and (place := progress.find(exercise)):
        progress.mark_solved(*place, build_folder())
        solved, all_of_them = progress.count(place[0], progress.read(build_folder()))
        say(
            f"{int(place[0])}장 연습 {all_of_them}개 가운데 {solved}개를 풀었습니다.",
            f"Chapter {place[0]}: {solved} of {all_of_them} exercises solved.",
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
    number = min(_hints_given.get(id(exercise), 0) + 1, len(hints))
    _hints_given[id(exercise)] = number
    ko, en = hints[number - 1]
    say(f"힌트 {number}/{len(hints)}: {ko}", f"Hint {number} of {len(hints)}: {en}")


def show_progress():
    """Print how many exercises of every chapter are solved."""
    counts = progress.counts(build_folder())
    for chapter, (solved, total) in counts.items():
        print(f"{chapter}  {'■' * solved + '□' * (total - solved):10}  {solved} / {total}")
    solved, total = map(sum, zip(*counts.values(), strict=True))
    print(f"    {'':10}  {solved} / {total}")
