"""Numbers after ≈ are compared by value, all else strictly: the rule, and nbval that follows it."""

import os
import subprocess
import sys
from decimal import Decimal

import nbformat
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nbformat.v4 import new_output

from approximate import Tolerance, first_difference, outputs_difference, tolerance_of
from project import ROOT
from rules_hygiene import run_in_order
from small_notebooks import PATH, code, small

HOLDS = [  # stored, new
    ("loss ≈ 0.31\n", "loss ≈ 0.33\n"),
    ("≈ 0.31", "≈0.31"),
    ("≈ 100", "≈ 110"),  # 10 % is allowed, the bound included
    ("≈ 100", "≈ 90"),
    ("≈ 12,345", "≈ 12,999"),
    ("≈ 1,000,000", "≈ 999,999"),
    ("≈ 999", "≈ 1,001"),
    ("≈ 12,345, 3", "≈ 12,400, 3"),
    ("≈ 1e-05", "≈ 1.1e-05"),
    ("≈ 1e-05", "≈ 0.00001"),
    ("≈ 34 %", "≈ 36 %"),
    ("≈ 34% of all.", "≈ 36% of all."),
    ("≈ -0.2", "≈ -0.21"),
    ("≈ 0.00", "≈ -0.00"),
    ("≈ 0.00", "≈ 0.01"),
    ("≈ 0.3", "≈ 0.4"),  # as 0.349 and 0.351 are rounded
    ("≈ 3.5×", "≈ 3.6×"),
    ("a ≈ 0.31, b ≈ 0.50, c 3", "a ≈ 0.30, b ≈ 0.52, c 3"),
    ("[≈ 1, ≈ 2]", "[≈ 1, ≈ 2]"),
    ("width  1 ≈  9.9  yes\nwidth  2 ≈ 10.1  yes", "width  1 ≈ 10.1  yes\nwidth  2 ≈  9.9  yes"),
    ("|  ≈ 9.9|", "| ≈ 10.0|"),
    ("≈ 9.9 |", "≈ 10.0|"),
    ("<td>≈ 0.31</td>", "<td>≈ 0.30</td>"),
    ("1 → ≈ “a trip”.", "1 → ≈ “a book, ≈ 3”."),
    ("≈ “”", "≈ “여행”"),
    ("≈ “a”\nb ≈ 1.0", "≈ “c\nd”\nb ≈ 1.1"),  # a model may write a line break, too
    ("≈ “a” (0.3) ≈ “b” ≈ 1.0", "≈ “c d” (0.3) ≈ “” ≈ 1.1"),
    ("", ""),
]
DIFFERS = [  # stored, new, what is said about it
    ("a\nloss ≈ 0.31\n", "a\nloss ≈ 0.35\n", "line 2: stored ≈ 0.31, now ≈ 0.35; allowed ± 0.031 (10% of it"),
    ("≈ 100", "≈ 111", "± 10 "),
    ("≈ 100", "≈ 89", "± 10 "),
    ("loss ≈ 0.31", "cost ≈ 0.31", "line 1: stored 'loss ≈ 0… ', now 'cost ≈ 0… '"),
    ("≈ 0.31 after 3 epochs", "≈ 0.31 after 4 epochs", "after 4"),
    ("0.31", "0.32", "stored '0.31', now '0.32'"),
    ("≈ 0.31", "0.31", "stored ' ≈ 0… ', now '0.31'"),
    ("0.31", "≈ 0.31", "stored '0.31', now ' ≈ 0… '"),
    ("≈ 0.31 ≈ 0.5", "≈ 0.31", "stored ' ≈ 0…  ≈ 0… ', now ' ≈ 0… '"),
    ("≈ 0.31", "≈ 0.31 ≈ 0.5", "now ' ≈ 0…  ≈ 0… '"),
    ("≈ 0.31, 0.5", "≈ 0.31, 0.6", "0.6"),  # only what follows ≈ directly
    ("≈ 0.31", "≈ nan", "now ≈ nan; this is no number"),
    ("≈ nan", "≈ nan", "this is no number"),
    ("≈ 1.0", "≈ inf", "this is no number"),
    ("≈ 0.2", "≈ -0.2", "stored ≈ 0.2, now ≈ -0.2"),
    ("≈ 12,345", "≈ 14,000", "stored ≈ 12,345, now ≈ 14,000; allowed ± 1234.5"),
    ("≈ 12,345", "≈ 12", "now ≈ 12;"),
    ("≈ 1e-05", "≈ 1e-04", "± 0.00001"),
    ("≈ 34 %", "≈ 34 s", "0… s"),
    ("≈ 0.00", "≈ 0.02", "± 0.01"),
    ("≈ 1.0 ≈ 2.0 ≈ 3.0", "≈ 1.0 ≈ 2.5 ≈ 3.0", "stored ≈ 2.0, now ≈ 2.5"),
    ("a  b ≈ 1", "a b ≈ 1", "now 'a b ≈ 0… '"),  # spaces that stand by no such number
    ("≈ “a trip”", "≈ a trip", "≈ a trip"),
    ("“a trip”", "“a book”", "a book"),
    ("≈ “a trip”", "≈ 3", "stored ' ≈ “…” ', now ' ≈ 0… '"),
    ("≈ 3", "≈ “a trip”", "stored ' ≈ 0… ', now ' ≈ “…” '"),
    ("≈ “a” 1", "≈ “a” 2", "2"),
    ("≈ “a\nb”\n≈ 1.0", "≈ “c”\n≈ 2.0", "line 3: stored ≈ 1.0, now ≈ 2.0"),
    ("≈ “a", "≈ “b", "≈ “b"),
    ("≈ …", "≈ 1", "stored '≈ …'"),
    ("≈ 0…", "≈ 1", "stored ' ≈ 0… …'"),
    ("≈ 1\n", "≈ 1", "line 2: stored '', now None"),
    ("≈ 1", "≈ 1\n2", "line 2: stored None, now '2'"),
]


