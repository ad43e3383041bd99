"""The benchmarks run, in small, and their two sides do the same work."""

import os
import re
import runpy
import statistics
import sys
import time

import pytest
import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import attention, decoding, language, scaling, training
from benchmarks.measure import (
    CAN_MEASURE_MEMORY,
    Measured,
    Times,
    peak_memory,
    quartiles,
    show,
    side_by_side,
    threads,
)
from helpers.masking import causal_mask
from helpers.published.llama import load_llama
from small_commands import SMALL

TINY = {"vocab_size": 50, "d_model": 32, "n_heads": 4, "d_ff": 32, "n_layers": 1}


def test_decoding_writes_equal_translations():
    for row in decoding.rows(**TINY, batch=5, src_len=7, short=6, long=8):
        assert "bf16" in row.what or row.measure(0).equal == "5/5", row.what
        translations = row.other()
        assert {len(ids) for ids in translations} == {8 if "to 8" in row.what else 6}, row.what
        assert len({tuple(ids) for ids in translations}) >= 3, row.what  # else they are equal by chance


def test_training_does_equal_work():
    sizes = training.Sizes(**TINY, batch=2, length=4, pairs=20, bucket=8)
    rows = training.rows(**sizes._asdict())
    for row in rows:
        sides = row.ours, row.other
        if not isinstance(row, Times):
            sides = (row.make(*arguments) for arguments in sides)
        ours, other = map(operations, sides)
        assert ours < other if "buckets" in row.what else ours == other, row.what
    weights = [
        sum(weight.numel() for weight in model.parameters())
        for model in (training.our_model(sizes), training.TorchTransformer(sizes))
    ]
    assert weights[0] == weights[1]


@pytest.mark.parametrize("bf16", [False, True])
def test_both_sides_train_by_the_same_loss(bf16):
    sizes = training.Sizes(**TINY, dropout=0.0, batch=2, length=4)
    batch = training.equal_shapes(sizes)
    src, tgt = batch[0]
    tgt[0, 3:] = 0
    ours, theirs = training.our_model(sizes), training.TorchTransformer(sizes)
    same = training.our_loss(ours, src, tgt), training.their_loss(ours, src, tgt)
    torch.testing.assert_close(*same)
    for model, loss_of in ((ours, training.our_loss), (theirs, training.their_loss)):
        before = loss_of(model, src, tgt)
        training.training(model, loss_of, batch * 5, bf16=bf16)()
        assert loss_of(model, src, tgt) < before - 0.01


def operations(run):
    with FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops()


def test_buckets_hold_what_random_batches_hold():
    pairs = training.sentences(training.Sizes(pairs=300))
    assert 12 < statistics.mean(len(src) for src, _ in pairs) < 14
    ways = training.in_buckets(pairs, 32), training.at_random(pairs, 32)
    sizes = [sum(side.numel() for batch in batches for side in batch) for batches in ways]
    assert sizes[0] < 0.7 * sizes[1]  # padding included
    found = [
        sorted(
            (src[src > 0].tolist(), tgt[tgt > 0].tolist())
            for batch in batches
            for src, tgt in zip(*batch, strict=True)
        )
        for batches in ways
    ]
    assert found[0] == found[1] == sorted((src.tolist(), tgt.tolist()) for src, tgt in pairs)


def test_both_ways_of_attention_give_the_same():
    time, *_ = attention.rows(n_heads=2, d_head=4, lengths=(8,))
    time.ours(), time.other()
    q, k, v = torch.randn(3, 1, 2, 8, 4)
    fused, explicit = (attention.output(way, q, k, v, causal_mask(8)) for way in (True, False))
    torch.testing.assert_close(fused, explicit)


def test_a_prompt_is_read_to_the_same_token():
    row, _ = language.rows(**TINY, prompt_length=12)
    assert row.measure(0).equal == "1/1"


