"""What each section of a chapter comes to: one sentence a language, `<p class="takeaway">`."""

import re
from typing import NamedTuple

SECTION = re.compile(r"^## (.+)$", re.M)
DIV = re.compile(r'^<div lang="(ko|en)">\n(.*?)^</div>$', re.M | re.S)
FENCE = re.compile(r"^```.*?^```[^\n]*$", re.M | re.S)
SENTENCE = re.compile(r'<p class="takeaway">(.*?)</p>', re.S)


class Takeaway(NamedTuple):
    """The sentence of one section, as HTML.

    Args:
        section: its heading, in both languages.
        ko, en: the sentence.
    """

    section: str
    ko: str
    en: str


def takeaways(notebook):
    """All that a chapter says in its takeaways, in order.

    Args:
        notebook: what nbformat, or json, reads.

    Returns:
        A list of `Takeaway`; a sentence that stands in one language alone is left out.
    """
    section, found = "", []
    for source in prose(notebook):
        for part in re.split(r"^(?=## )", FENCE.sub("", source), flags=re.M):
            heading = SECTION.match(part)
            section = heading[1] if heading else section
            said = {"ko": [], "en": []}
            for language, block in DIV.findall(part):
                said[language] += [" ".join(text.split()) for text in SENTENCE.findall(block)]
            found += [Takeaway(section, *pair) for pair in zip(said["ko"], said["en"], strict=False)]
    return found


def prose(notebook):
    """The Markdown of a notebook.

    Args:
        notebook: as in `takeaways`.

    Returns:
        A list of strings, one a cell.
    """
    cells = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    return ["".join(source) for source in cells]
