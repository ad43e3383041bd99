"""`python -m helpers page`: a trained translator as one HTML file."""

import re
from pathlib import Path

from helpers.commands.terminal import say
from helpers.engine.files import write_whole
from helpers.lesson.translator import open_translator
from helpers.live import LARGEST, live_parts, text_of


def add_arguments(parser):
    """Tell a parser the arguments of the command."""
    parser.description = (
        "Write one HTML file in which the translator runs, without a network and without any other file. "
        f"The model may have up to {LARGEST:,} parameters; a million take 2.7 MB."
    )
    parser.add_argument("checkpoint", help="file written by train, or by chapter 11")
    parser.add_argument(
        "page", metavar="OUT.html", help="file to write; its folder is made where it is missing"
    )
    parser.set_defaults(run=run, interrupted=lambda options: "stopped")


def run(options):
    """Write the page.

    Raises:
        ValueError: as `open_translator`, `live_parts` and `write_whole`; or the page is not named as one, or
            is the checkpoint.
    """
    path = page_path(options.page)
    if path.exists() and path.samefile(options.checkpoint):
        raise ValueError(f"page: {path} is the checkpoint itself; name another file")
    write_page(path, *open_translator(options.checkpoint))


def page_path(name):
    """The path of a page.

    Args:
        name: as it was given.

    Raises:
        ValueError: it does not end in .html.
    """
    path = Path(name)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"page: {path} does not end in .html; name a file that does")
    return path


def write_page(path, *translator, more=""):
    """Write a page.

    Args:
        path: the file.
        translator: model and tokenizers, as for `live_parts`.
        more: HTML, what follows the translator.

    Raises:
        ValueError: as `page_path`, `live_parts` and `write_whole`.
    """
    path = page_path(path)
    parts = live_parts(*translator)
    page = whole_page(parts | {"html": parts["html"] + more}).encode()
    write_whole(path, page)
    say(f"{path}: {len(page) / 1e6:.1f} MB; open it in a browser, or send it to a friend")


def whole_page(parts):
    """The page around the parts that `live_parts` returns, as text."""
    parts = parts | {"head": text_of("head.js"), "data": "</script>\n<script>\n".join(parts["data"])}
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]].strip(), text_of("page.html"))
