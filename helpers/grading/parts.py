"""The parts of a folder mine/: tried in the sandbox, judged outside by the values that they return.

In the sandbox a part is checked as by `mine check`; where it is right, what it returns in every trial goes
out as text and is compared with what ours returns. So whatever a student's code makes of the check in there,
it must return the right values. No value shows whose code computed them: the sandbox has the course's own
parts, since they stand in for those that are not written. Only the check in there sees whether a part is made
of these, how it computes in other precisions, its gradients and its dropout; who changes it can hide that.
"""

from helpers.exercises.comparing import difference, run
from helpers.grading.values import from_text, to_text
from helpers.mine.checking import absent_in, built, check_part, first
from helpers.mine.matching import stand_in
from helpers.mine.rungs import PARTS
from helpers.mine.trials import trials
from helpers.mine.yours import find


def tried(name):
    """What becomes of a part; in the sandbox.

    Args:
        name: of the part.

    Returns:
        Dictionary of passed and said, as of `Outcome`; of a part that is right also results: for each trial
        the value as text, and the names of those weights of ours that the part does without.
    """
    outcome = check_part(name)
    note = {"passed": outcome.passed, "said": [outcome.ko, outcome.en]}
    if not outcome.passed:
        return note
    own, results = find(name), []
    for trial in trials(name):
        value = run(built(PARTS[name], own, trial)[0], trial.inputs)
        results.append([to_text(value), absent_in(name, own, trial)])
    return note | {"results": results}


def is_right(results, part):
    """Whether a part returned what ours returns.

    Args:
        results: as `tried` notes them; they may come from anyone.
        part: a `Part`.

    Returns:
        A boolean.

    Raises:
        ValueError: `tried` notes no such thing; or another error.
    """
    pairs = zip(results, trials(part.name), strict=True)
    return not any(
        difference(from_text(text), expected(part, trial, absent)) for (text, absent), trial in pairs
    )


def expected(part, trial, absent):
    """What ours returns in a trial.

    Args:
        part: a `Part`.
        trial: a `Trial`.
        absent: names of weights that it is to do without: biases, or the factor of a norm.

    Returns:
        A value.

    Raises:
        ValueError: a weight is a matrix: without it, zeros would be right.
    """
    if trial.use:
        return run(lambda *inputs: trial.use(part.ours, *inputs), trial.inputs)
    if not part.is_class:
        return run(part.ours, trial.inputs)
    ours = trial.weights(part.ours(*trial.sizes))
    for name in absent:
        parameter = ours.get_parameter(name)
        if parameter.dim() != 1:
            raise ValueError(f"absent: {name} is a matrix; only biases and norms may be left out")
        parameter.data = stand_in(name, parameter)
    return run(lambda *inputs: first(ours(*inputs)), trial.inputs)
