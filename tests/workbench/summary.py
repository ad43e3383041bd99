"""The cell of a notebook that is its takeaways: the one tagged `summary`, which `make notebooks` writes."""

from helpers.lesson.takeaways import takeaways


def summary(notebook):
    """What stands below the heading of the summary: the takeaways as a list, in both languages."""
    found = takeaways(notebook)
    blocks = [
        f'<div lang="{language}">\n\n'
        + "\n".join(f"- {getattr(takeaway, language)}" for takeaway in found)
        + "\n\n</div>"
        for language in ("ko", "en")
    ]
    return "\n".join(blocks)


def summary_cells(notebook):
    return [cell for cell in notebook.cells if "summary" in cell.metadata.get("tags", [])]


def write_summary(notebook):
    """Write it into the notebook, under the heading that is there, if there is such a cell."""
    for cell in summary_cells(notebook):
        heading = cell.source.split("\n")[0]
        cell.source = f"{heading}\n\n{summary(notebook)}"
