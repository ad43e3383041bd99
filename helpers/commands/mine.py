"""`python -m helpers mine`: the translator by your own hand, written in mine/ and checked."""

import argparse
import time

from helpers.engine.languages import LANGUAGES
from helpers.mine.hints import hint_mine
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
    tasks = parser.add_subparsers(metavar="{check,hint}")
    checking = tasks.add_parser("check", help="check what you have written")
    checking.add_argument("part", nargs="?", help=f"one of {', '.join(RUNGS)}; or a name in them")
    checking.add_argument("--watch", action="store_true", help="check again whenever a file is saved")
    checking.set_defaults(run=check)
    hinting = tasks.add_parser("hint", help="get the next hint; each call goes one further")
    hinting.add_argument("part", help=f"one of {', '.join(RUNGS)}; or a name in them")
    hinting.set_defaults(run=lambda options: hint_mine(options.part))
    for one in (parser, *tasks.choices.values()):
        one.add_argument(
            "--language",
            choices=LANGUAGES,
            default=argparse.SUPPRESS,
            help="of what is said; default: that of the last make lab",
        )


def write(options):
    """Write what is missing in mine/."""
    written = write_folder(options.blank)
    place = folder()
    for path in written:
        print(path.relative_to(place.parent))
    if not written:
        print(f"{place.name}/: all is there already; nothing was changed")


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
        now = {path: path.stat().st_mtime for path in folder().glob("*.py")}
        if now != before:
            check_parts(options.part)
            print()
            before = now
        time.sleep(PAUSE)
