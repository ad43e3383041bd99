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


SECONDS = 6  # that a row measures, or a little longer


class Measured(NamedTuple):
    """A row as it is printed: each side with its unit, their ratio, and how many results are equal.

    The ratio is the median of those of neighboring runs, low and high are their quartiles.
    """

    ours: str
    other: str
    low: float
    ratio: float
    high: float
    equal: str = ""

    def fails(self, wanted):
        """Whether even the better quartile is beyond what is wanted, ">= 2" or "<= 2"; "" wants nothing."""
        if not wanted:
            return False
        sign, bound = wanted.split()
        return self.high < float(bound) if sign == ">=" else self.low > float(bound)


class Times(NamedTuple):
    """How long two functions take; the ratio is other / ours.

    Args:
        what: what both do, and what differs between them.
        ours, other: functions that do it, and return a list of results or nothing.
        wanted: ratio.
        tokens: that each handles; given, tokens a second are printed instead of times.
        clock: the time of the processor, which other processes do not take; on two threads that of the wall.
    """

    what: str
    ours: Callable
    other: Callable
    wanted: str = ""
    tokens: int | None = None
    clock: Callable = time.process_time

    def measure(self, seconds=SECONDS):
        times, results = side_by_side(self.ours, self.other, seconds, self.clock)
        ours, other = (statistics.median(column) for column in zip(*times, strict=True))
        equal = ""
        if all(results):
            equal = f"{sum(a == b for a, b in zip(*results, strict=True))}/{len(results[0])}"
        ratios = quartiles(theirs / own for own, theirs in times)
        return Measured(self._text(ours), self._text(other), *ratios, equal)

    def _text(self, seconds):
        return f"{self.tokens / seconds:.0f} tok/s" if self.tokens else f"{seconds * 1000:.1f} ms"


class Memory(NamedTuple):
    """The peaks of memory that two functions take, each in processes of its own; the ratio is ours / other.

    Args:
        what: what both do, and what differs between them.
        make: makes such a function from arguments; at the top of a module.
        ours, other: the arguments.
        wanted: ratio.
    """

    what: str
    make: Callable
    ours: tuple
    other: tuple
    wanted: str = ""

    def measure(self, seconds=SECONDS):
        """Three processes on each side, however long they take."""
        peaks = [
            [peak_memory(self.make, *arguments) for arguments in (self.ours, self.other)] for _ in range(3)
        ]
        ours, other = (statistics.median(column) for column in zip(*peaks, strict=True))
        return Measured(f"{ours:.1f} MiB", f"{other:.1f} MiB", *quartiles(a / b for a, b in peaks))


def show(title, make_rows, seconds=SECONDS):
    """Measure on one thread and print as a table.

    Args:
        title: what holds for all rows.
        make_rows: function that returns a list of `Times` and `Memory`, or of lines that say why there is
            nothing to measure.
        seconds: that each of the `Times` takes, or a little longer.

    Returns:
        List of what fails: the `what` of its row.
    """
    print(f"\n{title}\n{'ours':>12}{'other':>12}{'ratio':>7}{'quartiles':>14}{'wanted':>9}{'equal':>7}")
    failed = []
    with threads(1):
        for row in make_rows():
            if isinstance(row, str):
                print(row, flush=True)
                continue
            found = row.measure(seconds)
            spread = f"{found.low:.2f}–{found.high:.2f}"
            line = f"{found.ours:>12}{found.other:>12}{found.ratio:7.2f}{spread:>14}{row.wanted:>9}"
            line += f"{found.equal:>7}  "
            fails = found.fails(row.wanted)
            what = f"FAILS: {row.what}" if fails else row.what
            print(
                textwrap.fill(what, 120, initial_indent=line, subsequent_indent=" " * len(line)), flush=True
            )
            failed += [row.what] * fails
    return failed


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


def side_by_side(ours, other, seconds, clock=time.process_time):
    """Run two functions in turns until so many seconds are over.

    The first of four rounds or more warms up and does not count; where the first alone takes all the
    seconds, it does, and one more is enough.

    Args:
        ours, other: what is run.
        seconds: after which no round begins that is not needed.
        clock: that a run is timed by.

    Returns:
        List of pairs of seconds, one for each round that counts; and both results.
    """
    rounds, needed, start = [], 4, time.perf_counter()
    while len(rounds) < needed or time.perf_counter() - start < seconds:
        if len(rounds) % 2:
            first, second = timed(ours, clock), timed(other, clock)
        else:
            second, first = timed(other, clock), timed(ours, clock)
        rounds.append((first[0], second[0]))
        if len(rounds) == 1 and time.perf_counter() - start >= seconds:
            needed = 2
    return rounds[needed == 4 :], (first[1], second[1])


def timed(run, clock):
    """How many seconds a function takes, and its result."""
    start = clock()
    result = run()
    return clock() - start, result


def quartiles(numbers):
    """The lower one, the median, and the upper one."""
    return statistics.quantiles(numbers, n=4, method="inclusive")


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
