"""What nbval runs: each notebook as its one-file edition, on a kernel that watches, as in a fresh Colab.

They lie in one folder, where chapter 11 writes the translator that later ones open.
"""

import shutil

import nbformat

import editions
from helpers.corpus.packages import download_packages
from project import ROOT, chapters, depths, write

FOLDER = ROOT / "build" / "alone"
TRANSLATOR = FOLDER / "build" / "translator.pt"
PACKAGES = FOLDER / "build" / "packages"
WATCHED = {"display_name": "Watched", "language": "python", "name": "watched"}  # tests/kernels/watched


def write_chapters(folder=FOLDER):
    """Write the editions in both languages, which have the outputs of the notebooks, into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    carrier = editions.carrier_of_helpers()
    for path in chapters() + depths():
        notebook = editions.edition(nbformat.read(path, as_version=4), "both", carrier)
        notebook.metadata.kernelspec = WATCHED
        notebook.cells[0].execution_count = 0  # of what has not run nbval compares no output
        write(notebook, folder / path.name)


def lend_packages():
    """Put the packages that chapter 17 reads, which pip downloads once, where the chapter looks for them.

    Raises:
        ValueError: as `download_packages`.
    """
    PACKAGES.mkdir(parents=True, exist_ok=True)
    for wheel in download_packages(ROOT / "build" / "packages"):
        shutil.copy(wheel, PACKAGES)


def needs_packages(path):
    """Whether a notebook reads packages that are not there."""
    return not any(PACKAGES.glob("*.whl")) and "download_packages(" in path.read_text("utf-8")


def lend_translator():
    """Put the project's translator, where there is one, in the place of what chapter 11 writes."""
    trained = ROOT / "build" / "translator.pt"
    if trained.exists():
        TRANSLATOR.parent.mkdir(exist_ok=True)
        shutil.copy(trained, TRANSLATOR)
