"""`python -m helpers publish`: a checkpoint as other engines read it."""

from pathlib import Path

from helpers.lesson.engines import has_ctranslate2, publish
from helpers.lesson.translator import open_translator


def add_arguments(parser):
    """Tell a parser the arguments of the command."""
    parser.description = (
        "Write a translator into a new folder: FOLDER/marian for the transformers library, and where "
        "ctranslate2 is installed, FOLDER/float32 and FOLDER/int8 for it. translate and serve take each."
    )
    parser.add_argument("checkpoint", type=Path, help="file written by train, or by chapter 11")
    parser.add_argument("folder", type=Path, help="a new one")
    text = "write for CTranslate2 alone, which also knows norm_first and learned positions"
    parser.add_argument("--without-marian", action="store_true", help=text)
    parser.set_defaults(run=run, interrupted=lambda options: "stopped; nothing was written")


def run(options):
    """Write the folder and say what is in it.

    Raises:
        ValueError: as `open_translator` and `publish`.
    """
    model, *tokenizers = open_translator(options.checkpoint)
    for name in publish(model, *tokenizers, options.folder, with_marian=not options.without_marian):
        size = sum(file.stat().st_size for file in (options.folder / name).iterdir())
        print(f"{options.folder / name}: {size / 1e6:.1f} MB")
    if not has_ctranslate2():
        print("float32 and int8 are left out: pip install ctranslate2")
