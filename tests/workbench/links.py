"""make links: write the git remote into the README and the install cells, and the Colab badges."""

import re
import subprocess

import nbformat

from project import ROOT, chapters, depths, end_in_one_line, place, write, write_text

COLAB = "https://colab.research.google.com"
ADDRESS = re.compile(  # what a reader copies, and what CITATION.cff names
    r"(git clone |pip install git\+|repository-code: )https://github\.com/\S+"
)
SITE = re.compile(r"https://[\w-]+\.github\.io/[\w.-]+/")


def repository(folder):
    """The GitHub address of the remote `origin`, as "OWNER/NAME"; ValueError if there is none."""
    command = ["git", "remote", "get-url", "origin"]
    remote = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout.strip()
    found = re.search(r"(?:^|[/@])github\.com[:/]+([\w.-]+/[\w.-]+?)(?:\.git)?/?$", remote)
    if not found:
        raise ValueError(
            f"origin: {remote or 'no such remote'}; a GitHub repository is needed: git remote add origin …"
        )
    return found[1]


def addressed(text, name):
    """The text with the address of the repository in what a reader copies, and that of its site."""
    return SITE.sub(site(name), ADDRESS.sub(rf"\1https://github.com/{name}", text))


def site(name):
    """Where GitHub shows the website of a repository "OWNER/NAME"."""
    owner, repository = name.split("/")
    return f"https://{owner.lower()}.github.io/{repository}/"


def link(path, name):
    """Write the address of the repository and the badge into one notebook; say whether it changed."""
    before = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    page = f"{COLAB}/github/{name}/blob/main/notebooks/{place(path)}"
    badge = f'<a href="{page}"><img src="{COLAB}/assets/colab-badge.svg" alt="Open in Colab"></a>'
    for cell in notebook.cells:
        if "install" in cell.metadata.get("tags", []):
            cell.source = addressed(cell.source, name)
    title = notebook.cells[0]
    title.source = re.sub(r"^<!-- colab -->.*$", f"<!-- colab --> {badge}", title.source, flags=re.M)
    write(notebook, path)
    return path.read_bytes() != before


def link_text(path, name):
    """Write the address of the repository into the README or CITATION.cff; say whether it changed."""
    before = path.read_text("utf-8")
    write_text(addressed(before, name), path)
    return path.read_text("utf-8") != before


if __name__ == "__main__":
    with end_in_one_line():
        name = repository(ROOT)
        for text in ("README.md", "CITATION.cff"):
            print(text, "changed" if link_text(ROOT / text, name) else "unchanged")
        for path in chapters() + depths():
            print(path.stem, "changed" if link(path, name) else "unchanged")
