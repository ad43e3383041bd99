"""Judging a part that the reader wrote: does it run, does it compute what ours does, and if not, why."""

import contextlib
import functools
import inspect
import io
import time
import traceback
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from helpers.exercises.comparing import (
    SECONDS,
    VALUES_DIFFER,
    Failure,
    difference,
    named,
    run,
    show_both,
    show_call,
)
from helpers.mine.allowed import Watch
from helpers.mine.faults import FAULTS
from helpers.mine.matching import AdapterError, Matching, alike
from helpers.mine.rungs import PARTS, section_of
from helpers.mine.trials import trials
from helpers.mine.unnamed import explained
from helpers.mine.unseen import copies, dropout, left_behind
from helpers.mine.yours import find, folder, needed

SPARE = {torch.float64: 1e-6, torch.bfloat16: 0.2}  # how far a result in another precision may be off


@dataclass
class Outcome:
    """What came out for a part.

    Args:
        part: its name.
        passed: True, False, or None where it is not written yet.
        ko, en: why, in both languages.
        example: the smallest case that fails, as text.
        case: that case, to be kept: its inputs, what came and what was expected.
    """

    part: str
    passed: bool | None
    ko: str
    en: str
    example: str = ""
    case: dict | None = None


def check_part(name):
    """Judge one part, up to the first thing that is wrong; if it is a part in it that is wrong, that one.

    Args:
        name: of a part.

    Returns:
        An `Outcome`, whatever the reader's files do.
    """
    outcome = check_alone(name)
    for lower in needed(name) if outcome.passed is False else ():
        if (first := check_alone(lower)).passed is False:
            ko, en = f"{name}보다 먼저 고치세요. {first.ko}", f"Mend this before {name}. {first.en}"
            return replace(first, ko=ko, en=en)
    return outcome


def check_alone(name):
    """As `check_part`, without a look at what the part is made of."""
    outcome = compared(name)
    if not (outcome.passed or outcome.case):
        return outcome
    with contextlib.redirect_stdout(io.StringIO()):
        return further(outcome, find(name))


def compared(name):
    """As `check_alone`, without a look at what equal values do not show."""
    try:
        own = find(name)
    except Exception as error:
        line = own_line(error)
        shown = f"{type(error).__name__}: {error}"
        ko = f"파일을 읽다가 오류가 났습니다. {shown}"
        return Outcome(name, False, ko, f"The file cannot be read. {shown}", line and f"\n    {line}")
    if own is None:
        where = section_of(name)
        ko, en = f"아직 쓰지 않았습니다({where}).", f"Not written yet ({where})."
        return Outcome(name, None, ko, en)
    with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # which would name a line of ours
        outcome = judged(name, own)
    print(printed.getvalue(), end="")
    return outcome


def judged(name, own):
    """Judge what was found: on all trials, then in other precisions, then by its gradients."""
    part = PARTS[name]
    end, got, wanted, cases = time.monotonic() + SECONDS, [], [], trials(name)
    for trial in cases:
        try:
            mine, ours = built(part, own, trial)
        except AdapterError as error:
            return Outcome(name, False, error.ko, str(error))
        except Exception as error:
            shown, line = f"{type(error).__name__}: {error}", own_line(error)
            sizes = show_call(name, trial.sizes or ())
            ko, en = f"{sizes}로 만들 수 없습니다.", f"{sizes} cannot be made."
            if "tensors" in own_functions(error):
                ko, en = "어댑터가 내 텐서를 찾지 못합니다.", "The adapter does not find your tensors."
            return Outcome(name, False, f"{ko} {shown}", f"{en} {shown}", f"\n    {line}")
        watch = Watch(part)
        with watch if not (trial.use and got) else contextlib.nullcontext():  # which makes training slow
            result = run(mine, trial.inputs, max(end - time.monotonic(), 0.1))
        if type(result) is Failure and mine.line:
            result.line = mine.line
        if watch.used:
            ko = f"{watch.used} 없이 직접 쓰세요."
            return Outcome(name, False, ko, f"Write it yourself, without {watch.used}.")
        got.append(result)
        wanted.append(run(ours, trial.inputs))
        if type(result) is Failure and result.error == "TooLong":
            break
    wrong = [i for i in range(len(got)) if difference(got[i], wanted[i])]
    if wrong:
        absent = absent_in(name, own, cases[0])
        outcome = failed(name, cases, got, wanted, wrong, absent)
        i = wrong[0]
        if (outcome.ko, outcome.en) == VALUES_DIFFER[:2] and changes(part, own, cases[i], got[i]):
            return replace(outcome, ko=CHANGES[0], en=CHANGES[1])
        return outcome
    if any(trial.use for trial in cases):
        return passed(name, len(cases))
    return other_precisions(name, own, cases[-1]) or gradients(name, own, cases) or passed(name, len(cases))


