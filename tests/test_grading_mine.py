"""Grading of mine/: what is found, what runs in the sandbox, and that only right values buy a mark."""

import csv
import io
import os
from contextlib import redirect_stdout
from pathlib import Path

import nbformat
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook

from helpers.__main__ import main
from helpers.exercises.comparing import difference
from helpers.grading.marks import Mark, grade, mark_of
from helpers.grading.parts import expected, is_right
from helpers.grading.submissions import MOST_BYTES, Submission, find_submissions
from helpers.grading.tables import as_csv
from helpers.grading.values import from_text, to_text
from helpers.mine.rungs import PARTS
from helpers.mine.trials import trials

MASKS = """\
import torch

def padding_mask(ids, pad_id):
    return ids != pad_id

def causal_mask(length):
    return torch.ones(length, length).bool().tril()
"""
FORGER = """\
import json, os
import helpers.grading.parts as parts
from helpers.mine.checking import Outcome

parts.check_part = lambda name: Outcome(name, True, "맞습니다", "right")
for number in range(3, 20):
    for name in ("LayerNorm", "SwiGLU"):
        try:
            os.write(number, (json.dumps({"exercise": name, "passed": True}) + "\\n").encode())
        except OSError:
            pass


def causal_mask(length):
    return parts

def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None, :]
"""
CLASS = {
    "anna/mine": {"masking.py": MASKS},
    "ben_mine": {"attention.py": "import os\n\ndef scaled_dot_product_attention(*given):\n    os._exit(0)\n"},
    "carl/mine": {"masking.py": FORGER},
}


def hand_in(folder, files):
    folder.mkdir(parents=True)
    for name, text in {"adapters.py": "", **files}.items():
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """{student: row} of the table of the class."""
    folder = tmp_path_factory.mktemp("class")
    for name, files in CLASS.items():
        hand_in(folder / name, files)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
        patch.setattr("helpers.commands.grade.find_sandbox", lambda folder: (None, "none"))
        main(["grade", str(folder), "--memory", "2"])
    text = (folder / "results.csv").read_text("utf-8-sig").partition("\n")[2]
    return {row["student"]: row for row in csv.DictReader(text.splitlines())}


def test_parts_are_marked(rows):
    anna = rows["anna"]
    assert [*rows] == ["anna", "ben", "carl"] and anna["passed"] == "1" and anna["problem"] == ""
    assert anna["mine causal_mask"] == "passed" and anna["mine combine_masks"] == "not tried"
    assert anna["mine padding_mask"].startswith("Its shape is (B, T); add the axes of heads and queries")


def test_a_part_that_ends_the_process_costs_what_comes_after_it(rows):
    ben = rows["ben"]
    assert ben["problem"] == "mine Its kernel died in scaled_dot_product_attention."
    assert ben["mine TokenEmbedding"] == "not tried"
    assert ben["mine scaled_dot_product_attention"] == ben["mine causal_mask"]
    assert ben["mine causal_mask"] == "Not reached: the notebook had stopped."


def test_only_right_values_pass(rows):
    carl = rows["carl"]
    assert carl["mine padding_mask"] == "passed" and carl["passed"] == "1"
    said = "Its check says that it passes, but what it returned is wrong."
    assert carl["mine causal_mask"] == said
    for name in ("LayerNorm", "combine_masks"):  # what the notes say, without values; what is not written
        assert carl[f"mine {name}"] not in {"passed", "not tried"}


def results_of(name, absent=()):
    """What `tried` notes of ours."""
    return [[to_text(expected(PARTS[name], trial, absent)), [*absent]] for trial in trials(name)]


@pytest.mark.parametrize("name", PARTS)
def test_what_a_part_returns_travels(name):
    for trial in trials(name):
        value = expected(PARTS[name], trial, ())
        assert not difference(from_text(to_text(value)), value)


