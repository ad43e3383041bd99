"""Rules for what is stored. A rule takes a notebook and its path and returns a list of problems."""

import ast
import re
from urllib.parse import unquote

import nbformat

from approximate import WITHIN, alt_text
from notebook_parts import HEADING, code_cells, printed, prose_cells, tags, trees
from project import FENCE, METADATA, OF_PICTURES, checksum, code_up_to, metadata_of, pictures_of
from rules_prose import targets

SPOKEN = re.compile(r"\.(words|lines|show)$")  # what takes a pair of texts
TWO = re.compile(r"[가-힣].*[A-Za-z]{2}|[A-Za-z]{2}.*[가-힣]", re.S)
DIAGRAM = re.compile(r"\bCanvas\(|\bmodel_map\(")
PLACE = re.compile(r"(?<![\w.])/(?:home|Users|tmp|root|usr|var|opt|work|private)/|\bC:\\|site-packages")
ADDRESS = re.compile(r"(?<![0-9])0x[0-9a-f]{6,}", re.I)
TIMESTAMP = re.compile(r"\b\d{1,2}:\d\d:\d\d\b|\b20\d\d-\d\d-\d\d\b")
UNCOMPARED = {"nbval-ignore-output", "nbval-skip", "nbval-raises-exception", "raises-exception"}
MARKER = re.compile(r"^\s*#+ *(?:NBVAL_[A-Z_]+|PYTEST_VALIDATE_IGNORE_OUTPUT)\s*$", re.M)


def run_in_order(nb, path):
    """Every code cell has run, 1…n. (nbval passes a cell that has not run without comparing it.)"""
    counts = [(i, n, cell.execution_count) for n, (i, cell) in enumerate(code_cells(nb), start=1)]
    return [f"cell {i}: execution count {count}, expected {n}" for i, n, count in counts if count != n]


def no_errors_or_warnings(nb, path):
    """No output is an error, was printed to stderr, or warns."""
    problems = []
    for i, cell in code_cells(nb):
        for out in cell.outputs:
            problems += [f"cell {i}: stored error {out.ename}"] if out.output_type == "error" else []
            problems += [f"cell {i}: stored stderr"] if out.get("name") == "stderr" else []
        problems += [f"cell {i}: stored warning" for text in printed(cell) if "warning" in text.lower()]
    return problems


def nothing_of_this_machine(nb, path):
    """No path of a machine in any cell; no memory address or time of day in any output."""
    problems = []
    for i, cell in enumerate(nb.cells):
        output = "\n".join(printed(cell))
        for what, pattern, text in (
            ("path", PLACE, cell.source + "\n" + output),
            ("memory address", ADDRESS, output),
            ("timestamp", TIMESTAMP, output),
        ):
            problems += [f"cell {i}: {what} {match[0]!r}" for match in pattern.finditer(text)]
    return problems


def no_widgets(nb, path):
    """No state of widgets: GitHub does not show such notebooks."""
    problems = ["metadata: widgets"] if "widgets" in nb.metadata else []
    for i, cell in code_cells(nb):
        kinds = [kind for out in cell.outputs for kind in out.get("data", {})]
        problems += [f"cell {i}: {kind}" for kind in kinds if "widget" in kind]
    return problems


def no_semicolon_at_the_end(nb, path):
    """No output is hidden by a semicolon: nbval's kernel shows it all the same."""
    ends = [i for i, cell in code_cells(nb) if cell.source.rstrip().endswith(";")]
    return [f"cell {i}: ends with a semicolon; give the value a name" for i in ends]


def drawing_folded(nb, path):
    """A cell that draws a diagram and prints nothing is tagged `drawing`, so that its code is folded."""
    problems = []
    for i, cell in code_cells(nb):
        pictures = [out for out in cell.outputs if "image/png" in out.get("data", {})]
        only_draws = len(pictures) == len(cell.outputs) == 1
        if "drawing" in tags(cell):
            if not only_draws:
                problems.append(f"cell {i}: tagged drawing, expected one picture and nothing else")
        elif only_draws and DIAGRAM.search(cell.source):
            problems.append(f"cell {i}: draws a diagram, expected the tag drawing")
    return problems


def figures_described(nb, path):
    """Every picture has an alt text, for those who do not see it."""
    return [
        f"cell {i}: a figure without a description; end with plots.show"
        for i, cell in code_cells(nb)
        for out in cell.outputs
        if "image/png" in out.get("data", {}) and not alt_text(out, "image/png")
    ]


def clean_file(nb, path):
    """Format 4.5, the course's metadata and no other but those of pictures, at most 1 MB."""
    problems = []
    if (nb.nbformat, nb.nbformat_minor) != (4, 5):
        problems.append(f"file: format {nb.nbformat}.{nb.nbformat_minor}, expected 4.5")
    if nb.metadata != METADATA:
        problems.append(f"file: metadata {dict(nb.metadata)}")
    for i, cell in enumerate(nb.cells):
        if cell.metadata != metadata_of(cell):
            problems.append(f"cell {i}: metadata {dict(cell.metadata)}, expected {metadata_of(cell)}")
        theirs = [dict(out.metadata) for out in cell.get("outputs", []) if out.get("metadata")]
        other = [found for found in theirs if not is_of_a_picture(found)]
        problems += [f"cell {i}: metadata of an output {found}" for found in other]
    size = len(nbformat.writes(nb).encode())
    return problems + ([f"file: {size:,} bytes"] if size > 1_000_000 else [])


def is_of_a_picture(metadata):
    """Whether the metadata of an output are those of a picture, with an alt text, and nothing else."""
    about = metadata.get("image/png", {})
    alt = about.get("alt")
    known = set(metadata) == {"image/png"} and set(about) <= set(OF_PICTURES)
    return known and isinstance(alt, str) and alt.strip() != ""