CHANGES = (
    "같은 입력에도 부를 때마다 결과가 달라집니다. 무작위로 뽑거나, 평가에서도 드롭아웃을 하지 않는지 보세요.",
    "The result changes from call to call: is something drawn at random, or is there dropout in evaluation?",
)


def changes(part, own, trial, result):
    """Whether the reader's part makes something else of a trial when it is called again."""
    again = run(built(part, own, trial)[0], trial.inputs, SECONDS)
    return type(again) is not Failure and bool(difference(again, result))


def passed(name, number):
    """The verdict on a part that is right."""
    return Outcome(
        name,
        True,
        f"{number}가지 경우에서 강의의 것과 같습니다.",
        f"Equal to the course's in {number} cases.",
    )


def built(part, own, trial):
    """The reader's part and ours for a trial, with the same weights, as functions of its inputs.

    Raises:
        AdapterError: as `Matching`; or what the reader's part raises when it is made.
    """
    if trial.use:
        mine = own.make if part.is_class else own
        methods = filter(inspect.isfunction, vars(mine).values())
        use = AsWritten(lambda *inputs: trial.use(mine, *inputs), next(methods, mine))
        return use, (lambda *inputs: trial.use(part.ours, *inputs))
    if not part.is_class:
        return AsWritten(own, own), part.ours
    ours = trial.weights(part.ours(*trial.sizes))
    if (module := own.make(*trial.sizes)) is None:
        raise AdapterError(
            "make가 아무것도 돌려주지 않습니다. return이 빠졌는지 보세요.",
            "make returns nothing: is a return missing?",
        )
    alike(module, ours, own.tensors)
    module.eval()
    mine = AsWritten(lambda *inputs: first(own.call(module, *inputs)), type(module).forward)
    return mine, (lambda *inputs: first(ours(*inputs)))


class AsWritten:
    """A call of the reader's code, whose errors are told by the line of that code.

    Args:
        call: a function of the inputs.
        written: a function of the reader that is called in it.
    """

    def __init__(self, call, written):
        self.call, self.__code__ = call, getattr(inspect.unwrap(written), "__code__", None)
        self.line = ""  # of any file of the reader, where the last error was raised

    def __call__(self, *inputs):
        try:
            return self.call(*inputs)
        except BaseException as error:  # what stops it, too
            self.line = own_line(error)
            raise


def first(result):
    """The output, of a module that may return the weights of attention, too."""
    return result[0] if isinstance(result, tuple) else result


def failed(name, cases, got, wanted, wrong, absent):
    """The verdict on a part that is wrong: the first case, and the fault that it behaves like."""
    told = [i for i in wrong if type(got[i]) is not Failure]  # an error has many causes
    fault = like(name, cases, got, wrong, absent) if told else None
    i = told[0] if fault else wrong[0]
    found = difference(got[i], wanted[i])
    ko, en = fault or (found.ko, found.en)
    mine, ours = show_both(got[i], wanted[i], found.place)
    sizes = f"{show_call(name, cases[i].sizes)}(…): " if cases[i].sizes else ""
    example = f"\n    {sizes}{show_call(name, cases[i].inputs)}\n    expected: {ours}\n    got:      {mine}"
    if type(got[i]) is Failure and got[i].line:
        example += f"\n    {got[i].line}"
    case = {"inputs": cases[i].inputs, "expected": wanted[i]}
    if type(got[i]) is not Failure:
        case["got"] = got[i]
    if PARTS[name].is_module:
        case["weights"] = cases[i].weights(PARTS[name].ours(*cases[i].sizes)).state_dict()
    return Outcome(name, False, ko, en, example, case)


def absent_in(name, own, trial):
    """The names of our parameters that the reader's part does not have."""
    if not PARTS[name].is_module:
        return []
    return list(Matching(own.make(*trial.sizes), PARTS[name].ours(*trial.sizes), own.tensors).absent)


