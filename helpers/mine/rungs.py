"""What the reader writes, rung by rung: the parts of the translator, in the order of the chapters."""

import ast
import functools
import importlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from torch import nn

import helpers

# What later chapters add to a part, and the first hand that writes it need not know.
LATER = {
    "cache",
    "need_weights",
    "offset",
    "choose",
    "decoding",
    "penalty",
    "device",
    "scaling",
    "rotary",
    "bias",
}


@dataclass(frozen=True)
class Part:
    """A class or function that the reader writes.

    Args:
        name: as in helpers.
        module: of helpers that has it.
        rung: name of its rung, and of the file in mine/.
    """

    name: str
    module: str
    rung: str

    @property
    def ours(self):
        """The class or function of helpers."""
        return getattr(importlib.import_module(f"helpers.{self.module}"), self.name)

    @property
    def is_class(self):
        """Whether it is a class."""
        return isinstance(self.ours, type)

    @property
    def is_module(self):
        """Whether it is an `nn.Module`, with weights that an adapter names."""
        return self.is_class and issubclass(self.ours, nn.Module)


# The rungs: {name: (chapter, {module of helpers: parts})}.
RUNGS = {
    "tokenization": ("01", {"tokenization": ["BPETokenizer"]}),
    "embedding": (
        "02",
        {"embedding": ["TokenEmbedding"], "positional_encoding": ["SinusoidalPositionalEncoding"]},
    ),
    "attention": ("04", {"attention": ["scaled_dot_product_attention"]}),
    "multi_head_attention": ("05", {"multi_head_attention": ["MultiHeadAttention"]}),
    "masking": ("06", {"masking": ["padding_mask", "causal_mask", "combine_masks"]}),
    "layers": ("07", {"layers": ["LayerNorm", "FeedForward"]}),
    "encoder": ("08", {"encoder": ["EncoderLayer", "Encoder"]}),
    "decoder": ("09", {"decoder": ["DecoderLayer", "Decoder"]}),
    "transformer": ("10", {"transformer": ["Transformer"]}),
    "training": ("11", {"training": ["token_loss", "inverse_sqrt"], "mine.training": ["train_step"]}),
    "decoding": ("12", {"decoding": ["generate", "beam_search"]}),
    "cache": ("12", {"decoding": ["KVCache"]}),
    "language_model": ("15", {"language_model": ["LanguageModel"]}),
    "modern": (
        "16",
        {"modern": ["RMSNorm", "RotaryEmbedding", "SwiGLU", "GroupedQueryAttention"]},
    ),
}
BONUS = "cache", "language_model", "modern"  # beyond the translator
PARTS = {
    name: Part(name, module, rung)
    for rung, (_, modules) in RUNGS.items()
    for module, names in modules.items()
    for name in names
}


def parts_of(rung):
    """The parts of a rung.

    Args:
        rung: its name.

    Returns:
        List of `Part`.
    """
    return [part for part in PARTS.values() if part.rung == rung]


def source_of(module):
    """The source of a module of helpers.

    Args:
        module: its name, without "helpers.".

    Returns:
        Text.
    """
    path = Path(helpers.__file__).parent / f"{module.replace('.', '/')}.py"
    return path.read_text(encoding="utf-8")


@functools.cache
def section_of(name):
    """Where the course builds a part.

    Args:
        name: of the part.

    Returns:
        Its section, such as "5.7"; its chapter, such as "5", where the notebooks are not at hand.
    """
    chapter = RUNGS[PARTS[name].rung][0] if name != "SinusoidalPositionalEncoding" else "03"
    section = str(int(chapter))
    for path in (Path(helpers.__file__).parents[1] / "notebooks").glob(f"{chapter}_*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                section = ([section] + re.findall(r"^## (\d+\.\d+)", source, re.M))[-1]
            elif re.search(rf"^(class|def) {name}\b", source, re.M):
                return section
    return str(int(chapter))


def definition(tree, name):
    """A class or function of a module.

    Args:
        tree: syntax tree of the module.
        name: of the definition.

    Returns:
        Its node, the last of this name; or None.
    """
    kinds = ast.ClassDef, ast.FunctionDef
    return next((node for node in tree.body[::-1] if isinstance(node, kinds) and node.name == name), None)