@pytest.mark.parametrize("stored, new", HOLDS)
def test_holds(stored, new):
    assert first_difference(stored, new) == ""


@pytest.mark.parametrize("stored, new, said", DIFFERS)
def test_differs(stored, new, said):
    assert said in first_difference(stored, new)


values = st.decimals(-(10**6), 10**6, places=3)
words = st.text(st.characters(exclude_characters="≈“”\n", exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.one_of(words, values.map("≈ {:,}".format)), max_size=6).map(" / ".join))
def test_a_text_holds_beside_itself(text):
    assert first_difference(text, text) == ""


@given(words, words)
def test_without_the_sign_texts_hold_only_if_equal(stored, new):
    assert (first_difference(stored, new) == "") == (stored == new)


@given(values, st.decimals("-0.1", "0.1", places=6), st.integers(0, 9), words.map("/".__add__))
def test_a_number_holds_within_its_share_at_any_width(value, part, width, rest):
    assert first_difference(f"x ≈ {value}{rest}", f"x ≈ {value * (1 + part):{width}}{rest}") == ""


@given(values, values, st.integers(11, 100))
def test_a_number_holds_just_where_the_tolerance_says(stored, new, percent):
    allowed = max(abs(stored) * percent / 100, Decimal("0.001"))
    said = first_difference(f"≈ {stored}", f"≈ {new:,}", Tolerance(Decimal(percent) / 100))
    assert (said == "") == (abs(new - stored) <= allowed)
    assert not said or (f"≈ {stored}," in said and f"≈ {new:,};" in said and f"{percent}%" in said)


@given(words, words, words, words)
def test_beside_a_number_a_changed_word_differs(before, after, other_before, other_after):
    strict = [
        (text[0].rstrip(" "), text[1].lstrip(" ")) for text in [(before, after), (other_before, other_after)]
    ]
    assume(strict[0] != strict[1] and not after[:1].isdigit() and not other_after[:1].isdigit())
    assert first_difference(f"{before} ≈ 3 /{after}", f"{other_before} ≈ 3 /{other_after}")


def test_the_tolerance_of_a_cell():
    assert tolerance_of([]) == tolerance_of(["exercise", "within"]) == (Decimal("0.1"), 0)
    assert tolerance_of(["setup", "within-30%"]) == (Decimal("0.3"), 0)
    assert tolerance_of(["within-0.05"]) == (Decimal("0.1"), Decimal("0.05"))
    assert tolerance_of(["within-50%", "within-12"]) == (Decimal("0.5"), 12)