PLACES = (False, "post-LN에서: ", "With post-LN: "), (True, "pre-LN에서: ", "With pre-LN: ")


def like(name, cases, got, wrong, absent):
    """What a part is told that behaves like a typical fault; of layers also in one place of the norm alone.

    Args:
        name: of the part.
        cases: its trials.
        got: the results of the reader's part.
        wrong: the numbers of the trials in which they differ from ours.
        absent: names of what the reader's part does not have.

    Returns:
        (Korean, English), or None.
    """
    if said := fault_in(name, list(zip(cases, got, strict=False)), absent):
        return said
    halves = []
    for first, *prefixes in PLACES:
        here = [i for i in range(len(got)) if cases[i].norm_first is first]
        if not set(here).isdisjoint(wrong):
            said = fault_in(name, [(cases[i], got[i]) for i in here], absent)
            halves += [[prefix + text for prefix, text in zip(prefixes, said, strict=True)]] if said else []
    return tuple(map(" ".join, zip(*halves, strict=True))) or None


def fault_in(name, tried, absent):
    """The fault that a part behaves like in every trial.

    Where the part raises an error, so must the fault, unless enough other trials are there to compare: two
    of a module, three of a function. An error has many causes.

    Args:
        name, absent: as for `like`.
        tried: pairs of a trial and what the reader's part made of it.

    Returns:
        (Korean, English), or None.
    """
    ran = sum(type(result) is not Failure for _, result in tried)
    enough = ran >= (2 if PARTS[name].is_module else 3)
    for fault in FAULTS.get(name, ()) if ran else ():
        for trial, result in tried:
            raises = type(result) is Failure
            if raises and enough:
                continue
            wrong = run(variant(fault, name, trial, absent), trial.inputs)
            if raises != (type(wrong) is Failure) or (not raises and difference(result, wrong)):
                break
        else:
            return f"{fault.ko} {fault.section}절을 보세요.", f"{fault.en} See {fault.section}."
    return None


def variant(fault, name, trial, absent):
    """A wrong part with the weights of a trial, as a function of its inputs."""
    if trial.use:
        return lambda *inputs: trial.use(fault.wrong, *inputs)
    if trial.sizes is None:
        return fault.wrong
    right = trial.weights(PARTS[name].ours(*trial.sizes))
    wrong = fault.wrong(*trial.sizes).eval()
    state = right.state_dict()
    zeros = {key: torch.zeros_like(state[key]) for key in absent if key in state}
    wrong.load_state_dict(state | zeros, strict=False)
    return lambda *inputs: first(wrong(*inputs))


def other_precisions(name, own, trial):
    """A verdict if a part cannot move to another device, or compute in float64 or bfloat16; else None."""
    part = PARTS[name]
    if trial.sizes and (said := left_behind(own.make, trial.sizes)):
        return Outcome(name, False, *said)
    for dtype, most in SPARE.items():
        inputs = tuple(x.to(dtype) if is_float(x) else x for x in trial.inputs)
        mine, ours = built(part, own, trial)
        if part.is_class:
            module, right = own.make(*trial.sizes), trial.weights(part.ours(*trial.sizes))
            alike(module, right, own.tensors)
            module.to(dtype).eval()
            mine = lambda *inputs, module=module: first(own.call(module, *inputs))  # noqa: E731
        elif not any(map(is_float, inputs)):
            return None
        result, wanted = run(mine, inputs), run(ours, trial.inputs)
        results = result if isinstance(result, tuple) else (result,)
        wanteds = wanted if isinstance(wanted, tuple) else (wanted,)
        kind = str(dtype).removeprefix("torch.")
        if type(result) is Failure:
            return Outcome(
                name,
                False,
                f"{kind}에서 {result.ko}",
                f"In {kind}: {result.en}",
                f"\n    {result.shown}\n    {result.line}",
            )
        for value, right in zip(results, wanteds, strict=True):
            if value.dtype != dtype:
                ko = f"{kind}를 넣으면 {value.dtype}이 나옵니다. 새 텐서는 입력의 dtype으로 만드세요."
                en = f"Given {kind} it returns {value.dtype}; make new tensors of the input's dtype."
                return Outcome(name, False, ko, en)
            if (value.double() - right.double()).abs().max() > most * max(1, right.abs().max()):
                ko, en = f"{kind}에서 결과가 다릅니다.", f"In {kind} the result differs."
                return Outcome(name, False, ko, en)
    return None


