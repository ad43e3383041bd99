"""`python -m helpers mine`: the translator by your own hand, written in mine/ and checked."""

import argparse
import contextlib
import sys
import time

from helpers.commands.page import write_page
from helpers.commands.terminal import say
from helpers.engine.languages import LANGUAGES
from helpers.mine.checking import own_line
from helpers.mine.course import moved_into_ours, open_mine, own_rungs, train
from helpers.mine.exam import exam, translated, who_wrote
from helpers.mine.hints import hint_mine
from helpers.mine.memory import from_memory
from helpers.mine.report import check_parts
from helpers.mine.rungs import RUNGS
from helpers.mine.stubs import write_folder
from helpers.mine.yours import folder

PAUSE = 0.5  # seconds between two looks at the files


def add_arguments(parser):
    """Tell a parser the arguments of the command.

    Args:
        parser: `argparse.ArgumentParser`.
    """
    parser.add_argument("--blank", action="store_true", help="write only adapters.py; the files are yours")
    parser.set_defaults(run=write, interrupted=lambda options: "stopped")
    tasks = parser.add_subparsers(metavar="{check,hint,train,exam,translate,page,memory}")
    checking = tasks.add_parser("check", help="check what you have written")
    checking.add_argument("part", nargs="?", help=f"one of {', '.join(RUNGS)}; or a name in them")
    checking.add_argument("--watch", action="store_true", help="check again whenever a file is saved")
    checking.set_defaults(run=check)
    hinting = tasks.add_parser("hint", help="get the next hint; each call goes one further")
    hinting.add_argument("part", help=f"one of {', '.join(RUNGS)}; or a name in them")
    hinting.set_defaults(run=lambda options: hint_mine(options.part))
    training = tasks.add_parser("train", help="train the translator of chapter 11 out of your parts")
    training.set_defaults(run=told(learn))
    examining = tasks.add_parser("exam", help="translate 500 new sentences")
    examining.set_defaults(run=told(lambda options: exam()))
    translating = tasks.add_parser("translate", help="translate standard input with your translator")
    translating.set_defaults(run=told(translate))
    showing = tasks.add_parser("page", help="write a page in which your translator runs")
    showing.add_argument("page", metavar="ME.html", help="file to write")
    showing.set_defaults(run=told(page))
    remembering = tasks.add_parser("memory", help="write it once more: a blank file, a clock, one verdict")
    remembering.set_defaults(run=lambda options: 1 if from_memory() is False else None)
    for one in (parser, *tasks.choices.values()):
        one.add_argument(
            "--language",
            choices=LANGUAGES,
            default=argparse.SUPPRESS,
            help="of what is said; default: that of the last make lab",
        )


def told(run):
    """A command that runs the reader's code, and tells an error in it by its line.

    Args:
        run: a function of the options.

    Returns:
        A function of the options, which returns nothing.
    """

    def run_and_tell(options):
        try:
            run(options)
        except Exception as error:
            if not (line := own_line(error)):
                raise
            raise ValueError(f"mine: {line}: {type(error).__name__}: {error}") from error

    return run_and_tell


def write(options):
    """Write what is missing in mine/."""
    written = write_folder(options.blank)
    place = folder()
    for path in written:
        print(path.relative_to(place.parent))
    if not written:
        print(f"{place.name}/: all is there already; nothing was changed")
    print("write a part, and check it: python -m helpers mine check embedding")


def check(options):
    """Check a part, or all of them.

    Returns:
        1 if something is wrong.
    """
    if options.watch:
        return watch(options)
    return 1 if any(outcome.passed is False for outcome in check_parts(options.part)) else None


def watch(options):
    """Check whenever a file is saved, until Ctrl-C."""
    before = None
    while True:
        now = when_saved()
        if now != before:
            check_parts(options.part)
            print()
            before = now
        time.sleep(PAUSE)


def when_saved():
    """When each file of the reader was saved: {path: seconds}."""
    found = {}
    for path in folder().glob("*.py"):
        with contextlib.suppress(FileNotFoundError):  # some editors save by putting a new file in its place
            found[path] = path.stat().st_mtime
    return found


def learn(options):
    """Train, and say what comes next."""
    train()
    print("next: python -m helpers mine exam")


def translate(options):
    """Translate standard input, a line for a line."""
    mine = open_mine()
    write = mine.modules["decoding"].generate
    for line in sys.stdin:
        if text := line.strip():
            pairs = [(text, "")]
            text = translated(write, mine.model, mine.src_tokenizer, mine.tgt_tokenizer, pairs)[0][0]
        print(text, flush=True)


def page(options):
    """Write the page.

    Raises:
        ValueError: as `moved_into_ours` and `write_page`.
    """
    *parts, gap = moved_into_ours(open_mine())
    write_page(options.page, *parts, more=who_wrote(own_rungs(), gap))
    say(f"parity: the largest difference of a logit is {gap:.1g}")
