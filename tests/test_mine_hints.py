"""Around the reader's parts: hints in steps, the language of the command line, and what a chapter shows."""

import re

import pytest

import lab
from editions import messages
from helpers.__main__ import main
from helpers.engine import languages, project
from helpers.exercises.kinds import in_turn
from helpers.grading.tables import width_of
from helpers.mine.hints import HINTS
from helpers.mine.report import check_mine
from helpers.mine.rungs import PARTS, RUNGS
from helpers.mine.stubs import write_folder
from helpers.mine.yours import folder, forget

TRUE_MASK = "import torch\ndef causal_mask(length):\n    return torch.ones(length, length).tril().bool()\n"


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A folder without mine/."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    forget()


@pytest.fixture
def mine(empty):
    """A new folder of a reader."""
    write_folder()
    return empty / "mine"


def test_every_part_has_hints_in_both_languages():
    assert HINTS.keys() >= PARTS.keys()
    for name, hints in HINTS.items():
        assert 2 <= len(hints) // 2 <= 4, name
        for ko, en in in_turn(hints, 2):
            assert re.search("[가-힣]", ko) and ko.endswith(".")
            assert not re.search("[가-힣]", en) and en.endswith(".")
            assert max(len(ko), len(en)) < 300


@pytest.mark.parametrize("damaged", [None, "", "two"])
def test_hints_come_in_order_and_the_last_stays(damaged, mine, capsys):
    if damaged is not None:
        (mine / ".hints").mkdir()
        (mine / ".hints" / "MultiHeadAttention").write_text(damaged)
    hints = in_turn(HINTS["MultiHeadAttention"], 2)
    for number, (ko, en) in enumerate([*hints, hints[-1]], start=1):
        main(["mine", "hint", "multi_head_attention"])
        step = min(number, len(hints))
        assert capsys.readouterr().out.splitlines() == [
            f"MultiHeadAttention: 힌트 {step}/{len(hints)}: {ko}",
            f"MultiHeadAttention: Hint {step} of {len(hints)}: {en}",
        ]


def test_a_rung_gives_the_hint_of_its_first_part_that_is_not_right(mine, capsys):
    main(["mine", "hint", "masking", "--language", "en"])
    main(["mine", "hint", "causal_mask", "--language", "en"])
    (mine / "masking.py").write_text(
        TRUE_MASK + "def padding_mask(ids, pad_id):\n    return (ids != pad_id)["
    )
    main(["mine", "hint", "masking", "--language", "en"])  # the file cannot be read
    (mine / "masking.py").write_text(
        TRUE_MASK + "def padding_mask(ids, pad_id):\n    return (ids != pad_id)[:, None, None]\n"
    )
    main(["mine", "hint", "masking", "--language", "en"])
    assert re.findall("^.*: Hint [12]", capsys.readouterr().out, re.M) == [
        "padding_mask: Hint 1",
        "padding_mask: Hint 2",
        "combine_masks: Hint 1",
    ]


@pytest.mark.parametrize("command", [["check"], ["check", "attention"], ["hint", "attention"]])
def test_without_a_folder_the_command_line_says_how_to_begin(command, empty):
    with pytest.raises(SystemExit) as ended:
        main(["mine", *command])
    assert (
        ended.value.code == "error: mine: the folder is not there yet; write it with: python -m helpers mine"
    )
    assert not any(empty.iterdir())


def test_a_name_that_is_not_known(mine):
    with pytest.raises(SystemExit) as ended:
        main(["mine", "hint", "atention"])
    said = r"error: part: 'atention' is not known \(did you mean attention\?\); use one of .*attention"
    assert re.match(said, ended.value.code)


# the language


def test_the_command_line_speaks_the_language_of_make_lab_or_the_one_asked_for(mine, capsys, monkeypatch):
    (empty_source := mine.parent / "notebooks").mkdir()
    lab.copy_all(empty_source, mine.parent / "work", "ko")
    monkeypatch.setattr(languages, "readers_project", lambda: mine.parent)
    said = {}
    for choice in (None, "en", "both"):
        main(["mine", "check", "attention", *(["--language", choice] if choice else [])])
        said[choice] = capsys.readouterr().out.splitlines()
    assert said[None] + said["en"] == said["both"] and len(said["both"]) == 2
    assert "아직 쓰지 않았습니다" in said[None][0] and "Not written yet" in said["en"][0]
    main(["mine", "--language", "en", "hint", "attention"])
    assert capsys.readouterr().out.startswith("scaled_dot_product_attention: Hint 1 of ")


@pytest.mark.parametrize("damaged", [None, "", "[]", "{}", '{"language": "kr"}', '{"language": []}'])
def test_without_a_language_to_remember_both_are_spoken(damaged, tmp_path, monkeypatch):
    monkeypatch.setattr(languages, "readers_project", lambda: tmp_path)
    if damaged is not None:
        (tmp_path / "work").mkdir()
        (tmp_path / "work" / ".copies.json").write_text(damaged)
    assert languages.remembered() == "both"


# in a chapter


def test_a_chapter_without_a_folder_says_in_two_short_lines_how_to_begin(empty, capsys):
    assert check_mine("attention") is None
    lines = capsys.readouterr().out.splitlines()
    korean, english, colab = lines
    assert korean.startswith("… mine/ 폴더가 없습니다.") and english.startswith("… No mine/ yet.")
    assert korean.endswith(": make mine") and english.endswith(": make mine")
    assert colab == "  Colab: !python -m helpers mine"
    assert max(map(width_of, lines)) <= 42  # what a page of 390 px shows
    assert messages("\n".join(lines))[0] == (f"{korean}\n", f"{english}\n")  # in an edition, one of them
    assert not any(empty.iterdir())


def test_a_chapter_shows_what_the_command_line_says(mine, capsys):
    for name in (*RUNGS, *PARTS):
        assert check_mine(name) is None  # nothing that a notebook would display
        shown = capsys.readouterr().out
        main(["mine", "check", name])
        assert capsys.readouterr().out == shown and "… " in shown


def test_a_wrong_part_is_kept_where_the_chapter_can_load_it(mine, capsys, monkeypatch):
    (mine / "masking.py").write_text(TRUE_MASK.replace("tril", "triu"))
    (mine.parent / "work").mkdir()
    monkeypatch.setattr(project, "__file__", str(mine.parent / "helpers" / "engine" / "project.py"))
    monkeypatch.delenv("COURSE_PROGRESS")
    (mine.parent / "notebooks").mkdir()
    monkeypatch.chdir(mine.parent / "work")
    check_mine("causal_mask")
    assert 'torch.load("../mine/failed/causal_mask.pt", weights_only=False)' in capsys.readouterr().out
    assert (mine / "failed" / "causal_mask.pt").is_file()


def test_what_is_stored_does_not_depend_on_the_folder_of_a_reader(mine, monkeypatch):
    """The tests and the stored outputs set COURSE_PROGRESS=none."""
    root, elsewhere = mine.parent, mine.parent / "notebooks"
    elsewhere.mkdir()
    monkeypatch.setattr(project, "__file__", str(root / "helpers" / "engine" / "project.py"))
    monkeypatch.chdir(elsewhere)
    assert project.readers_project() is None and folder() == elsewhere / "mine"
    monkeypatch.delenv("COURSE_PROGRESS")
    assert project.readers_project() == root and folder() == mine
    monkeypatch.setattr(
        project, "__file__", str(root / "site-packages" / "helpers" / "engine" / "project.py")
    )
    assert project.readers_project() is None and folder() == elsewhere / "mine"
