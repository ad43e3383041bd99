"""make paragraphs: freeze the prose of the chapters, Korean beside English, as text to learn from."""

import re

import nbformat

from project import FENCE, ROOT, chapters, end_in_one_line, write_text

FILE = ROOT / "helpers" / "corpus" / "paragraphs.tsv"
BLOCKS = re.compile(r'<div lang="ko">\n(.*?)^</div>\s*<div lang="en">\n(.*?)^</div>', re.M | re.S)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
NOT_PROSE = re.compile(r"^[|>#]|\$|https?:|<\w|^\d+\. |^[-*] ", re.M)  # tables, formulas, addresses, lists


def plain(paragraph):
    """A paragraph of Markdown as one line of words."""
    return " ".join(re.sub(r"[*`]", "", LINK.sub(r"\1", paragraph)).split())


def paragraphs(source):
    """The pairs of paragraphs of a Markdown cell that are nothing but prose in both languages."""
    for blocks in BLOCKS.findall(FENCE.sub("", source)):
        sides = [[part.strip() for part in block.split("\n\n") if part.strip()] for block in blocks]
        if len(sides[0]) == len(sides[1]):
            for pair in zip(*sides, strict=True):
                if not any(map(NOT_PROSE.search, pair)):
                    yield tuple(map(plain, pair))


def collect(paths):
    """The pairs of all chapters, each once, in their order."""
    cells = (cell for path in paths for cell in nbformat.read(path, as_version=4).cells)
    sources = (cell.source for cell in cells if cell.cell_type == "markdown")
    return list(dict.fromkeys(pair for source in sources for pair in paragraphs(source)))


if __name__ == "__main__":
    pairs = collect(chapters())
    with end_in_one_line():
        write_text("".join(f"{ko}\t{en}\n" for ko, en in pairs), FILE)
    print(f"{len(pairs)} pairs of paragraphs: {FILE.relative_to(ROOT)}")
