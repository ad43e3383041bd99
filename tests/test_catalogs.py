"""Catalogs of translated programs, as sentence pairs."""

import io
import lzma
import shutil
import subprocess
import tarfile
import zipfile

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from helpers.__main__ import main
from helpers.commands.data import find_pairs, identity
from helpers.corpus import catalogs
from helpers.corpus.catalogs import CatalogPair, catalogs_of_this_computer, read_catalogs, split_by_program
from helpers.corpus.messages import clean_pair

GIT = {"Delete file": "파일 삭제", "Keep %s": "%s 유지", "Copied": "Copied"}


PO = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=1; plural=0;\\n"

msgctxt "menu"
msgid "Close"
msgstr "닫기"

msgctxt "door"
msgid "Close"
msgstr "닫아 두기"

#, fuzzy
msgid "Old"
msgstr "옛것"

msgid "Empty"
msgstr ""

#~ msgid "Gone"
#~ msgstr "없음"
"""


def mo(messages, language="ko"):
    """A catalog as bytes: {message, or (singular, plural): translation, or list of forms}."""
    catalog = Catalog(locale=language)
    for message, text in messages.items():
        catalog.add(message, text)
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def place(folder, name, messages, language="ko"):
    path = folder / "locale" / language / "LC_MESSAGES" / f"{name}.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(mo(messages, language))
    return path


def deb(path, files, suffix=".xz"):
    """A Debian package: an ar archive whose data.tar holds {name: bytes}."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    content = lzma.compress(content.getvalue())
    text = b"!<arch>\n"
    for name, data in (("debian-binary", b"2.0\n1"), (f"data.tar{suffix}", content)):
        text += (
            f"{name:16}{0:12}{0:6}{0:6}{100644:8}{len(data):10}`\n".encode() + data + b"\n" * (len(data) % 2)
        )
    path.write_bytes(text)


def test_a_folder_of_catalogs_is_read_with_the_program_of_each_pair(tmp_path):
    place(tmp_path, "git", GIT)
    place(tmp_path, "gimp", {"Open image": "그림 열기", "Delete file": "파일 삭제"})
    place(tmp_path, "git", {"Delete file": "Datei löschen"}, "de")
    place(tmp_path, "iso", {"Konkani": "कोंकणी"}, "kok")
    found = read_catalogs([tmp_path])
    assert found.left_out == {}
    assert found.pairs == [
        CatalogPair("파일 삭제", "Delete file", "gimp"),  # once, of the first program
        CatalogPair("그림 열기", "Open image", "gimp"),
        CatalogPair("%s 유지", "Keep %s", "git"),
    ]
    assert read_catalogs([tmp_path], "en", "ko").pairs[0] == ("Delete file", "파일 삭제", "gimp")


def test_two_languages_meet_in_the_message_of_their_program(tmp_path):
    place(tmp_path, "git", GIT)
    place(tmp_path, "git", {"Delete file": "Datei löschen", "Only here": "Nur hier"}, "de")
    place(tmp_path, "other", {"Keep %s": "Behalte %s"}, "de")
    assert read_catalogs([tmp_path], "ko", "de").pairs == [("파일 삭제", "Datei löschen", "git")]


def test_packages_are_read_as_they_are(tmp_path):
    inside = "wagtail/admin/locale/ko/LC_MESSAGES/django.mo"
    with zipfile.ZipFile(tmp_path / "w.whl", "w") as package:
        package.writestr(inside, mo({"Save page": "페이지 저장"}))
    deb(tmp_path / "git.deb", {"./usr/share/locale/ko/LC_MESSAGES/git.mo": mo(GIT)})
    found = read_catalogs([tmp_path])
    assert found.left_out == {}
    assert [(pair.source, pair.program) for pair in found.pairs] == [
        ("파일 삭제", "git"),
        ("%s 유지", "git"),
        ("페이지 저장", "wagtail"),
    ]


def test_plural_forms_are_messages_of_their_own(tmp_path):
    place(tmp_path, "a", {"Open it": "열기", ("%d file", "%d files"): ["파일 %d개"]})
    place(tmp_path, "a", {("%d file", "%d files"): ["%d Datei", "%d Dateien"]}, "de")
    assert [pair[:2] for pair in read_catalogs([tmp_path]).pairs] == [
        ("파일 %d개", "%d files"),
        ("열기", "Open it"),
    ]
    assert [pair[:2] for pair in read_catalogs([tmp_path], "de", "en").pairs] == [
        ("%d Datei", "%d file"),
        ("%d Dateien", "%d files"),
    ]


