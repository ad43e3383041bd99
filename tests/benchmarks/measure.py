"""Two things side by side, as rows of a table: their times, or the peaks of their memory."""

import ctypes
import multiprocessing
import os
import statistics
import textwrap
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import torch

STATUS = Path("/proc/self/status")
CAN_MEASURE_MEMORY = STATUS.exists() and hasattr(ctypes.CDLL(None), "malloc_trim")  # Linux with glibc
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(os.cpu_count())
BF16 = torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()


class Measured(NamedTuple):
    """A row as it is printed: each side with its unit, their ratio, and how many results are equal."""

    ours: str
    other: str
    ratio: float
    equal: str


class Times(NamedTuple):
    """How long two functions take; the ratio is other / ours.

    Args:
        what: what both do, and what differs between them.
        ours, other: functions that do it, and return a list of results or nothing.
        wanted: ratio.
        rounds: in which the two take turns.
        tokens: that each handles; given, tokens a second are printed instead of times.
    """

    what: str
    ours: Callable
    other: Callable
    wanted: str = ""
    rounds: int = 5
    tokens: int | None = None

    def measure(self, rounds=None):
        results = self.ours(), self.other()  # which warms up, too
        ours, other, ratio = side_by_side(self.ours, self.other, rounds or self.rounds)
        equal = ""
        if all(results):
            equal = f"{sum(a == b for a, b in zip(*results, strict=True))}/{len(results[0])}"
        return Measured(self._text(ours), self._text(other), ratio, equal)

    def _text(self, seconds):
        return f"{self.tokens / seconds:.0f} tok/s" if self.tokens else f"{seconds * 1000:.1f} ms"


class Memory(NamedTuple):
    """The peaks of memory that two functions take, each in processes of its own; the ratio is ours / other.

    Args:
        what: what both do, and what differs between them.
        make: makes such a function from arguments; at the top of a module.
        ours, other: the arguments.
        wanted: ratio.
        rounds: processes on each side.
    """

    what: str
    make: Callable
    ours: tuple
    other: tuple
    wanted: str = ""
    rounds: int = 3

    def measure(self, rounds=None):
        peaks = [
            [peak_memory(self.make, *arguments) for arguments in (self.ours, self.other)]
            for _ in range(rounds or self.rounds)
        ]
        ours, other = (statistics.median(column) for column in zip(*peaks, strict=True))
        return Measured(f"{ours:.1f} MiB", f"{other:.1f} MiB", ours / other, "")


def show(title, make_rows, rounds=None):
    """Measure on one thread and print as a table.

    Args:
        title: what holds for all rows.
        make_rows: function that returns a list of `Times` and `Memory`.
        rounds: for all rows, instead of their own.

    Returns:
        List of `Measured`.
    """
    print(f"\n{title}\n{'ours':>12}{'other':>12}{'ratio':>8}{'wanted':>8}{'equal':>8}")
    found = []
    with threads(1):
        for row in make_rows():
            found.append(row.measure(rounds))
            ours, other, ratio, equal = found[-1]
            line = f"{ours:>12}{other:>12}{ratio:8.2f}{row.wanted:>8}{equal:>8}  "
            print(
                textwrap.fill(row.what, 110, initial_indent=line, subsequent_indent=" " * len(line)),
                flush=True,
            )
    return found


@contextmanager
def threads(count):
    """Compute on this many threads, each with a core of its own where the system allows it."""
    cores, before = pin(CORES[-count:]), torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
        pin(cores)


def pin(cores):
    """Let this thread run on no other cores, where the system allows it; return those that it had."""
    if not hasattr(os, "sched_setaffinity"):
        return cores
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    return before


def side_by_side(ours, other, rounds):
    """Median seconds of each, and the median of other / ours."""
    times = []
    for number in range(rounds):
        if number % 2:
            times.append((seconds(ours), seconds(other)))
        else:
            times.append((seconds(other), seconds(ours))[::-1])
    first, second = (statistics.median(column) for column in zip(*times, strict=True))
    return first, second, statistics.median(b / a for a, b in times)


def seconds(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def peak_memory(make, *arguments):
    """MiB that the function made by `make(*arguments)` takes at most, in a process of its own."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch"])  # loaded once for all these processes
    with context.Pool(1) as pool:
        return pool.apply(_measure_peak, (make, *arguments))


def _measure_peak(make, *arguments):
    torch.set_num_threads(1)
    run = make(*arguments)
    run()  # what PyTorch loads and keeps from the first call on
    ctypes.CDLL(None).malloc_trim(0)  # give back what is free, so that it counts when it is used again
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = _peak()
    for _ in range(4):  # until what is free lies where the next run can use it
        run()
    return (_peak() - before) / 1024


def _peak():
    return next(int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
