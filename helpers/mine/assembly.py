"""A translator of both hands: what the reader has written, and the course's own parts for the rest."""

import ast
import inspect
import types
from types import SimpleNamespace

from torch import nn
from torch.nn import functional as F

from helpers.mine.rungs import LATER, PARTS, source_of
from helpers.mine.yours import find, is_written_in, load

# The modules of helpers that make a translator, from the bottom up.
MODULES = (
    "tokenization",
    "embedding",
    "positional_encoding",
    "attention",
    "multi_head_attention",
    "masking",
    "layers",
    "encoder",
    "decoder",
    "transformer",
    "training",
    "mine.training",
    "decoding",
    "language_model",
    "modern",
)


def assemble(up_to="decoding"):
    """The modules of the course, run again with the reader's parts in the places of ours.

    Args:
        up_to: the last module; those above it are left out.

    Returns:
        {name of a module: module}.

    Raises:
        Whatever the reader's files raise when they are read.
    """
    made = {}
    for name in MODULES[: MODULES.index(up_to) + 1]:
        module = types.ModuleType(f"helpers.{name}")
        tree = ast.parse(source_of(name))
        exec(compile(tree, module.__name__, "exec"), vars(module))
        for node in tree.body:
            source = getattr(node, "module", None) or ""
            if isinstance(node, ast.ImportFrom) and source.removeprefix("helpers.") in made:
                for alias in node.names:
                    setattr(module, alias.name, getattr(made[source.removeprefix("helpers.")], alias.name))
        for part in PARTS.values():
            if part.module == name and (own := find(part.name)):
                setattr(module, part.name, adapted(part, own))
        made[name] = module
    attention = made["attention"].scaled_dot_product_attention if "attention" in made else None
    if "multi_head_attention" in made and attention.__module__ != "helpers.attention":
        made["multi_head_attention"].F = SimpleNamespace(  # in place of PyTorch's fused kernel
            dropout=F.dropout,
            scaled_dot_product_attention=lambda q, k, v, attn_mask, **_: attention(q, k, v, attn_mask)[0],
        )
    return made


def adapted(part, own):
    """The reader's part, to be used like ours.

    Args:
        part: a `Part`.
        own: as from `find`.

    Returns:
        A function, or a class.
    """
    if not part.is_module:
        return own if not part.is_class else own.make
    names = [name for name in inspect.signature(part.ours.forward).parameters][1:]

    class Adapted(nn.Module):
        def __init__(self, *sizes):
            super().__init__()
            self.mine = own.make(*sizes)

        def forward(self, *inputs, **others):
            given = dict(zip(names, inputs, strict=False)) | others
            kept = [given[name] for name in names if name in given and name not in LATER]
            result = own.call(self.mine, *kept)
            returns_weights = part.name == "MultiHeadAttention"
            return (result, None) if returns_weights and not isinstance(result, tuple) else result

        def tensors_of_mine(self):
            return own.tensors(self.mine)

        def __getattr__(self, name):
            try:
                return super().__getattr__(name)
            except AttributeError:
                mine = super().__getattr__("mine")
                return getattr(mine, name) if hasattr(mine, name) else tensor_of(own.tensors(mine), name)

    Adapted.__name__ = Adapted.__qualname__ = part.name
    Adapted.__module__ = "mine"
    return Adapted


def tensor_of(found, name):
    """What an adapter calls so.

    Raises:
        AttributeError: nothing.
    """
    if name not in found:
        raise AttributeError(name)
    return found[name]


def yours_or_ours(name):
    """What `from mine import …` gives: the reader's part where it is written, else that of the course.

    Args:
        name: of a part.

    Returns:
        A class or function.

    Raises:
        AttributeError: no part is called so.
    """
    if name not in PARTS:
        raise AttributeError(f"mine: {name} is no part; the parts are {', '.join(PARTS)}")
    if is_written_in(name, PARTS[name].rung):
        return getattr(load(PARTS[name].rung), name)
    return getattr(assemble(PARTS[name].module)[PARTS[name].module], name)
