"""What the reader has written: found in mine/, by the names of the course or through mine/adapters.py."""

import ast
import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace

from helpers.engine.project import readers_project
from helpers.mine.rungs import PARTS, definition


def folder():
    """Where the reader writes: mine/ here, or else that of the project, if there is one.

    Returns:
        Path; it need not exist yet.
    """
    here = Path.cwd() / "mine"
    return here if here.is_dir() else (readers_project() or Path.cwd()) / "mine"


def forget():
    """Read the reader's files anew at the next import."""
    importlib.invalidate_caches()
    for name in [name for name in sys.modules if name == "mine" or name.startswith("mine.")]:
        del sys.modules[name]


def load(name):
    """A module of the reader.

    Args:
        name: "adapters", or that of a rung.

    Returns:
        The module; None if there is no such file.

    Raises:
        Whatever the module raises.
    """
    place = folder()
    if not (place / f"{name}.py").is_file():
        return None
    loaded = sys.modules.get("mine")
    if not loaded or Path(loaded.__file__).parent != place:
        forget()
        spec = importlib.util.spec_from_file_location(
            "mine", place / "__init__.py", submodule_search_locations=[str(place)]
        )
        sys.modules["mine"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["mine"])
    return importlib.import_module(f"mine.{name}")


def is_written(node):
    """Whether a definition holds more than a stub.

    Args:
        node: of a class or function, or None.

    Returns:
        False if it is missing, or it or a method of it raises NotImplementedError right away.
    """
    if node is None:
        return False
    bodies = [item.body for item in node.body if isinstance(item, ast.FunctionDef)] or [node.body]
    return not any(
        ast.unparse(line).startswith("raise NotImplementedError") for body in bodies for line in body
    )


def is_written_in(name, file, before=()):
    """Whether a definition is written in a file of the reader, or in another from which this one imports it.

    Args:
        name: of the definition.
        file: without ".py".
        before: the files that lead here by their imports.

    Returns:
        bool.

    Raises:
        SyntaxError: the file is no Python.
        ValueError: as `source_of_yours`.
    """
    path = folder() / f"{file}.py"
    if not path.is_file():
        return False
    tree = ast.parse(source_of_yours(path), str(path))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (other := file_of(node)) not in (None, file, *before):
            for found in node.names:
                wanted = name if found.name == "*" else found.name
                if name in (found.asname, wanted) and is_written_in(wanted, other, (*before, file)):
                    return True
    return is_written(definition(tree, name))


def file_of(node):
    """The file of the reader from which a line imports, without ".py"; None where it is no file of theirs."""
    module = node.module or ""
    if node.level == 0:
        first, _, module = module.partition(".")
        module = module if first == "mine" else ""
    return module or None


def source_of_yours(path):
    """What stands in a file of the reader, whose editor may have put a byte order mark in front.

    Args:
        path: of the file.

    Returns:
        Text.

    Raises:
        ValueError: it is not UTF-8, as files of some editors on Windows.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"mine: {path.name} is not UTF-8; save it in this encoding") from None


def find(name):
    """The reader's own part, and how to deal with it.

    Args:
        name: of a part.

    Returns:
        None if it is not written yet. Of a function, the function; of a class a namespace with make(*sizes),
        call(mine, *inputs) and tensors(mine), which says which of its tensors is which of ours.

    Raises:
        Whatever the reader's files raise when they are read.
    """
    part = PARTS[name]
    adapter = (
        getattr(load("adapters"), name, None) if is_written_in(name, "adapters") or part.is_module else None
    )
    own = getattr(load(part.rung), name) if is_written_in(name, part.rung) else None
    if not part.is_class:
        return adapter or own
    blank = not is_written_in(name, "adapters")
    made = own if part.is_module else adapter  # of another class the adapter may itself be what makes it
    make = own if blank else getattr(adapter, "make", made)
    if make is None:
        return None
    return SimpleNamespace(
        make=make,
        call=getattr(adapter, "call", lambda mine, *inputs: mine(*inputs)),
        tensors=getattr(adapter, "tensors", by_name),
    )


def needed(name):
    """The parts that stand in a part of the reader, and in these, by the names in the files.

    Args:
        name: of a part.

    Returns:
        Their names, in the order of the chapters.
    """
    found = names_used(PARTS[name].rung)
    for lower in list(PARTS)[list(PARTS).index(name) :: -1]:  # downwards: each file once
        if lower in found:
            found |= names_used(PARTS[lower].rung)
    return [lower for lower in list(PARTS)[: list(PARTS).index(name)] if lower in found]


def names_used(rung):
    """The names of parts that the reader's file of a rung uses."""
    path = folder() / f"{rung}.py"
    try:
        tree = ast.parse(source_of_yours(path))
    except (OSError, SyntaxError, ValueError):
        return set()
    nodes = list(ast.walk(tree))
    renamed = {node.asname: node.name for node in nodes if isinstance(node, ast.alias) and node.asname}
    return {renamed.get(node.id, node.id) for node in nodes if isinstance(node, ast.Name)} & PARTS.keys()


def by_name(module):
    """The tensors of a module that has the names of the course.

    Args:
        module: `nn.Module`.

    Returns:
        {name: parameter or module}.
    """
    children = {name: child for name, child in module._modules.items() if child is not None}
    return dict(module.named_parameters(recurse=False)) | children  # one that comes twice, too
