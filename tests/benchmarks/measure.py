"""Measuring two things side by side, and the peak of memory."""

import multiprocessing
import statistics
import time
from pathlib import Path

import torch

STATUS = Path("/proc/self/status")


def side_by_side(ours, theirs, rounds):
    """Median seconds of each, and the median of theirs / ours."""
    for run in (ours, theirs):
        run()  # warm up
    times = []
    for number in range(rounds):
        if number % 2:
            times.append((seconds(ours), seconds(theirs)))
        else:
            times.append((seconds(theirs), seconds(ours))[::-1])
    first, second = (statistics.median(column) for column in zip(*times, strict=True))
    return first, second, statistics.median(b / a for a, b in times)


def seconds(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def peak_memory(make, *arguments):
    """MiB that the function made by `make(*arguments)` takes, in a process of its own; None if not told."""
    if not STATUS.exists():
        return None
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_measure_peak, (make, *arguments))


def _measure_peak(make, *arguments):
    torch.set_num_threads(1)
    run = make(*arguments)
    run()  # what PyTorch loads at the first call
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = _peak()
    run()
    return (_peak() - before) / 1024


def _peak():
    return next(int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
