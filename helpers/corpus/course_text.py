"""Text that people wrote, not a grammar: the paragraphs of this course, frozen in a file."""

from importlib.resources import files


def course_paragraphs():
    """The prose of the chapters, without code and formulas.

    Returns:
        List of (Korean, English), a paragraph each.

    Source:
        `make paragraphs` writes the file from the notebooks.
    """
    text = files("helpers.corpus").joinpath("paragraphs.tsv").read_text("utf-8")
    return [tuple(line.split("\t")) for line in text.splitlines()]
