"""What runs in a student's kernel beside the student's code, and may be changed by it.

So nothing here knows an expected result: it calls functions with the arguments of the exercises, and what
they return is judged elsewhere.
"""

import json
import sys
from types import SimpleNamespace

from helpers import exercises, lesson
from helpers.exercises import progress
from helpers.exercises.checking import try_out
from helpers.exercises.comparing import plain
from helpers.exercises.kinds import Exercise
from helpers.grading.values import to_text

ANSWER = "application/vnd.course.answer+json"  # the kind of output that an answer is
_cases = {}


def start(chapter):
    """Before any code of the student: keep the arguments, and leave the student names without a solution.

    Args:
        chapter: "05".
    """
    from IPython import get_ipython

    name, known = f"chapter_{chapter}", progress.exercises_of(chapter)
    _cases.update({key: value.cases for key, value in known.items() if isinstance(value, Exercise)})
    empty = SimpleNamespace(**{key: SimpleNamespace(hints=value.hints) for key, value in known.items()})
    sys.modules[progress.PREFIX + chapter] = empty
    setattr(exercises, name, empty)
    lesson.check = lambda answer, exercise: None
    if shell := get_ipython():
        shell.ask_exit = lambda: None  # exit() ends no kernel, and costs no later answer


def send(exercise, answer):
    """Send what an answer is: of a function what it does in every case, of another answer its value.

    Args:
        exercise: its name.
        answer: as for `check`.
    """
    from IPython.display import display

    if exercise in _cases:
        tried = try_out(answer, _cases[exercise])
        content = {
            "results": [to_text(result) for result in tried.results],
            "printed": tried.printed,
            "name": str(tried.name),
            "names": sorted(map(str, tried.names)),
        }
    else:
        content = {"value": to_text(plain(answer))}
    display({ANSWER: json.dumps(content)}, raw=True)