def test_biases_may_be_left_out_and_matrices_may_not():
    part, biases = PARTS["FeedForward"], ["linear1.bias", "linear2.bias"]
    assert is_right(results_of("FeedForward"), part) and is_right(results_of("FeedForward", biases), part)
    without = [[text, []] for text, _ in results_of("FeedForward", biases)]
    assert not is_right(without, part)
    zeros = [
        [to_text(torch.zeros_like(expected(part, trial, ()))), ["linear2.weight"]]
        for trial in trials(part.name)
    ]
    with pytest.raises(ValueError, match="^absent: linear2.weight is a matrix; only biases"):
        is_right(zeros, part)
    norm = PARTS["LayerNorm"]
    values = expected(norm, trials("LayerNorm")[3], ["weight", "bias"])
    torch.testing.assert_close(values, torch.nn.functional.layer_norm(*trials("LayerNorm")[3].inputs, (4,)))


@pytest.mark.parametrize(
    "note",
    [
        {},
        {"passed": True},
        {"passed": True, "results": []},
        {"passed": True, "results": [["1", []]]},
        {"passed": True, "results": [["{", []]] * 3},
        {"passed": True, "results": [["1", ["weight"]]] * 3},
        {"passed": False, "said": "no"},
        {"passed": 1, "said": [1, 2]},
    ],
    ids=str,
)
def test_a_forged_note_is_no_pass(note):
    mark = mark_of(note, PARTS["causal_mask"], "en")
    assert mark.passed is False and mark.text


@pytest.mark.parametrize(
    "place, student",
    [
        ("anna/mine", "anna"),
        ("anna_mine", "anna"),
        ("week 2/김안나 - mine (1)", "week 2/김안나"),
        ("anna", "anna"),
        ("jasmine", "jasmine"),
        ("mine", "mine"),
    ],
)
def test_whose_folder_it_is(place, student, tmp_path):
    hand_in(tmp_path / place, {"masking.py": MASKS})
    (tmp_path / place / "failed").mkdir()
    [one] = find_submissions(tmp_path)
    assert (one.student, one.chapter, len(one.cells)) == (student, "mine", len(PARTS))
    assert one.files == {"adapters.py": b"", "masking.py": MASKS.encode()}


def test_notebooks_and_mine_of_a_student_make_one_row(tmp_path):
    hand_in(tmp_path / "anna" / "mine", {})
    source = "from helpers.exercises import chapter_04 as exercises"
    nbformat.write(new_notebook(cells=[new_code_cell(source)]), tmp_path / "anna" / "04_attention.ipynb")
    found = [(one.student, one.chapter) for one in find_submissions(tmp_path)]
    assert found == [("anna", "04"), ("anna", "mine")]
    results = [grade(one, [], "en") for one in find_submissions(tmp_path)]
    header, *rows = csv.reader(as_csv(results).decode("utf-8-sig").splitlines())
    assert "04 softmax" in header and "mine LayerNorm" in header and [row[0] for row in rows] == ["anna"]


def test_a_folder_mine_may_itself_be_graded(tmp_path):
    hand_in(tmp_path / "mine", {})
    assert find_submissions(tmp_path / "mine")[0].student == "mine"


@pytest.mark.parametrize(
    "make, said",
    [
        (os.mkfifo, "This is not a file that can be read."),
        (lambda path: path.symlink_to("/dev/zero"), "This is not a file that can be read."),
        (
            lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_RDWR), MOST_BYTES + 1),
            "This file is too large.",
        ),
    ],
    ids=["fifo", "link", "large"],
)
def test_what_is_no_file_costs_the_folder_and_no_other(make, said, tmp_path):
    hand_in(tmp_path / "a" / "mine", {})
    hand_in(tmp_path / "b" / "mine", {})
    make(tmp_path / "a" / "mine" / "masking.py")
    first, second = find_submissions(tmp_path)
    assert grade(first, [], "en").problem == said and not first.cells
    assert not second.problem and second.cells


def test_where_it_was_stopped_is_told_by_the_part():
    one = Submission(Path("a"), "a", "mine", ["1"])
    for cell, place in ((1, "BPETokenizer"), (10**9, "code cell 1000000000")):
        result = grade(one, [{"stopped": cell, "why": "died"}], "en")
        assert result.problem == f"Its kernel died in {place}."
    assert result.marks["LayerNorm"] == Mark(False, "Not reached: the notebook had stopped.")