def test_two_llamas_write_the_same(tmp_path):
    config = transformers.LlamaConfig(
        vocab_size=50,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        max_position_embeddings=32,
        initializer_range=0.5,
    )
    torch.manual_seed(0)
    theirs = transformers.LlamaForCausalLM(config).eval()
    theirs.save_pretrained(tmp_path)
    row = language.writing_row("Llama", load_llama(tmp_path), theirs, 8)
    (ids,) = row.ours()
    assert row.measure(0).equal == "1/1" and len(ids) == 8 and len(set(ids)) > 2 and language.EOS not in ids


def test_without_the_wheel_a_line_says_so(capsys):
    assert show("of Llama", lambda: [language.smollm2_row("no-such-wheel", 8)]) == []
    said = capsys.readouterr().out
    assert "SmolLM2 is not measured: No package metadata was found for no-such-wheel" in said


@pytest.mark.skipif(not CAN_MEASURE_MEMORY, reason="the peak of memory is told by Linux with glibc only")
def test_growth_with_the_pairs(monkeypatch):
    monkeypatch.setattr(scaling, "WORDS", 500)
    line = scaling.row(300, 12, [*SMALL, "--vocab-size", "2000"])
    number = r" +([1-9][\d,]*)"
    found = re.fullmatch(rf"{number}{number} s{number} µs{number} MiB{number}", line)
    assert found[1] == "300" and 60 < int(found[4]) < 10_000


def test_show_prints_wanted_beside_measured(capsys):
    def row(what, wanted):
        return Times(what, lambda: [1, 2], lambda: [1, 3], wanted, tokens=5, clock=time.perf_counter)

    failed = show("of sleep", lambda: [row("sleep", ">= 1e9"), row("wake", "<= 1e9")], seconds=0)
    title, head, sleep, wake = capsys.readouterr().out.strip().splitlines()
    assert title == "of sleep" and head.split() == ["ours", "other", "ratio", "quartiles", "wanted", "equal"]
    number = r"\d+\.\d\d"
    form = rf" *\d+ tok/s *\d+ tok/s +{number} +{number}–{number} +%s 1e9 +1/2  %s"
    assert re.fullmatch(form % (">=", "FAILS: sleep"), sleep) and re.fullmatch(form % ("<=", "wake"), wake)
    assert failed == ["sleep"]


@pytest.mark.parametrize(
    ("wanted", "fails"),
    [
        (">= 2.9", False),
        (">= 3.1", True),
        ("<= 0.9", True),
        ("<= 1.1", False),
        ("", False),
    ],
)
def test_a_bound_fails_only_if_both_quartiles_are_beyond_it(wanted, fails):
    assert Measured("", "", low=1.0, ratio=2.0, high=3.0).fails(wanted) == fails


def test_a_process_that_waits_for_the_processor_takes_no_time_of_it():
    row = Times("wait", lambda: time.sleep(0.05), lambda: None)
    assert float(row.measure(0).ours.split()[0]) < 25  # ms


def test_quartiles():
    assert quartiles([5, 1, 4, 2, 3]) == [2, 3, 4]


@pytest.mark.parametrize(("seconds", "rounds", "counted"), [(0, 2, 2), (0.15, 4, 3)])
def test_side_by_side_takes_turns_and_warms_up_where_there_is_time(seconds, rounds, counted, monkeypatch):
    clock = iter(x / 100 for x in range(1000))  # a hundredth of a second from call to call
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    turns = []
    sides = [lambda: turns.append("a"), lambda: turns.append("b")]
    times, results = side_by_side(*sides, seconds, clock=time.perf_counter)
    assert turns == ["b", "a", "a", "b", "b", "a", "a", "b"][: 2 * rounds]
    assert len(times) == counted and results == (None, None)


def test_all_tables_end_with_an_error_if_a_bound_fails(monkeypatch, capsys):
    monkeypatch.setattr(Times, "measure", lambda row, seconds: Measured("", "", 1, 1, 1))
    monkeypatch.setattr(
        training, "rows", lambda: [Times("doze", int, int, bound) for bound in ("<= 2", ">= 2")]
    )
    monkeypatch.setattr(sys, "argv", ["benchmarks", "training"])
    with pytest.raises(SystemExit, match="1 of the bounds fail"):
        runpy.run_module("benchmarks", run_name="__main__")
    assert capsys.readouterr().out.count("FAILS: doze") == 1


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
