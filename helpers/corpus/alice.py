"""A text that a person wrote, short enough to be read: the opening of Alice's Adventures in Wonderland."""

from importlib.resources import files


def alice_chapters():
    """Chapter 1, and the beginning of chapter 2 up to its first poem.

    Returns:
        List of two strings, the paragraphs joined by spaces.

    Source:
        Lewis Carroll 1865, Alice's Adventures in Wonderland; in the public domain.
    """
    text = files("helpers.corpus").joinpath("alice.txt").read_text("utf-8")
    return [chapter.replace("\n", " ") for chapter in text.strip().split("\n\n")]
