"""Takeaways: found in a notebook, listed by a command, shown on the site, and made the summary."""

import re

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

import editions
import summary
from helpers.__main__ import main
from helpers.commands import takeaways as command
from helpers.lesson.takeaways import Takeaway, takeaways
from web_markup import Page


def said(ko, en):
    return (
        f'<div lang="ko">\n\n글.\n\n<p class="takeaway">{ko}</p>\n\n</div>\n'
        f'<div lang="en">\n\nText.\n\n<p class="takeaway">{en}</p>\n\n</div>'
    )


def chapter():
    sources = [
        "# 4장. 작은 장 · Chapter 4. A small one\n\n<!-- colab -->",
        f"## 4.1 내적 · Dot product\n\n{said('<code>@</code>는 곱입니다.', '<code>@</code> multiplies.')}",
        "## 4.2 나누기 · Dividing\n\n```\n<p class='takeaway'>code</p>\n```",
        said("√d로<br>나눕니다.", "Divide by $\\sqrt{d}$."),
        "## 4.3 정리 · Summary\n\nold",
    ]
    notebook = new_notebook(cells=list(map(new_markdown_cell, sources)))
    notebook.cells[-1].metadata["tags"] = ["summary"]
    return notebook


FOUND = [
    Takeaway("4.1 내적 · Dot product", "<code>@</code>는 곱입니다.", "<code>@</code> multiplies."),
    Takeaway("4.2 나누기 · Dividing", "√d로<br>나눕니다.", "Divide by $\\sqrt{d}$."),
]


def test_takeaways_are_found_with_their_sections():
    assert takeaways(chapter()) == FOUND


@pytest.fixture
def notebooks(tmp_path, monkeypatch):
    """A folder with a chapter that has takeaways, a depth of it, and a chapter without any."""
    (tmp_path / "deeper").mkdir()
    nbformat.write(chapter(), tmp_path / "04_small.ipynb")
    depth = chapter()
    depth.cells[0].source = "# 왜? · Why?"
    nbformat.write(depth, tmp_path / "deeper" / "04_why.ipynb")
    nbformat.write(new_notebook(cells=[new_markdown_cell("# 5장 · Chapter 5")]), tmp_path / "05_none.ipynb")
    monkeypatch.setattr(command, "NOTEBOOKS", tmp_path)


@pytest.mark.parametrize("number", [[], ["4"], ["04"]])
def test_the_command_lists_them_in_the_language_asked_for(number, notebooks, capsys):
    main(["takeaways", *number, "--language", "en"])
    assert capsys.readouterr().out == (
        "Chapter 4. A small one\n  4.1 Dot product\n    @ multiplies.\n  4.2 Dividing\n"
        "    Divide by $\\sqrt{d}$.\n\nWhy?\n  4.1 Dot product\n    @ multiplies.\n  4.2 Dividing\n"
        "    Divide by $\\sqrt{d}$.\n\n"
    )
    main(["takeaways", *number, "--language", "both"])
    assert (
        "\n  4.1 내적\n  4.1 Dot product\n    @는 곱입니다.\n    @ multiplies.\n" in capsys.readouterr().out
    )


@pytest.mark.parametrize(("number", "error"), [("9", "'9' is not there"), ("5", "5 has no takeaways")])
def test_a_chapter_that_has_none(number, error, notebooks):
    with pytest.raises(SystemExit, match=f"^error: chapter: {error}"):
        main(["takeaways", number])


def test_the_summary_is_written_from_them():
    notebook = chapter()
    summary.write_summary(notebook)
    assert notebook.cells[-1].source == (
        "## 4.3 정리 · Summary\n\n"
        '<div lang="ko">\n\n- <code>@</code>는 곱입니다.\n- √d로<br>나눕니다.\n\n</div>\n'
        '<div lang="en">\n\n- <code>@</code> multiplies.\n- Divide by $\\sqrt{d}$.\n\n</div>'
    )
    again = nbformat.from_dict(notebook)
    summary.write_summary(again)
    assert again == notebook


def test_the_site_shows_them_and_draws_their_formulas():
    page = Page("04_small", chapter())
    assert [(anchor, ko) for anchor, ko, _ in page.takeaways] == [
        ("4-1-dot-product", "<code>@</code>는 곱입니다."),
        ("4-2-dividing", "√d로<br>나눕니다."),
    ]
    shown = r'<p class="takeaway">Divide by <span class="whole">(<math.*?</math>)[.]</span></p>'
    [formula] = re.findall(shown, page.html)
    assert "<msqrt>" in formula and formula in page.takeaways[1][2]
    assert "나눕니다" in page.entries[2]["ko"] and "나눕니다" not in page.entries[2]["en"]


@pytest.mark.parametrize(
    ("language", "said"), [("ko", "<code>@</code>는 곱입니다."), ("en", "<code>@</code> multiplies.")]
)
def test_an_edition_shows_them_in_bold(language, said, tmp_path):
    nbformat.write(chapter(), tmp_path / "04_small.ipynb")
    editions.build([tmp_path / "04_small.ipynb"], tmp_path)
    cells = nbformat.read(tmp_path / language / "04_small.ipynb", as_version=4).cells
    assert f'<p class="takeaway"><b>{said}</b></p>' in cells[2].source