def figures_of_their_code(nb, path):
    """A stored picture, in each language, was drawn by its cell, after the code that stands above it."""
    problems = []
    for i, cell in code_cells(nb):
        for out in cell.outputs:
            about = out.get("metadata", {}).get("image/png", {})
            if "image/png" not in out.get("data", {}) or "drawing" not in tags(cell):
                continue
            if about.get("code") != checksum(code_up_to(nb, i)):
                problems.append(
                    f"cell {i}: the figure was drawn by other code; make notebooks draws it again"
                )
            elif about.get("pictures") != checksum(pictures_of(out)):
                problems.append(
                    f"cell {i}: a picture is not the one that was drawn; make notebooks draws it again"
                )
    return problems


def in_two(label):
    """Whether a label holds words of both languages; NaN and KV are words of both."""
    return TWO.search(re.sub(r"\b(?:NaN|KV)", "", label)) is not None


def labels_in_one_language(nb, path):
    """A label stands in the language that the reader chose: plots.words(ko, en), not “키 key”."""
    problems = []
    for i, tree in trees(nb):
        if "drawing" not in tags(nb.cells[i]):
            continue
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        spoken = [call for call in calls if SPOKEN.search(ast.unparse(call.func))]
        paired = {id(part) for call in spoken for part in ast.walk(call)}
        problems += [
            f"cell {i}: label {ast.unparse(part)} in two languages; use plots.words"
            for part in ast.walk(tree)
            if isinstance(part, ast.Constant) and id(part) not in paired and in_two(str(part.value))
        ]
    return problems


def setup_comes_first(nb, path):
    """The first code cell, and no other, is tagged `setup`."""
    found = [n for n, (_, cell) in enumerate(code_cells(nb), start=1) if "setup" in tags(cell)]
    return [] if found == [1] else [f"all cells: code cells tagged setup: {found}, expected [1]"]


def setup_is_short(nb, path):
    """The setup cell has at most six lines that are not blank."""
    setup = [(i, cell.source.split("\n")) for i, cell in code_cells(nb) if "setup" in tags(cell)]
    sizes = [(i, sum(bool(line.strip()) for line in lines)) for i, lines in setup]
    return [f"cell {i}: {size} lines of setup" for i, size in sizes if size > 6]


def setup_is_the_same(notebooks):
    """The setup cell is the same in all chapters, but for pyplot, which only those import that plot."""
    sources = {
        cell.source.removeprefix("import matplotlib.pyplot as plt\n")
        for nb in notebooks
        for _, cell in code_cells(nb)
        if "setup" in tags(cell)
    }
    return [] if len(sources) == 1 else [f"{len(sources)} different setup cells"]


def every_cell_is_compared(nb, path):
    """No cell is left out when nbval compares; what differs from machine to machine stands after ≈."""
    found = [(i, UNCOMPARED & set(tags(cell)), MARKER.search(cell.source)) for i, cell in code_cells(nb)]
    return [f"cell {i}: not compared; print ≈" for i, by_tag, by_comment in found if by_tag or by_comment]


def tolerances_are_used(nb, path):
    """A tag within-N% is above the usual 10 % and at most 100 %; one of each kind, and the cell prints ≈."""
    problems = []
    for i, cell in code_cells(nb):
        found = [tag for tag in tags(cell) if tag.startswith("within")]
        if len({tag.endswith("%") for tag in found}) < len(found):
            problems.append(f"cell {i}: {' and '.join(found)}; one is enough")
        for tag in found:
            number = WITHIN.fullmatch(tag)
            if not number or not 10 < int(number["percent"] or 11) <= 100 or not float(number["least"] or 1):
                problems.append(
                    f"cell {i}: {tag}; say within-N%, with N above 10 and at most 100, or within-0.05"
                )
            if not any("≈" in text for text in printed(cell)):
                problems.append(f"cell {i}: {tag}, but the cell prints no ≈")
    return problems


def anchors(path, text):
    """The places in a page that a link can name, as JupyterLab (.ipynb) or GitHub (.md) makes them."""
    names = [re.sub(r"[`*]", "", title) for title in HEADING.findall(FENCE.sub("", text))]
    if path.suffix == ".md":
        names = [re.sub(r"[^\w -]", "", name.lower()) for name in names]
    return {name.replace(" ", "-") for name in names} | set(re.findall(r'\bid="([^"]+)"', text))


def page(path):
    """The Markdown of a file."""
    if path.suffix == ".ipynb":
        return "\n\n".join(source for _, source in prose_cells(nbformat.read(path, as_version=4)))
    return path.read_text("utf-8")


def dead_links(text, path):
    """The local links and pictures of a page that lead nowhere."""
    dead = []
    for target in targets(text):
        place, _, anchor = unquote(target).partition("#")
        file = path.parent / place if place else path
        if re.match(r"[a-z]+:", target):
            continue  # an address
        if place and not file.exists():
            dead.append(target)
        elif anchor and anchor not in anchors(file, page(file) if place else text):
            dead.append(target)
    return dead


def links_lead_somewhere(nb, path):
    """Every local link and picture exists, and so does the place in the page that it names."""
    text = "\n\n".join(source for _, source in prose_cells(nb))
    return [f"all cells: dead link {target}" for target in dead_links(text, path)]


RULES = [
    run_in_order,
    no_errors_or_warnings,
    nothing_of_this_machine,
    no_widgets,
    no_semicolon_at_the_end,
    drawing_folded,
    figures_described,
    figures_of_their_code,
    labels_in_one_language,
    clean_file,
    setup_comes_first,
    setup_is_short,
    every_cell_is_compared,
    tolerances_are_used,
    links_lead_somewhere,
]
