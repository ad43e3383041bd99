"""The reader's parts elsewhere: pipes that close, and what editors, consoles and drives of Windows do."""

import io
import os
import subprocess
import sys

import pytest

from helpers.__main__ import main
from helpers.commands.mine import when_saved
from helpers.mine import memory
from helpers.mine.checking import check_part
from helpers.mine.report import check_parts, from_here
from helpers.mine.stubs import write_folder
from helpers.mine.yours import forget
from notebook_parts import ROOT

MASK = """\
import torch  # 마스크

def causal_mask(length):
    return torch.ones(length, length).tril().bool()
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A new folder of a reader."""
    monkeypatch.chdir(tmp_path)
    write_folder()
    yield tmp_path / "mine"
    forget()


@pytest.fixture
def unread():
    """The writing end of a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.parametrize(
    "arguments",
    [
        ["mine", "check"],
        ["mine", "hint", "attention"],
        ["mine"],
        ["progress"],
        ["--help"],
        ["mine", "--help"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("buffering", [1, -1])  # a line at a time; all at the end
def test_a_command_ends_quietly_when_nobody_reads(arguments, buffering, mine, unread, monkeypatch):
    streams = [os.fdopen(os.dup(unread), "w", buffering, encoding="utf-8") for _ in range(2)]
    monkeypatch.setattr("sys.stdout", streams[0])
    monkeypatch.setattr("sys.stderr", streams[1])
    assert main(arguments) is None
    print("to nobody")
    for stream in streams:
        stream.close()


def test_a_process_ends_quietly_when_nobody_reads(mine, unread):
    command = [sys.executable, "-m", "helpers", "mine", "check", "attention"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, stdout=unread, stderr=subprocess.PIPE, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("code, verdict", [(MASK, "O"), (MASK.replace("tril", "triu"), "X")], ids="OX")
def test_verdicts_are_seen_where_the_console_has_no_check_mark(code, verdict, mine, monkeypatch):
    (mine / "masking.py").write_text(code, encoding="utf-8")
    console = io.TextIOWrapper(io.BytesIO(), encoding="cp949")
    monkeypatch.setattr("sys.stdout", console)
    try:
        main(["mine", "check", "causal_mask"])
    except SystemExit as ended:
        assert (ended.code, verdict) == (1, "X")
    korean, english, *_ = console.buffer.getvalue().decode("cp949").splitlines()
    assert korean.startswith(f"{verdict} causal_mask: ") and english.startswith(f"{verdict} causal_mask: ")
    assert "?" not in korean + english


def test_a_file_may_begin_with_a_byte_order_mark(mine):
    (mine / "masking.py").write_text(MASK, encoding="utf-8-sig")
    assert check_part("causal_mask").passed
    (mine / "from_memory.py").write_text("# 17\n", encoding="utf-8-sig")
    assert memory.begun(mine / "from_memory.py") == 17


def test_a_file_in_another_encoding_is_named(mine, capsys):
    (mine / "masking.py").write_text(MASK, encoding="cp949")
    assert "mine: masking.py is not UTF-8; save it in this encoding" in check_part("causal_mask").en
    with pytest.raises(SystemExit, match="^error: mine: masking.py is not UTF-8; save it in this encoding$"):
        main(["mine", "train"])


def test_a_file_that_is_just_being_saved_is_left_out(mine):
    (mine / "new.py").symlink_to("nowhere")
    saved = when_saved()
    assert mine / "masking.py" in saved and mine / "new.py" not in saved


def test_a_failed_case_on_another_drive_is_named_whole(mine, monkeypatch, capsys):
    assert from_here(mine / "failed" / "a.pt") == "mine/failed/a.pt"

    def other_drive(path):
        raise ValueError("path is on mount 'C:', start on mount 'D:'")

    monkeypatch.setattr("os.path.relpath", other_drive)
    (mine / "masking.py").write_text(MASK.replace("tril", "triu"), encoding="utf-8")
    check_parts("causal_mask")
    assert (
        f'torch.load("{mine.as_posix()}/failed/causal_mask.pt", weights_only=False)'
        in capsys.readouterr().out
    )
