"""Sentence pairs that any computer holds: the catalogs of its translated programs (gettext). Chapter 17."""

import functools
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zlib import crc32

from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from helpers.corpus.messages import clean_pair

SYSTEM = Path("/usr/share/locale"), Path("/usr/local/share/locale"), Path("/opt/homebrew/share/locale")
COMMON = {"usr", "share", "local", "lib", "opt", "data", "locale", "site-packages", "dist-packages"}
DATE = re.compile(rb"(?<=[\n\"])PO(?=T?-(?:Creation|Revision)-Date: )")


class CatalogPair(NamedTuple):
    """A sentence in two languages, and the program that shows it."""

    source: str
    target: str
    program: str


class CatalogsRead(NamedTuple):
    """What came of catalogs: the pairs, and for each file that was left out the reason."""

    pairs: list
    left_out: dict


class File(NamedTuple):
    """A catalog, in a folder or a package: where it lies there, as a path with /, and how to read it."""

    place: str
    path: PurePosixPath
    read: object


def read_catalogs(places=None, source="ko", target="en"):
    """The sentences of programs in two languages, from the catalogs that translate them.

    Args:
        places: folders, and files .mo, .po, .whl and .deb; None: those of this computer and of this Python.
        source, target: languages, as "ko" or "pt_BR"; "en" is what the programs themselves are written in.

    Returns:
        `CatalogsRead`: pairs, a list of `CatalogPair`, cleaned, each once, in an order that depends only on
        the files; left_out, a dictionary from names of broken files to reasons.

    Raises:
        ValueError: a place is missing; source and target are the same; there is no pair.
    """
    if source == target:
        raise ValueError(f"source, target: both are {source!r}; name two languages")
    left_out, catalogs = {}, {}
    wanted = [language for language in (source, target) if language != "en"]
    for file in files_in(places, left_out):
        for language in wanted:
            if key := place_in(file.path, language):
                try:
                    messages = messages_of(file.read(), file.path.suffix)
                except Exception as error:  # what a broken file raises is of many kinds
                    left_out[f"{file.place}: {file.path}"] = f"{type(error).__name__}: {error}"
                    continue
                found = catalogs.setdefault((program_of(file.path, language), file.place, key), {})
                found.setdefault(language, {}).update(messages)
    pairs = {}
    for (program, *_), found in sorted(catalogs.items(), key=lambda item: item[0]):
        known = set.intersection(*(set(found.get(language, ())) for language in wanted))
        for message in sorted(known):
            sides = [found[side][message] if side != "en" else message[1] for side in (source, target)]
            if pair := clean_pair(*sides):
                pairs.setdefault(pair, CatalogPair(*pair, program))
    if not pairs:
        looked = "this computer" if places is None else ", ".join(map(str, places))
        broken = "".join(f"; left out: {name} ({reason})" for name, reason in list(left_out.items())[:3])
        raise ValueError(
            f"places: no catalog of {looked} has {source} and {target}; name folders or packages (.whl, .deb)"
            f"{broken}"
        )
    return CatalogsRead(list(pairs.values()), left_out)


@functools.cache
def catalogs_of_this_computer(source="ko", target="en"):
    """`read_catalogs` of this computer, read once.

    Args:
        source, target: as for `read_catalogs`.

    Returns:
        `CatalogsRead`.

    Raises:
        ValueError: there is none.
    """
    return read_catalogs(None, source, target)


def split_by_program(pairs, unseen):
    """Pairs to train on, and two tests that share no sentence with them, on neither side.

    Args:
        pairs: list of `CatalogPair`.
        unseen: names of programs that are held out whole.

    Returns:
        {"train": …, "known": …, "unseen": …}: lists of (source, target). "known" is one pair in twenty of the
        other programs, chosen by its target, whatever else there is.
    """
    tests = {"known": [], "unseen": []}
    rest = []
    for source, target, program in pairs:
        if program in unseen:
            tests["unseen"].append((source, target))
        elif crc32(target.encode()) % 20 == 0:
            tests["known"].append((source, target))
        else:
            rest.append((source, target))
    held_out = {text for test in tests.values() for pair in test for text in pair}
    return {"train": [pair for pair in rest if held_out.isdisjoint(pair)], **tests}


def files_in(places, left_out):
    """The catalogs in folders and packages, one after the other.

    Args:
        places: as for `read_catalogs`.
        left_out: gets the packages that cannot be opened.

    Yields:
        `File`.

    Raises:
        ValueError: a place is missing.
    """
    if places is None:
        places = [place for place in (*SYSTEM, Path(sysconfig.get_path("purelib"))) if place.is_dir()]
    for place in map(Path, places):
        if not place.exists():
            raise ValueError(f"places: {place} is not there; name a folder, .mo, .po, .whl or .deb")
        if place.is_file():
            yield from opened(place, place.parent, left_out)
            continue
        for folder, folders, names in os.walk(place):
            folders.sort()
            for name in sorted(names):
                yield from opened(Path(folder, name), place, left_out)


