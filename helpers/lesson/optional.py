"""Cells that need SmolLM2, where it is not installed: they are skipped, and say how to get it. Chapter 18."""

import ast
import importlib.util
import symtable

from helpers.engine.languages import say
from helpers.published.chat import find_smollm2

OPENS = {"find_smollm2"}  # what a cell reads that opens the model


def smollm2_is_missing():
    """Whether the model, or what reads it, is not installed.

    Returns:
        A bool.
    """
    try:
        find_smollm2()
    except ValueError:
        return True
    return importlib.util.find_spec("gguf") is None


def skip_without_smollm2():
    """Where SmolLM2 is missing, each later cell that needs it says so instead of running.

    A cell needs it that reads `find_smollm2`, or a name that a skipped cell would have made.
    """
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        return
    shell.ast_transformers = [part for part in shell.ast_transformers if not isinstance(part, Skipping)]
    if smollm2_is_missing():
        shell.ast_transformers.append(Skipping())
        say_missing()


def say_missing():
    """Say in one line a language how to get the model."""
    say(
        "… SmolLM2가 없어서 건너뜁니다. 터미널: make smollm",
        "… Skipped: SmolLM2 is missing. In a terminal: make smollm",
    )


class Skipping:
    """Puts `say_missing` in the place of each cell that needs the model, as an AST transformer of IPython."""

    def __init__(self):
        self.missing = set(OPENS)

    def visit(self, tree):
        """A cell as it is, or what is said instead.

        Args:
            tree: the syntax tree of the cell.

        Returns:
            A syntax tree.
        """
        read, made = names_of(ast.unparse(tree))
        if not read & self.missing:
            self.missing -= made - OPENS
            return tree
        self.missing |= made
        said = f"from {__name__} import say_missing as _say_missing; _say_missing()"
        return ast.parse(said)


def names_of(source):
    """The names that a cell has from other cells or makes for them.

    Args:
        source: of the cell.

    Returns:
        Two sets: the names that it reads, those of its functions included; and those that it makes.
    """
    top = symtable.symtable(source, "cell", "exec")
    made = {name.get_name() for name in top.get_symbols() if name.is_assigned()}
    imported = {name.get_name() for name in top.get_symbols() if name.is_imported()}
    read, tables = set(), [top]
    while tables:
        current = tables.pop()
        tables += current.get_children()
        names = [name for name in current.get_symbols() if name.is_referenced()]
        read |= {name.get_name() for name in names if current is top or name.is_global()}
    return read - imported | (read & OPENS), made | imported
