"""make lab: open JupyterLab at copies of the chapters, in work/, where git sees nothing that a reader does.

With language=ko (or en, both) they are in that language, from then on. A copy that the reader has changed is
never touched; any other is made anew where its chapter or the language has changed.
"""

import hashlib
import json
import sys

import nbformat

from editions import LANGUAGES, in_language, with_one_picture
from helpers.engine.files import write_whole
from project import ROOT, end_in_one_line

WORK = ROOT / "work"


def copy_all(folder, work, language=None):
    """Copy what is missing or out of date; return the changed copies whose chapters have changed, too."""
    known = read_known(work)
    language = language or known.get("language", "both")
    if language not in LANGUAGES:
        raise ValueError(f"language: {language!r}; use ko, en or both")
    copies, behind = known.get("copies", {}), []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        copy, made_from = work / name, checksum(path.read_bytes() + language.encode())
        before, written = copies.get(name, (None, None))
        if before == made_from and copy.exists():
            continue
        if copy.exists() and checksum(copy.read_bytes()) != written:
            behind += [copy] if before and before != made_from else []
            continue
        data = copied(path, language)
        write_whole(copy, data)
        copies[name] = made_from, checksum(data)
    write_whole(work / ".copies.json", json.dumps({"language": language, "copies": copies}).encode())
    return behind


def read_known(work):
    """What was copied so far, and in which language; nothing where that is not known."""
    try:
        return dict(json.loads((work / ".copies.json").read_bytes()))
    except (OSError, ValueError, TypeError):
        return {}


def checksum(data):
    return hashlib.sha256(data).hexdigest()


def copied(path, language):
    """A file as it is copied: a chapter in one language, all else as it is."""
    if path.suffix != ".ipynb" or language == "both":
        return path.read_bytes()
    notebook = with_one_picture(in_language(nbformat.read(path, as_version=4), language))
    return (nbformat.writes(notebook) + "\n").encode()


if __name__ == "__main__":
    with end_in_one_line():
        for copy in copy_all(ROOT / "notebooks", WORK, *sys.argv[1:]):
            what = f"{copy.relative_to(ROOT)} is yours and stays; its chapter or the language has changed"
            print(f"{what}: move yours away to get it")
    from jupyterlab.labapp import main

    sys.exit(main([f"--ServerApp.root_dir={ROOT}", str(WORK / "00_start_here.ipynb")]))
