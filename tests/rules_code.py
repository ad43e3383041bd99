"""Rules for the code of a chapter. A rule takes a notebook and its path and returns a list of problems."""

import ast
import itertools
import re
import statistics
import warnings

from notebook_parts import DEPTHS, HELPERS, code_cells, read, tags, trees
from stages import as_text, given_methods, methods, without

TRAPS = {  # the defects whose symptoms a chapter shows
    "01": ["D01", "D02"],
    "02": ["D03"],
    "03": ["D04", "D06", "D08"],
    "04": ["D11", "D12", "D13"],
    "05": ["D15", "D16", "D17", "D18", "D20", "D21"],
    "06": ["D22", "D23", "D24", "D26"],
    "07": ["D27", "D28", "D29", "D30", "D31", "D32"],
    "08": ["D33", "D34", "D35"],
    "09": ["D39", "D40"],
    "10": ["D42", "D44"],
    # the slips of Python
    "14": ["D05", "D07", "D09", "D10", "D14", "D19", "D25", "D36", "D37", "D38", "D41", "D43"],
}
BUILT_TOO = ("engine/checkpoints.py",)  # besides the modules at the top of helpers
SHOWN = ("published/*.py", "engine/*.py")  # of these, a chapter may show a part
LATER = {  # names that a class of an earlier chapter does not know; with a dot, of attributes
    "need_weights": "06",
    ".dtype": "06",
    "dropout": "07",
    ".dropout": "07",
    "cache": "12",
    "past": "12",
    "first": "12",
}
ENGINE = {  # what no page shows of a class: checks of its input, what it remembers, how it is loaded
    "__post_init__",  # of a config: whether its values fit together
    "check_another_sentence",
    "check_beam",
    "check_contents",
    "check_finite",
    "check_fits",
    "check_gradients_left",
    "check_groups",
    "check_id",
    "check_ids",
    "check_later_token",
    "check_memory",
    "check_no_gaps",
    "check_pairs",
    "check_same_batch",
    "check_sampler",
    "check_search",
    "check_sizes",
    "check_split",
    "check_step",
    "check_swapped",
    "check_text",
    "check_texts",
    "check_tokens",
    "check_training",
    "check_values",
    "check_vocab_size",
    "from_merges",
    "remembered",
}
DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def definitions(tree, later=frozenset()):
    """{name: syntax tree without docstrings and later names, as text} of the top-level classes, functions."""
    for node in ast.walk(tree):
        if isinstance(node, DEFINITION) and ast.get_docstring(node) is not None:
            del node.body[0]
    return {node.name: without(node, later) for node in tree.body if isinstance(node, DEFINITION)}


def modules_built(helpers, more=BUILT_TOO):
    """{module: syntax tree} of the modules at the top of helpers, and of those that patterns name."""
    files = [file for file in helpers.glob("*.py") if file.stem not in ("__init__", "__main__")]
    files += [file for pattern in more for file in helpers.glob(pattern)]
    return {file.stem: ast.parse(file.read_text("utf-8")) for file in sorted(files)}


def public_definitions(modules, later=frozenset()):
    """{module: definitions} of the public names of each module, without the names that come later."""
    found = {module: definitions(tree, later) for module, tree in modules.items()}
    return {
        module: {name: tree for name, tree in named.items() if not name.startswith("_")}
        for module, named in found.items()
    }


def definitions_as_in_helpers(nb, path, helpers=HELPERS):
    """What a chapter defines under the name of a helper is that helper, docstrings aside.

    A class may stand in two stages: before chapter 12 it knows no cache. There, all that hangs on the names
    in LATER is taken out of the helper, and in every chapter what is in ENGINE. The methods that a later
    chapter gives it are compared, too.
    """
    later = frozenset(name for name, chapter in LATER.items() if path.name[:2] < chapter) | ENGINE
    modules = modules_built(helpers, SHOWN)
    theirs = {
        name: tree for found in public_definitions(modules, later).values() for name, tree in found.items()
    }
    problems = [
        f"cell {i}: {name} is not the one in helpers"
        for i, tree in trees(nb)
        for name, ours in definitions(tree).items()
        if theirs.get(name, ours) != ours
    ]
    theirs = {name: node for tree in modules.values() for name, node in methods(tree).items()}
    return problems + [
        f"cell {i}: {name} is not the method in helpers"
        for i, tree in trees(nb)
        for name, ours in given_methods(tree).items()
        if name in theirs and as_text(theirs[name], ENGINE) != as_text(ours)
    ]


def new_lines_are_marked(nb, path):
    """In the methods that a chapter gives a class, the lines with names that were not known say # new."""
    own = {name.lstrip(".") for name, chapter in LATER.items() if chapter >= path.name[:2]}
    problems = []
    for i, tree in trees(nb):
        lines = nb.cells[i].source.splitlines()
        for name, node in given_methods(tree).items():
            for line in lines[node.lineno - 1 : node.end_lineno]:
                knows = bool(set(re.findall(r"\w+", line.split("#")[0])) & own)
                if knows != ("# new" in line) and line.strip().split("  #")[0] != "else:":
                    problems.append(f"cell {i}: {name}: {line.strip()}")
    return problems


def helpers_built(notebooks, helpers=HELPERS):
    """Every public class and function of helpers, packages aside, is built in a chapter or a depth."""
    built = {name for nb in notebooks for _, tree in trees(nb) for name in definitions(tree)}
    return [
        f"helpers.{module}: {name} is built in no chapter"
        for module, names in sorted(public_definitions(modules_built(helpers)).items())
        for name in names
        if name not in built
    ]


def plain_python(nb, path):
    """A code cell is Python: no magics, no shell lines, nothing that the compiler warns about."""
    problems = []
    for i, cell in code_cells(nb):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                compile(cell.source, f"cell {i}", "exec")
        except SyntaxError as error:
            problems.append(f"cell {i}: not plain Python: {error.msg}")
        if "get_ipython" in cell.source:
            problems.append(f"cell {i}: get_ipython; the cell must run without IPython too")
    return problems


def rhythm(nb, path):
    """At most three cells of a kind in a row; a code cell has up to 45 lines, 60 with a class, median 15."""
    problems = []
    kinds = [(cell.cell_type, i) for i, cell in enumerate(nb.cells)]
    for kind, group in itertools.groupby(kinds, key=lambda pair: pair[0]):
        group = list(group)
        if len(group) > 3:
            problems.append(f"cell {group[3][1]}: the fourth {kind} cell in a row")
    lines = []
    for i, cell in code_cells(nb):
        lines.append(sum(bool(line.strip()) for line in cell.source.splitlines()))
        if lines[-1] > (60 if re.search("^class ", cell.source, re.M) else 45):
            problems.append(f"cell {i}: {lines[-1]} lines of code")
    if lines and statistics.median(lines) > 15:
        problems.append(f"all cells: the median of lines in a code cell is {statistics.median(lines)}")
    return problems


def traps_shown(nb, path):
    """The code cell that shows a defect's symptom, here or in a depth, is tagged with the defect's number."""
    if path in DEPTHS:
        return []
    of_chapter = [nb, *(read(depth) for depth in DEPTHS if depth.name[:2] == path.name[:2])]
    shown = {tag for notebook in of_chapter for _, cell in code_cells(notebook) for tag in tags(cell)}
    missing = [trap for trap in TRAPS.get(path.name[:2], []) if trap not in shown]
    return [f"all cells: no code cell is tagged {trap}" for trap in missing]


RULES = [definitions_as_in_helpers, new_lines_are_marked, plain_python, rhythm, traps_shown]
