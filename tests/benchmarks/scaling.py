"""How training by the command line grows with its pairs: until the first step, then tokens a second.

Takes 10 minutes, 1.5 GB of disk in the folder for temporary files, and is not part of make bench. Call it in
tests, where nothing else runs: python -m benchmarks.scaling 30000 300000 3000000
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from helpers.__main__ import main
from helpers.training import Trainer

ROOT = Path(__file__).resolve().parents[2]
WARM_UP, STEPS = 10, 110  # the first ones are not measured
WORDS = 200_000  # of each language
HEAD = "    pairs  prepared in      a pair    peak     tokens/s"


def some_words(rng, syllables, suffixes):
    """Different words of one to four syllables."""
    words = {
        "".join(rng.choices(syllables, k=rng.randint(1, 4))) + rng.choice(suffixes) for _ in range(WORDS)
    }
    return sorted(words, key=lambda word: rng.random())


def write_pairs(path, count):
    """Lines of random words whose frequencies follow Zipf's law."""
    rng = random.Random(0)
    hangul = [chr(code) for code in rng.sample(range(0xAC00, 0xD7A4), 1200)]
    latin = [start + vowel for start in "bcdfghklmnprstvw" for vowel in ("a", "e", "i", "o", "u", "ai", "ou")]
    korean, english = (
        some_words(rng, hangul, ["", "는", "를", "에"]),
        some_words(rng, latin, ["", "s", "ed", "ing"]),
    )

    def sentence(words):
        chosen = (words[int(len(words) ** rng.random()) - 1] for _ in range(rng.randint(4, 14)))
        return " ".join(chosen) + "."

    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            file.write(f"{sentence(korean)}\t{sentence(english)}\n")


def train_a_little(steps, path, *options):
    """Begin to train as the command line does, print what was measured, and leave."""
    take_step, tokens, start = Trainer.take_step, [], time.perf_counter()

    def measured_step(trainer, batch):
        nonlocal start
        if trainer.step == 0:
            print(time.perf_counter() - start, peak(), end=" ")
        if trainer.step == WARM_UP:
            start = time.perf_counter()
        take_step(trainer, batch)
        if trainer.step > WARM_UP:
            tokens.append(sum(len(src) + len(tgt) for src, tgt in batch))
        if trainer.step == int(steps):
            print(sum(tokens) / (time.perf_counter() - start), flush=True)
            os._exit(0)

    Trainer.take_step = measured_step
    main(["train", path, "--checkpoint", f"{path}.pt", *options])


def peak():
    """MiB that this process has taken at most; on Linux."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def row(count, steps=STEPS, options=()):
    """A row of the table, after so many steps with these options of the command line."""
    settings = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}", "TQDM_DISABLE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        write_pairs(path := f"{folder}/pairs.tsv", count)
        command = [sys.executable, "-m", "benchmarks.scaling", "train", str(steps), path, *options]
        done = subprocess.run(command, env=settings, stdout=subprocess.PIPE, text=True, check=True)
    seconds, mebibytes, speed = map(float, done.stdout.split())
    return f"{count:9,}{seconds:11.0f} s{seconds / count * 1e6:9.0f} µs{mebibytes:6.0f} MiB{speed:9.0f}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["train"]:
        train_a_little(*sys.argv[2:])
    else:
        print(HEAD)
        for count in sys.argv[1:] or (30_000, 300_000, 3_000_000):
            print(row(int(count)), flush=True)