def is_float(value):
    """Whether a value is a tensor of floating-point numbers."""
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def gradients(name, own, cases):
    """A verdict if a part that computes the right numbers gives other gradients; None if they are equal."""
    part, trial = PARTS[name], cases[-1]
    mine, ours, matching = own, part.ours, None
    if part.is_class:
        ours, module = trial.weights(part.ours(*trial.sizes)), own.make(*trial.sizes)
        matching = alike(module, ours, own.tensors)
        mine = functools.partial(own.call, module.eval())
    if not (any(map(is_float, trial.inputs)) or (matching and matching.index)):
        return None
    found = [gradients_of_inputs(call, trial.inputs) for call in (mine, ours)]
    if None in found:
        return Outcome(name, False, *DETACHED)
    pairs = []
    if matching:
        weights = matching.read(gradients=True)
        pairs = [(key, weights[key], one.grad) for key, one in ours.named_parameters() if key in weights]
        ours = ours.forward
    names = [key for key, x in named(ours, trial.inputs).items() if is_float(x)]
    for key, one, other in (*pairs, *zip(names, *found, strict=True)):
        if (one is None) != (other is None) or (
            one is not None and not torch.allclose(one, other, rtol=1e-3, atol=1e-4)
        ):
            return other_gradient(name, key)
    return None


def gradients_of_inputs(call, inputs):
    """Let gradients flow back from a weighted sum of an output, also into parameters.

    Args:
        call: function of the inputs.
        inputs: tuple.

    Returns:
        The gradient of each floating-point input, or None for one that has no part in the output; None
        instead of the list where no gradient flows at all.
    """
    inputs = [x.clone().requires_grad_() if is_float(x) else x for x in inputs]
    output = first(call(*inputs))
    if not output.requires_grad:
        return None
    (output * torch.linspace(-1, 1, output.numel()).view_as(output)).sum().backward()
    return [x.grad for x in inputs if is_float(x)]


DETACHED = (
    "출력이 그래프에서 떨어졌습니다(detach). 그래디언트가 흐르지 않습니다.",
    "The output is detached from the graph: no gradient flows back.",
)


def other_gradient(name, key):
    """The verdict on a part whose output is right, and the gradient of one tensor is not."""
    return Outcome(
        name,
        False,
        f"출력은 같지만 {key}의 그래디언트가 다릅니다. detach나 .data, no_grad가 있는지 보세요.",
        f"The output is right, but the gradient of {key} is not: is there a detach, .data or no_grad?",
    )


def own_line(error):
    """The last line of the reader's files that an error passed through, or ""."""
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or '').name}, line {error.lineno}: {(error.text or '').strip()}"
    frames = own_frames(error)
    if not frames:
        return ""
    return f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}: {frames[-1].line}"


def own_frames(error):
    """Where an error passed through the reader's files: frames of its traceback, the innermost last."""
    place = str(folder())
    return [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(place)]


def own_functions(error):
    """The names of the reader's functions that an error passed through."""
    return {frame.name for frame in own_frames(error)}


def further(outcome, own):
    """What else there is to say of a module: why its values differ, or what equal values do not show.

    Args:
        outcome: the verdict on its values.
        own: as from `find`.

    Returns:
        An `Outcome`.
    """
    part, cases = PARTS[outcome.part], trials(outcome.part)
    if not cases[-1].sizes:
        return outcome
    calls = (
        lambda module, *inputs: first(own.call(module, *inputs)),
        lambda module, *inputs: first(module(*inputs)),
    )
    if outcome.case:
        ko, en = explained((outcome.ko, outcome.en), part, own, calls, cases)
        return replace(outcome, ko=ko, en=en)
    if outcome.passed:
        remarks = []
        for trial in {trial.norm_first: trial for trial in cases}.values():  # post-LN, and pre-LN
            right, said = dropout(part, own, calls, trial)
            if not right:
                return Outcome(part.name, False, *said)
            remarks += [said] * (said not in remarks)
        for ko, en in (*remarks, copies(own.make, cases[-1].sizes)):
            outcome = replace(outcome, ko=f"{outcome.ko} {ko}".rstrip(), en=f"{outcome.en} {en}".rstrip())
    return outcome