def test_text_catalogs_are_read_without_what_is_fuzzy_or_empty(tmp_path):
    (tmp_path / "ko.po").write_text(PO, encoding="utf-8")
    assert [pair[:2] for pair in read_catalogs([tmp_path]).pairs] == [
        ("닫아 두기", "Close"),
        ("닫기", "Close"),
    ]


@pytest.mark.parametrize(
    ("source", "target", "clean"),
    [
        ("파일(_F)", "_File", ("파일", "File")),
        ("끝내기(_X)", "E_xit", ("끝내기", "Exit")),
        ("저장 (&S)...", "&Save...", ("저장...", "Save...")),
        ("서식(~O)", "F~ormat", ("서식", "Format")),
        ("file_name 파일", "the file_name file", ("file_name 파일", "the file_name file")),
        ("%(file_name)s 삭제(_D)", "_Delete %(file_name)s", ("%(file_name)s 삭제", "Delete %(file_name)s")),
        ("{file_name} 열기", "Open {file_name}", ("{file_name} 열기", "Open {file_name}")),
        ("R&D 부서", "R&D group", ("R&D 부서", "R&D group")),
        ("<b>굵은</b> 글", "<b>Bold</b> &amp; text", ("굵은 글", "Bold & text")),
        (
            '하나<br>둘<nl/><a href="x">셋',
            'One<BR>two<nl/><a href="x">three',
            ("하나 둘 셋", "One two three"),
        ),
        ("사용법: git <명령>", "Usage: git <command>", ("사용법: git <명령>", "Usage: git <command>")),
        ("<file>을 <b>%s</b>에", "<file> to <b>%s</b>", ("<file>을 %s 에", "<file> to %s")),
        ("두\n줄", "Two\n  lines", ("두 줄", "Two lines")),
        ("100% 완료", "100% done", ("100% 완료", "100% done")),
        ("\u1112\u1161\u11ab 글", "A text", ("한 글", "A text")),
        ("OK", "OK", None),
        ("%s: %d", "%s - %d", None),
        ("…", "Wait", None),
    ],
)
def test_messages_become_plain_sentences(source, target, clean):
    assert clean_pair(source, target) == clean


def test_what_is_broken_is_named_and_left_out(tmp_path):
    place(tmp_path, "git", GIT)
    whole = place(tmp_path, "half", GIT).read_bytes()
    (tmp_path / "locale/ko/LC_MESSAGES/half.mo").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "locale/ko/LC_MESSAGES/text.mo").write_bytes(b"no catalog")
    (tmp_path / "broken.whl").write_bytes(b"PK no zip")
    (tmp_path / "broken.deb").write_bytes(b"!<arch>\n")
    deb(tmp_path / "odd.deb", {"usr/share/locale/ko/LC_MESSAGES/x.mo": b"no catalog"})
    (tmp_path / "text").mkdir()
    (tmp_path / "text/ko.po").write_text("This is a letter.", encoding="utf-8")
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut/ko.po").write_text(PO[: PO.index("닫아") - 8], encoding="utf-8")
    found = read_catalogs([tmp_path])
    assert {pair.program for pair in found.pairs} == {"git"}
    left_out = "\n".join(found.left_out)
    assert len(found.left_out) == 7
    for name in ("half.mo", "text.mo", "broken.whl", "broken.deb", "odd.deb", "text/ko.po", "cut/ko.po"):
        assert name in left_out


def test_where_nothing_is_found_the_broken_files_are_named(tmp_path):
    whole = place(tmp_path, "half", GIT).read_bytes()
    (tmp_path / "locale/ko/LC_MESSAGES/half.mo").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"no catalog of .* left out: .*half\.mo \("):
        read_catalogs([tmp_path])


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="packs with dpkg-deb")
def test_a_package_packed_with_zstd_is_read(tmp_path):
    place(tmp_path / "tree/usr/share", "git", GIT)
    (tmp_path / "tree/DEBIAN").mkdir()
    control = "Package: git\nVersion: 1\nArchitecture: all\nMaintainer: A\nDescription: b\n"
    (tmp_path / "tree/DEBIAN/control").write_text(control, encoding="utf-8")
    package = tmp_path / "git.deb"
    packed = ["dpkg-deb", "-Zzstd", "--build", tmp_path / "tree", package]
    if subprocess.run(packed, capture_output=True).returncode:
        pytest.skip("this dpkg-deb knows no zstd")
    assert b"data.tar.zst" in package.read_bytes()
    assert read_catalogs([package]).pairs == read_catalogs([tmp_path / "tree"]).pairs
    package.write_bytes(package.read_bytes()[:-40])
    place(tmp_path / "other", "git", GIT)
    found = read_catalogs([package, tmp_path / "other"])
    assert found.pairs and "git.deb" in str(found.left_out)


