"""What the page asks of an exercise in code: what the function should return where one can tell by hand."""

import ast
import inspect
import math
import re
import textwrap
import warnings

import torch

from helpers.exercises.checking import SAID, result_of
from helpers.exercises.comparing import Failure, named, plain
from helpers.exercises.kinds import Mistake
from helpers.exercises.mutants import mutants

AS_IT_IS = ("그것은 주어진 코드가 지금 돌려주는 값입니다.", "That is what the code returns as is.")
THEN = {  # what to do next: where there is code to mend, and where there is none
    True: ("이제 코드가 이것을 돌려주게 고치세요.", "Now fix the code so that it returns this."),
    False: ("이제 이것을 돌려주는 코드를 쓰세요.", "Now write the code that returns this."),
}


def call_of(name, exercise):
    """The arguments and the call as code, one argument a line: query = [[1.0]]; a function as its source."""
    arguments = named(exercise.spec, exercise.by_hand)
    lines = [as_code(parameter, value) for parameter, value in arguments.items()]
    return "\n".join([*lines, f"{name}({', '.join(arguments)})"])


def as_code(parameter, value):
    """An argument as code that gives it its name."""
    if callable(value):
        [function] = ast.parse(textwrap.dedent(inspect.getsource(value))).body
        function.name = parameter
        function.body = function.body[ast.get_docstring(function) is not None :]
        return ast.unparse(function)
    return f"{parameter} = {written(value)}"


def written(value):
    """A value as it is written in Python; a tensor as a list."""
    value = plain(value) if isinstance(value, torch.Tensor) else value
    if isinstance(value, set):
        return "{" + ", ".join(map(written, sorted(value))) + "}"
    if isinstance(value, list | tuple):
        return ("[{}]" if isinstance(value, list) else "({})").format(", ".join(map(written, value)))
    if isinstance(value, float):
        return f"{value + 0.0:.4f}".rstrip("0").rstrip(".")
    return repr(value)


def asked(exercise):
    """What site.js needs to judge what a reader enters.

    Args:
        exercise: `Exercise`.

    Returns:
        A dictionary: the result and how it is divided into lists; what its mistakes return, and what to say.
    """
    wanted = result(exercise, exercise.spec)

    def entered(function):  # as a reader enters what it returns
        got = result(exercise, function)
        return flat(got), groups(got)

    right = entered(exercise.spec)
    ragged = is_ragged(wanted)
    near = {} if all(map(is_exact, right[0])) else {"near": 0.01, "least": 0.0051}  # 0.14 is 0.1429
    known, slips = [right], []
    start = [Mistake(exercise.start, *AS_IT_IS)] if exercise.start else []
    for mistakes in (start, exercise.mistakes, mutants(exercise.spec, exercise.by_hand)):
        found = [(entered(mistake.answer), (mistake.ko, mistake.en)) for mistake in mistakes]
        known += [got for got, _ in found]
        for got, said in found:  # of several that return the same nobody knows which it was
            like = [
                one for one in known if is_like(got[0], one[0], **near) and (got[1] == one[1] or not ragged)
            ]
            if got[0] and len(like) == 1:
                slips.append({"parts": got[0], "groups": got[1], "said": said})
    return {
        "answer": right[0],
        "groups": right[1],
        "isRagged": ragged,
        **near,
        "slips": slips,
        "choices": [],
        "right": ("맞았습니다.", "You got it."),
        "wrong": SAID[False],
        "why": THEN[bool(exercise.start)],
        "shown": written(wanted),
    }


def is_like(parts, others, near=0.0, least=0.0):
    """Whether parts that are entered can be taken for others."""

    def is_near(a, b):
        is_text = isinstance(a, str) or isinstance(b, str)
        return a == b if is_text else math.isclose(a, b, rel_tol=2 * near, abs_tol=2 * least)

    return len(parts) == len(others) and all(map(is_near, parts, others))


def result(exercise, function):
    """What a function returns by hand, as plain values; nothing where it raises an error."""
    with warnings.catch_warnings(action="ignore"):  # of functions that nobody has written
        got = result_of(exercise, function, exercise.by_hand)
    return [] if isinstance(got, Failure) else rounded(plain(got))


def rounded(value):
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return round(value, 4) + 0.0 if isinstance(value, float) else value


def flat(value):
    """The parts of a result in one list: True is 1; NaN and inf are texts, since JSON has none."""
    if isinstance(value, list):
        return [part for one in value for part in flat(one)]
    if isinstance(value, str):
        return [value]
    if isinstance(value, float) and not math.isfinite(value):
        return [str(value)]
    return [int(value) if isinstance(value, bool) else value]


def groups(value):
    """How a result is divided into lists, as site.js reads it: [[1, 2], [0]] is [[..][.]]."""
    return f"[{''.join(map(groups, value))}]" if isinstance(value, list) else "."


def is_exact(part):
    return not isinstance(part, float) or part.is_integer()


def is_ragged(value):
    """Whether lists in a list have different lengths, so that the values alone do not tell it."""
    return isinstance(value, list) and len({len(one) for one in value if isinstance(one, list)}) > 1


def words_of(asked):
    """What to tap where the result has Korean words, which not every keyboard writes; asked: of `asked`."""
    if not re.search("[가-힣]", str(asked["answer"])):
        return []
    slips = (part for slip in asked["slips"] for part in slip["parts"])
    return sorted({part.strip() for part in [*asked["answer"], *slips]})


def form_of(exercise):
    """What is to be entered, in both languages."""
    got = result_of(exercise, exercise.spec, exercise.by_hand)
    number = len(flat(plain(got)))
    if number == 1:
        return "", ""
    if is_ragged(plain(got)):
        return "리스트마다 괄호를 쓰세요", "with the brackets of each list"
    tensors = [
        one for one in (got if isinstance(got, tuple | list) else [got]) if isinstance(one, torch.Tensor)
    ]
    shapes = ", ".join(str(tuple(tensor.shape)) for tensor in tensors)
    if shapes and all(tensor.dtype == torch.bool for tensor in tensors):
        return (
            f"True나 False(1이나 0) {number}개, shape {shapes}",
            f"{number} True or False (1 or 0), shape {shapes}",
        )
    if not shapes:
        if isinstance(got, tuple) and all(isinstance(part, list) for part in got):
            return f"리스트 {len(got)}개, {len(got[0])}개씩", f"{len(got)} lists of {len(got[0])}"
        return "쉼표로 나누어 적으세요", "separated by commas"
    return f"숫자 {number}개, shape {shapes}", f"{number} numbers, shape {shapes}"