def opened(path, place, left_out):
    """The catalogs that a file is or holds.

    Args:
        path: of the file.
        place: the folder that it was found in.
        left_out: as for `files_in`.

    Yields:
        `File`.
    """
    if path.suffix in (".mo", ".po"):
        yield File(str(place), PurePosixPath(path.relative_to(place).as_posix()), path.read_bytes)
    elif path.suffix in (".whl", ".deb"):
        try:
            inside = list((in_wheel if path.suffix == ".whl" else in_deb)(path))
        except (OSError, ValueError, EOFError, zipfile.BadZipFile, tarfile.TarError) as error:
            left_out[str(path)] = f"{type(error).__name__}: {error}"
            return
        for name, read in inside:
            yield File(path.name, PurePosixPath(name), read)


def in_wheel(path):
    """The catalogs in a Python package: names and how to read them.

    Args:
        path: of the wheel.

    Yields:
        (name, function without arguments).
    """
    package = zipfile.ZipFile(path)
    for name in sorted(package.namelist()):
        if name.endswith((".mo", ".po")):
            yield name, functools.partial(package.read, name)


def in_deb(path):
    """The catalogs in a Debian package: names and how to read them.

    A .deb is an `ar` archive: eight bytes, then members, each after a header of 60 bytes with its name and,
    from byte 48, its size; the files are in data.tar.

    Args:
        path: of the package.

    Yields:
        (name, function without arguments).

    Raises:
        ValueError: it holds no data.tar, or one that nothing here can unpack.
    """
    with open(path, "rb") as file:
        file.seek(8)
        while len(header := file.read(60)) == 60:
            size = int(header[48:58])
            content = file.read(size)
            file.seek(size % 2, os.SEEK_CUR)
            if header.startswith(b"data.tar"):
                if header.startswith(b"data.tar.zst") and sys.version_info < (3, 14):
                    content = tar_by_dpkg(path)
                with tarfile.open(fileobj=io.BytesIO(content)) as files:
                    for member in files:
                        if member.isfile() and member.name.endswith((".mo", ".po")):
                            data = files.extractfile(member).read()
                            yield member.name, functools.partial(bytes, data)
                return
    raise ValueError("it holds no data.tar")


def tar_by_dpkg(path):
    """The data.tar of a Debian package, unpacked by Debian's own tool: Python reads zstd only from 3.14 on.

    Args:
        path: of the package.

    Returns:
        Bytes.

    Raises:
        ValueError: dpkg-deb is not here, or cannot unpack it.
    """
    try:
        unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True)
    except FileNotFoundError:
        raise ValueError("its data.tar.zst is read by Python 3.14, or where dpkg-deb is installed") from None
    if unpacked.returncode:
        raise ValueError(
            "dpkg-deb cannot unpack it: " + " ".join(unpacked.stderr.decode(errors="replace").split())
        )
    return unpacked.stdout


def place_in(path, language):
    """The path of a catalog with a star in place of its language; the same for all translations of a program.

    Args:
        path: such as locale/ko_KR/LC_MESSAGES/git.mo, or po/ko.po.
        language: such as ko.

    Returns:
        A string; None if the catalog is of another language.
    """
    own = re.compile(rf"{language}([_.@-].*)?", re.IGNORECASE)
    *folders, name = path.parts
    for i, folder in enumerate(folders):
        if own.fullmatch(folder):
            return "/".join([*folders[:i], "*", *folders[i + 1 :], name])
    return "/".join([*folders, "*" + path.suffix]) if own.fullmatch(path.stem) else None


def program_of(path, language):
    """The program that a catalog belongs to: its package, or the name of the file.

    Args:
        path, language: as for `place_in`.

    Returns:
        A string.
    """
    for folder in path.parts[:-1]:
        if folder.startswith("python3") or folder.endswith(".data") or folder in COMMON:
            continue
        is_language = place_in(PurePosixPath(folder, "x.mo"), language)
        return path.stem if is_language else folder
    return path.stem


def messages_of(data, suffix):
    """The messages of a catalog: what a program says, and how it is translated.

    Of a message with plural forms there are two: the singular, where the language has one, and the last form.

    Args:
        data: bytes of the file.
        suffix: ".mo" or ".po".

    Returns:
        {(context, message, form): translation}; what is empty or marked fuzzy is left out.
    """
    file = io.BytesIO(DATE.sub(b"XX", data))  # babel refuses a catalog whose header has an odd date
    catalog = read_mo(file) if suffix == ".mo" else read_po(file, abort_invalid=True)
    found = {}
    for message in catalog:
        if not message.id or message.fuzzy or not message.string:
            continue
        context = message.context or ""
        if isinstance(context, bytes):  # as read_mo leaves it
            context = context.decode()
        if isinstance(message.id, str):
            found[context, message.id, 0] = message.string
            continue
        forms = [message.string] if isinstance(message.string, str) else list(message.string)
        if len(forms) > 1:
            found[context, message.id[0], 0] = forms[0]
        found[context, message.id[1], 1] = forms[-1]
    return {message: text for message, text in found.items() if text}