def test_a_package_that_nothing_here_unpacks_says_what_would(tmp_path, monkeypatch):
    deb(tmp_path / "git.deb", {}, suffix=".zst")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("helpers.corpus.catalogs.sys.version_info", (3, 13))
    with pytest.raises(ValueError, match=r"data\.tar\.zst is read by Python 3\.14, or where dpkg-deb is"):
        read_catalogs([tmp_path / "git.deb"])


def test_bad_input_is_refused(tmp_path):
    with pytest.raises(ValueError, match="places: .*nowhere is not there"):
        read_catalogs([tmp_path / "nowhere"])
    with pytest.raises(ValueError, match="source, target: both are 'ko'"):
        read_catalogs([tmp_path], "ko", "ko")
    with pytest.raises(ValueError, match="no catalog of .* has ko and en"):
        read_catalogs([tmp_path])


def test_tests_share_no_sentence_with_training():
    pairs = [CatalogPair(f"문장 {i % 150}", f"sentence {i}", f"p{i % 7}") for i in range(700)]
    parts = split_by_program(pairs, unseen={"p3"})
    assert parts["unseen"] == [(source, target) for source, target, program in pairs if program == "p3"]
    assert len(parts["known"]) > 10
    assert len(parts["train"]) > 10
    tested = {text for name in ("known", "unseen") for pair in parts[name] for text in pair}
    assert tested.isdisjoint(text for pair in parts["train"] for text in pair)


@pytest.fixture
def this_computer(tmp_path, monkeypatch):
    place(tmp_path, "many", {f"Number {i} of all": f"전체의 {i}번째" for i in range(200)})
    (tmp_path / "locale/ko/LC_MESSAGES/bad.mo").write_bytes(b"no catalog")
    monkeypatch.setattr(catalogs, "SYSTEM", (tmp_path / "locale",))
    monkeypatch.setattr(catalogs.sysconfig, "get_path", lambda name: str(tmp_path / "nowhere"))
    catalogs_of_this_computer.cache_clear()
    yield tmp_path
    catalogs_of_this_computer.cache_clear()


def test_train_takes_the_catalogs_of_this_computer(this_computer, capsys):
    settings = {"seed": 0, "columns": [0, 1], "languages": ["ko", "en"]}
    train, numbers = find_pairs("catalogs", settings)
    assert "left out" in capsys.readouterr().err
    test, _ = find_pairs("catalogs", settings, "validation")
    assert len(train) == len(numbers)
    assert len(train) + len(test) == 200
    assert set(train).isdisjoint(test)
    assert identity("catalogs", settings) == identity("catalogs", settings)
    assert identity("catalogs", settings) != identity("catalogs", settings, "validation")


def test_pairs_writes_a_file_that_train_reads(this_computer, capsys):
    out = this_computer / "out.tsv"
    main(["pairs", str(out), str(this_computer / "locale")])
    said = capsys.readouterr().err
    assert "200 pairs of 1 programs (many 200)" in said
    assert "bad.mo" in said
    assert out.read_text("utf-8").splitlines()[0] == "전체의 0번째\tNumber 0 of all\tmany"
    assert len(find_pairs(str(out), {"columns": [0, 1]})[0]) == 200
    with pytest.raises(SystemExit, match="is one of the catalogs"):
        main(["pairs", str(out), str(out)])


def test_an_odd_date_in_the_header_costs_no_sentence(tmp_path):
    for name, date in (("one", b"12.06.2022"), ("two", b""), ("three", b"2021-01-01 00:00 UTC")):
        data = mo({"Keep the file": "파일 유지"})
        header = next(line for line in data.split(b"\n") if line.startswith(b"PO-Revision-Date: "))
        odd = b"PO-Revision-Date: " + date.ljust(len(header) - 18)
        place(tmp_path, name, {}).write_bytes(data.replace(header, odd))
    found = read_catalogs([tmp_path])
    assert not found.left_out
    assert [pair[:2] for pair in found.pairs] == [("파일 유지", "Keep the file")]
