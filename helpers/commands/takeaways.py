"""`python -m helpers takeaways`: what each section of each chapter comes to, in one sentence."""

import json
import re
from html import unescape
from pathlib import Path

from helpers.engine.languages import LANGUAGES, say
from helpers.lesson.takeaways import prose, takeaways

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
TITLE = re.compile(r"#+ (.+)")
NUMBER = re.compile(r"\d+(?:\.\d+)*\.? ")  # what both languages of a title begin with


def add_arguments(parser):
    """Tell a parser the arguments of the command.

    Args:
        parser: of argparse.
    """
    parser.add_argument("chapter", nargs="?", help="its number, as 04; all chapters without it")
    parser.add_argument("--language", choices=LANGUAGES, help="of the sentences; as in `make lab` without it")
    parser.set_defaults(run=run, interrupted=lambda options: "stopped")


def run(options):
    """Print them, with the depths of a chapter after it.

    Args:
        options: what the parser returns.

    Raises:
        ValueError: there is no such chapter, or it has no takeaways.
    """
    number = f"{options.chapter:0>2}" if options.chapter else ""
    files = [*NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"), *NOTEBOOKS.glob("deeper/[0-9][0-9]_*.ipynb")]
    paths = sorted((path for path in files if path.name.startswith(number)), key=in_order)
    if not paths:
        what = f"chapter: {options.chapter!r} is not there" if files else f"notebooks: {NOTEBOOKS} has none"
        raise ValueError(f"{what}; use a number as 04, in a clone of the course")
    notebooks = [json.loads(path.read_text("utf-8")) for path in paths]
    notebooks = [notebook for notebook in notebooks if takeaways(notebook)]
    if not notebooks:
        raise ValueError(f"chapter: {options.chapter or 'none'} has no takeaways; try another one")
    for notebook in notebooks:
        show(notebook)


def in_order(path):
    """A chapter, then its depths.

    Args:
        path: of a notebook.

    Returns:
        What sorts it.
    """
    return path.name[:2], path.parent != NOTEBOOKS, path.name


def show(notebook):
    """Print the title of a notebook and its takeaways, each under its section.

    Args:
        notebook: a dictionary.
    """
    say_title(TITLE.match(prose(notebook)[0])[1])
    section = ""
    for found in takeaways(notebook):
        if found.section != section:
            say_title(found.section, "  ")
        section = found.section
        say(f"    {plain(found.ko)}", f"    {plain(found.en)}")
    print()


def say_title(title, indent=""):
    """Print a title that is Korean · English, with a number that both have.

    Args:
        title: a string.
        indent: what stands before it.
    """
    ko, dot, en = title.partition(" · ")
    number = NUMBER.match(ko)
    say(indent + ko, indent + (number[0] if number and dot else "") + (en or ko))


def plain(html):
    """A sentence without tags.

    Args:
        html: a string.

    Returns:
        A string.
    """
    return unescape(re.sub("<[^>]+>", "", html))
