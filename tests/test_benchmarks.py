"""The benchmarks run, in small, and their two sides do the same work."""

import os
import re
import statistics

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import attention, decoding, scaling, training
from benchmarks.measure import CAN_MEASURE_MEMORY, Memory, Times, peak_memory, show, side_by_side, threads
from small_commands import SMALL

TINY = {"vocab_size": 50, "d_model": 32, "n_heads": 4, "d_ff": 32, "n_layers": 1}


def test_decoding_writes_equal_translations():
    rows = decoding.rows(**TINY, batch=5, src_len=7, short=6, long=8)
    found = show("decoding", lambda: rows, rounds=1)
    for row, measured in zip(rows, found, strict=True):
        assert "bf16" in row.what or measured.equal == "5/5", row.what
        translations = row.other()
        assert {len(ids) for ids in translations} == {8 if "to 8" in row.what else 6}, row.what
        assert len({tuple(ids) for ids in translations}) >= 3, row.what  # else they are equal by chance


def test_training_does_equal_work():
    sizes = training.Sizes(**TINY, batch=2, length=4, pairs=20, bucket=8)
    rows = training.rows(**sizes._asdict())
    times = [row for row in rows if isinstance(row, Times)]
    assert all(measured.ratio > 0 for measured in show("training", lambda: times, rounds=1))
    for row in rows:
        if isinstance(row, Memory):
            for arguments in (row.ours, row.other):
                row.make(*arguments)()
    weights = [
        sum(weight.numel() for weight in model.parameters())
        for model in (training.our_model(sizes), training.TorchTransformer(sizes))
    ]
    assert weights[0] == weights[1]
    assert operations(times[0].ours) == operations(times[0].other)


def operations(run):
    with FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops()


def test_buckets_hold_what_random_batches_hold():
    pairs = training.sentences(training.Sizes(pairs=300))
    assert 12 < statistics.mean(len(src) for src, _ in pairs) < 14
    found = [
        sorted(
            (src[src > 0].tolist(), tgt[tgt > 0].tolist())
            for batch in batches
            for src, tgt in zip(*batch, strict=True)
        )
        for batches in (training.in_buckets(pairs, 32), training.at_random(pairs, 32))
    ]
    assert found[0] == found[1] == sorted((src.tolist(), tgt.tolist()) for src, tgt in pairs)


def test_attention():
    rows = attention.rows(n_heads=2, d_head=4, lengths=((8, 1),))
    found = show("attention", lambda: rows, rounds=1)
    assert len(found) == 1 + CAN_MEASURE_MEMORY and all(measured.ratio > 0 for measured in found)


@pytest.mark.skipif(not CAN_MEASURE_MEMORY, reason="the peak of memory is told by Linux with glibc only")
def test_growth_with_the_pairs(monkeypatch):
    monkeypatch.setattr(scaling, "WORDS", 500)
    line = scaling.row(300, 12, [*SMALL, "--vocab-size", "2000"])
    number = r" +([1-9][\d,]*)"
    found = re.fullmatch(rf"{number}{number} s{number} µs{number} MiB{number}", line)
    assert found[1] == "300" and 60 < int(found[4]) < 10_000


def test_show_prints_wanted_beside_measured(capsys):
    rows = [
        Times("sleep for a while", lambda: [1, 2], lambda: [1, 3], wanted=">= 2", rounds=1, tokens=5),
    ]
    (measured,) = show("of sleep", lambda: rows)
    title, head, line = capsys.readouterr().out.strip().splitlines()
    assert (title, head.split()) == ("of sleep", ["ours", "other", "ratio", "wanted", "equal"])
    assert line.split("  ")[-1] == "sleep for a while" and measured.equal == "1/2"
    assert f"{measured.ratio:.2f} >= 2" in " ".join(line.split()) and "tok/s" in line


def test_side_by_side_takes_turns():
    order = []
    side_by_side(lambda: order.append("a"), lambda: order.append("b"), rounds=3)
    assert order == ["b", "a", "a", "b", "b", "a"]


def test_threads_and_cores_are_given_back():
    before = torch.get_num_threads(), cores()
    with threads(1):
        assert torch.get_num_threads() == 1 and len(cores() or [0]) == 1
    assert (torch.get_num_threads(), cores()) == before


def cores():
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None


def buffer(mebibytes):
    return lambda: torch.ones(mebibytes, 2**20, dtype=torch.uint8)


@pytest.mark.skipif(not CAN_MEASURE_MEMORY, reason="the peak of memory is told by Linux with glibc only")
def test_peak_memory():
    assert 60 <= peak_memory(buffer, 64) < 80
