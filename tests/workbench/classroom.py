"""make classroom: each chapter in one language, without solutions for students, with them for teachers."""

import re

import nbformat

from editions import carrier_of_helpers, edition
from project import ROOT, chapters, depths, end_in_one_line, place, write

LANGUAGES = ("ko", "en")
SOLUTION = re.compile(r"<details>\n<summary>풀이 · Solution</summary>\n.*?^</details>\n*", re.M | re.S)


def build(paths, folder):
    """Write folder/{ko,en}/{student,teacher}/NN_name.ipynb for each chapter."""
    carrier = carrier_of_helpers()
    for language in LANGUAGES:
        for reader in ("student", "teacher"):
            (folder / language / reader).mkdir(parents=True, exist_ok=True)
            for path in paths:
                (folder / language / reader / place(path)).parent.mkdir(parents=True, exist_ok=True)
                notebook = nbformat.read(path, as_version=4)
                if reader == "student":
                    notebook = without_solutions(notebook)
                write(edition(notebook, language, carrier), folder / language / reader / place(path))


def without_solutions(notebook):
    """The notebook without the folded solutions; a cell that was nothing else goes."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = SOLUTION.sub("", cell.source).rstrip("\n")
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "markdown" or cell.source]
    return notebook


if __name__ == "__main__":
    folder, paths = ROOT / "build" / "classroom", chapters() + depths()
    with end_in_one_line():
        build(paths, folder)
    print(f"{len(paths)} notebooks for students and teachers: {folder.relative_to(ROOT)}/")