def figure(data, alt="곡선 · a curve"):
    data = {"image/png": data, "text/plain": "<Figure size 640x480>"}
    return new_output("display_data", data=data, metadata={"image/png": {"alt": alt}})


def test_outputs():
    printed, shown = (
        new_output("stream", text="≈ 30.0"),
        new_output("execute_result", data={"text/html": "≈ 30"}),
    )
    near = new_output("stream", text="≈ 30.1"), new_output("execute_result", data={"text/html": "≈ 30.1"})
    assert outputs_difference([printed, shown, figure("AAAA")], [*near, figure("BBBB")]) == ""
    assert outputs_difference([figure("AAAA")], [figure("AAAA", "a line")]).startswith("image/png, line 1: ")
    assert outputs_difference([printed], []) == "stored outputs: stdout; now: none"
    assert outputs_difference([figure("AAAA")], [shown]).startswith(
        "stored outputs: image/png, text/plain; now"
    )
    wide = new_output("execute_result", data={"text/html": "≈ 40"})
    assert outputs_difference([shown], [wide]).startswith("text/html, line 1: stored ≈ 30, now ≈ 40; allowed")
    assert outputs_difference([shown], [wide], Tolerance(Decimal("0.5"))) == ""
    assert outputs_difference([shown], [wide], Tolerance(least=Decimal(10))) == ""
    assert "10% of it, 9, or one unit" in outputs_difference([shown], [wide], Tolerance(least=Decimal(9)))
    one, other = (new_output("display_data", data={"application/json": {"a": n}}) for n in (1, 2))
    assert outputs_difference([one], [one]) == "" != outputs_difference([one], [other])


def cell(source, output, *tags):
    return code(source, output, metadata={"tags": list(tags)})


NOT_RUN = cell("print(1 + 1)", "")
IN_A_KERNEL = [  # a cell, what pytest --nbval says
    (cell("print('loss ≈ 0.33')", "loss ≈ 0.31\n"), "PASSED"),
    (cell("print('loss ≈ 0.36')", "loss ≈ 0.31\n"), "FAILED"),
    (cell("print('loss ≈ 0.36')", "loss ≈ 0.31\n", "within-30%"), "PASSED"),
    (cell("print('cost ≈ 0.31')", "loss ≈ 0.31\n"), "FAILED"),
    (cell("print('≈ “a book”')", "≈ “a trip”\n"), "PASSED"),
    (cell("pass", "loss ≈ 0.31\n"), "FAILED"),
    (cell("print(1 + 1)", "2\n"), "PASSED"),
    (cell("print(1 + 1)", "3\n"), "FAILED"),
    (NOT_RUN, "PASSED"),
]


@pytest.fixture(scope="module")
def nbval(tmp_path_factory):
    """What `pytest --nbval` says of these cells, with the conftest of this project."""
    folder = tmp_path_factory.mktemp("nbval")
    nb = small(*(last for last, _ in IN_A_KERNEL))
    NOT_RUN.execution_count = None
    nbformat.write(nb, folder / "small.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "-rA", "--color=no", "-p", "conftest", "."]
    paths = os.pathsep.join(str(ROOT / place) for place in (".", "tests/workbench"))
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, encoding="utf-8"
    )
    return done.stdout


@pytest.mark.parametrize("number", range(len(IN_A_KERNEL)), ids=[c.source for c, _ in IN_A_KERNEL])
def test_nbval_compares_so(number, nbval):
    assert f"{IN_A_KERNEL[number][1]} small.ipynb::Cell {number + 2}\n" in nbval.replace(" - ", "\n")


def test_a_cell_that_has_not_run_breaks_a_rule_where_nbval_lets_it_pass():
    nb = small(NOT_RUN)
    NOT_RUN.execution_count = None
    assert run_in_order(nb, PATH) == ["cell 5: execution count None, expected 3"]


def test_nbval_names_both_numbers_and_the_tolerance(nbval):
    assert "stdout, line 1: stored ≈ 0.31, now ≈ 0.36; allowed ± 0.031 (10% of it" in nbval
    assert "stdout, line 1: stored 'loss ≈ 0… ', now 'cost ≈ 0… '" in nbval
