"""Tables by one call: what they look like, in which language, and how CI compares them."""

import re

import nbformat
import pytest
import torch
from nbformat.v4 import new_output

import editions
from approximate import outputs_difference
from helpers.engine.languages import speak
from helpers.lesson import table, tables
from web_markup import Page

ROWS = [
    [("나누지 않음", "undivided"), 8, torch.tensor(0.3142), None],
    [("나눔", "divided <√d>"), 1024, 12.5, "34 %"],
]
COLUMNS = [("방법", "way"), "d_k", ("≈ 손실", "≈ loss"), ("몫", "share")]
KOREAN = """\
방법           d_k  ≈ 손실    몫
나누지 않음      8    0.31     –
나눔         1,024   12.50  34 %
"""
ENGLISH = """\
way             d_k  ≈ loss  share
undivided         8    0.31      –
divided <√d>  1,024   12.50   34 %
"""
BOTH = """\
방법 · way                 d_k  ≈ 손실 · loss  몫 · share
나누지 않음 · undivided      8           0.31           –
나눔 · divided <√d>      1,024          12.50        34 %
"""


@pytest.mark.parametrize(("language", "text"), [("ko", KOREAN), ("en", ENGLISH), ("both", BOTH)])
def test_a_table_in_a_terminal(language, text, capsys):
    speak(language)
    table(ROWS, COLUMNS)
    assert capsys.readouterr().out == text
    right_edges = {tables.width(line) for line in text.splitlines()}
    assert len(right_edges) == 1  # Hangul takes two columns


def test_digits_are_of_all_columns_or_of_each(capsys):
    table([[1 / 3, 2 / 3, True]], ["a", "b", "c"], digits=1)
    table([[1 / 3, 2 / 3, "x"]], ["a", "b", "c"], digits=[3, 0, 0])
    assert capsys.readouterr().out.splitlines()[1::2] == ["0.3  0.7  True", "0.333  1  x"]


@pytest.mark.parametrize(
    ("rows", "digits", "said"),
    [
        ([[1, 2]], 2, "rows: row 0 has 2 cells, but there are 1 columns"),
        ([[1]], [1, 2], "digits: 2 for 1 columns"),
        ([[("a", 1)]], 2, "use a pair of texts"),
    ],
)
def test_a_table_that_does_not_fit(rows, digits, said):
    with pytest.raises(ValueError, match=said):
        table(rows, ["a"], digits)


@pytest.fixture
def shown(monkeypatch):
    """A function that gives the output which a call of `table` leaves below a cell."""
    kept = []
    monkeypatch.setattr(tables, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, raw: kept.append(data))

    def show(*arguments):
        table(*arguments)
        return new_output("display_data", data=kept.pop())

    return show


def test_a_table_in_a_notebook(shown):
    data = shown(ROWS, COLUMNS).data
    assert data["text/plain"] + "\n" == BOTH
    header, *rows = re.findall("<tr>.*</tr>", data["text/html"])
    assert (
        '≈ <span lang="ko">손실</span><span class="dot"> · </span><span lang="en">loss</span></th>' in header
    )
    assert re.findall(r"<td class=measured [^>]*>([^<]*)", "".join(rows)) == ["0.31", "12.50"]
    assert re.findall("text-align: (left|right)", rows[1]) == ["left", "right", "right", "right"]
    assert "divided &lt;√d&gt;" in rows[1]


def changed(output, *pair):
    output = nbformat.from_dict(output)
    output.data = {kind: text.replace(*pair) for kind, text in output.data.items()}
    return output


@pytest.mark.parametrize(
    ("pair", "holds"),
    [
        (("0.31", "0.33"), True),
        (("0.31", "0.36"), False),
        (("12.50", "12.00"), True),
        (("1,024", "1,025"), False),  # is not measured
        (("34 %", "35 %"), False),
        (("loss", "cost"), False),
        (("12.50", "–"), False),
        (("12.50", "nan"), False),
    ],
)
@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_measured_columns_are_compared_by_value(pair, holds, kind, shown):
    stored = shown(ROWS, COLUMNS)
    stored.data = {kind: stored.data[kind], "text/html": stored.data["text/html"]}
    new = changed(stored, *pair)
    if kind == "text/plain":
        new.data["text/html"] = stored.data["text/html"]
    assert (outputs_difference([stored], [new]) == "") == holds


def test_other_digits_move_no_column(shown):
    stored, new = (shown([["a", x, 1], ["b", 5.0, 2]], ["way", "≈ loss", "n"]) for x in (9.99, 10.01))
    assert stored.data != new.data and outputs_difference([stored], [new]) == ""


@pytest.mark.parametrize(("language", "text"), [("ko", KOREAN), ("en", ENGLISH)])
def test_a_stored_table_in_one_language_is_the_one_that_a_reader_gets(language, text, shown):
    stored = shown(ROWS, COLUMNS)
    editions.one_language_output(stored, language)
    speak(language)
    assert stored == shown(ROWS, COLUMNS)
    assert stored.data["text/plain"] + "\n" == text


def test_a_table_on_the_site_scrolls(shown):
    assert '<div class="wide"><table' in Page("x", nbformat.v4.new_notebook()).output(shown(ROWS, COLUMNS))
