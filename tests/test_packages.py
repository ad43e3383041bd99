"""Packages whose translations chapter 17 trains on."""

import subprocess

import pytest

from helpers.corpus.packages import PACKAGES, download_packages


def fake_pip(monkeypatch, fetched, says=""):
    """Instead of pip: puts these files where it would, fails if it says something; returns the commands."""
    commands = []

    def run(command, **options):
        commands.append(command)
        folder = command[command.index("--dest") + 1]
        for name in fetched:
            with open(f"{folder}/{name}", "w") as file:
                file.write(name)
        return subprocess.CompletedProcess(command, int(bool(says)), "", says)

    monkeypatch.setattr(subprocess, "run", run)
    return commands


def test_only_what_is_missing_is_downloaded(tmp_path, monkeypatch):
    wanted = {"open-stack": "1.0", "ko-KR": "2.post3"}
    commands = fake_pip(monkeypatch, ["ko_kr-2.post3-py3-none-any.whl"])
    (tmp_path / "open_stack-1.0-py3-none-any.whl").write_text("here")
    (tmp_path / "ko_kr-1.0-py3-none-any.whl").write_text("an older one")
    found = [path.name for path in download_packages(tmp_path, wanted)]
    assert found == ["open_stack-1.0-py3-none-any.whl", "ko_kr-2.post3-py3-none-any.whl"]
    assert [command[-1] for command in commands] == ["ko-KR==2.post3"]
    assert "--no-deps" in commands[0]
    download_packages(tmp_path, wanted)
    assert len(commands) == 1


def test_what_pip_says_is_told_and_nothing_is_lost(tmp_path, monkeypatch):
    fake_pip(monkeypatch, ["one-1-py3-none-any.whl"], says="WARNING: slow\nERROR: no network\n")
    with pytest.raises(ValueError, match=r"could not download one==1, two==2 \(ERROR: no network\)"):
        download_packages(tmp_path / "new", {"one": "1", "two": "2"})
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["one-1-py3-none-any.whl"]


def test_the_versions_are_pinned():
    assert all(version[0].isdigit() for version in PACKAGES.values())
