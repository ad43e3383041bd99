"""make links: write the git remote into the setup cells, and the Colab badges into the title cells."""

import re
import subprocess
import sys

import nbformat

from project import ROOT, chapters, write

COLAB = "https://colab.research.google.com"


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


def link(path, name):
    """Write the address of the repository and the badge into one chapter; say whether it changed."""
    before = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    page = f"{COLAB}/github/{name}/blob/main/notebooks/{path.name}"
    badge = f'<a href="{page}"><img src="{COLAB}/assets/colab-badge.svg" alt="Open in Colab"></a>'
    for cell in notebook.cells:
        if "setup" in cell.metadata.get("tags", []):
            address = f'REPOSITORY = "https://github.com/{name}"'
            cell.source = re.sub(r'^REPOSITORY = ".*"$', address, cell.source, flags=re.M)
    title = notebook.cells[0]
    title.source = re.sub(r"^<!-- colab -->.*$", f"<!-- colab --> {badge}", title.source, flags=re.M)
    write(notebook, path)
    return path.read_bytes() != before


if __name__ == "__main__":
    try:
        name = repository(ROOT)
    except ValueError as error:
        sys.exit(str(error))
    for path in chapters():
        print(path.stem, "changed" if link(path, name) else "unchanged")
