"""The folder mine/: names, signatures and shapes of every part, made from helpers, without bodies."""

import ast
import copy
import dataclasses
import inspect
import re
import textwrap

from torch import nn

from helpers.encoder import StackConfig
from helpers.engine.files import write_whole
from helpers.language_model import LanguageModelConfig
from helpers.mine.rungs import LATER, PARTS, RUNGS, definition, parts_of, section_of, source_of
from helpers.mine.trials import trials
from helpers.mine.yours import folder
from helpers.transformer import TransformerConfig

CHOICES = "activation", "final_norm", "positions", "tie_embeddings", "tie_generator"  # of a config
EMPTY = "raise NotImplementedError"
METHODS = "__init__", "__len__", "encode", "decode", "length", "begin_pass", "append", "reorder"
PACKAGE = '''\
"""나의 트랜스포머: 내가 쓴 것은 내 파일에서, 아직 쓰지 않은 것은 강의에서 옵니다.

My Transformer: what I have written comes from my files, all else from the course.
"""

from helpers.mine.assembly import yours_or_ours as __getattr__  # noqa: F401
'''
HEAD = '''\
"""{chapter}장을 덮고 여기에 쓰세요. 검사: python -m helpers mine check {rung}

Close chapter {chapter}, and write it here. Check it: python -m helpers mine check {rung}
"""

import math  # noqa: F401

import torch  # noqa: F401
from torch import nn  # noqa: F401
'''
ADAPTERS = '''\
"""내 텐서 가운데 어느 것이 W_Q이고 어느 것이 W_K인가. 강의와 이름이 같으면 고칠 것이 없습니다.

이름이나 모양이 다르면 `tensors`의 오른쪽을 고치세요. 자르거나 뒤집은(.T) 것, 합쳐 둔 것도 됩니다.
선형 층은 층을 통째로 적거나, "w_q.weight" (출력, 입력)과 "w_q.bias" (출력)로 나누어 적습니다. x @ W처럼 쓰는
W (입력, 출력)이라면 "w_q.weight": mine.W.T입니다. 없는 텐서는 None으로 적으세요.
만드는 방법이나 부르는 방법이 다르면 `make(…)`나 `call(mine, …)`도 쓰세요.

Which of my tensors is W_Q, which is W_K? Where the names are the course's, there is nothing to change.
Else change what stands on the right in `tensors`: slices, .T and stacked matrices are fine. A linear
layer is given whole, or as "w_q.weight" (out, in) and "w_q.bias" (out): for a W (in, out), used as x @ W,
write "w_q.weight": mine.W.T. None is for what you do not have. If your part is
made or called in another way, write `make(…)` or `call(mine, …)`, too.
"""
'''


def write_folder(blank=False):
    """Write what is missing in mine/; what is there stays.

    Args:
        blank: only adapters, with the ways to make and call each part, and what it takes and returns: the
            reader's files are their own.

    Returns:
        List of the paths that were written.
    """
    written = []
    for name, text in files(blank).items():
        path = folder() / name
        if not path.exists():
            write_whole(path, text.encode())
            written.append(path)
    return written


def files(blank=False):
    """All files of mine/.

    Args:
        blank: as for `write_folder`.

    Returns:
        {name: source}.
    """
    found = {"__init__.py": PACKAGE, "adapters.py": adapters(blank)}
    return found if blank else found | {f"{rung}.py": stub(rung) for rung in RUNGS}


def stub(rung):
    """The file of a rung: its parts with empty bodies.

    Args:
        rung: its name.

    Returns:
        Its source.
    """
    chapter, modules = RUNGS[rung]
    below = []
    nodes = []
    for module in modules:
        tree = ast.parse(source_of(module))
        imported = {
            alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
        }
        below += [name for name, part in PARTS.items() if name in imported and part.rung != rung]
        nodes += [(name, definition(tree, name)) for name in modules[module]]
    text = HEAD.format(chapter=int(chapter), rung=rung)
    if below:
        names = textwrap.fill(", ".join(below) + ",", 100, initial_indent="    ", subsequent_indent="    ")
        text += f"\nfrom mine import (  # noqa: F401\n{names}\n)\n"
    for name, node in nodes:
        text += f"\n\n# {section_of(name)}\n{ast.unparse(emptied(node))}\n"
    return text


def emptied(node):
    """A definition without its bodies, and without what later chapters add.

    Args:
        node: of a class or function.

    Returns:
        A new node.
    """
    node = copy.deepcopy(node)
    node.decorator_list = []
    if isinstance(node, ast.FunctionDef):
        without_later(node.args)
        documented(node)
        node.body = node.body[:1] + ast.parse(EMPTY).body
        return node
    methods = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
    public = ("__init__", "forward") if "forward" in methods else METHODS
    kept = [methods[name] for name in public if name in methods]
    special = [part for part in node.body if isinstance(part, ast.Assign) and "eos_id" in ast.unparse(part)]
    documented(node)
    node.body = node.body[:1] + special
    for method in kept:
        without_later(method.args)
        has_text = ast.get_docstring(method) is not None
        if has_text:
            documented(method)
        is_new = method.name == "__init__" and [ast.unparse(base) for base in node.bases] == ["nn.Module"]
        begin = ast.parse("super().__init__()").body if is_new else []
        method.body = [*(method.body[:1] if has_text else []), *begin, *ast.parse(EMPTY).body]
        node.body.append(method)
    return node


def without_later(arguments):
    """Take arguments of later chapters out of a signature."""
    first = len(arguments.args) - len(arguments.defaults)
    kept = [i for i, argument in enumerate(arguments.args) if argument.arg not in LATER]
    arguments.defaults = [arguments.defaults[i - first] for i in kept if i >= first]
    arguments.args = [arguments.args[i] for i in kept]


def documented(node):
    """Take out of a docstring what later chapters add and what is raised, and say what a config has."""
    text = ast.get_docstring(node, clean=False)
    text = re.sub(r"\n *Raises:\n(?: {8,}.*\n)*", "", text)
    text = re.sub(r"; with a cache,[^.]*", "", text)
    for name in LATER:
        text = re.sub(rf"; with `{name}`,[^.]*", "", text)
        text = re.sub(rf"^( +){name}: .*\n(?:\1 +.*\n)*", "", text, flags=re.M)  # an entry of its own
        text = re.sub(rf"^( +(?:\w+, )*){name}, (?=[\w, ]+: )", r"\1", text, flags=re.M)  # one of several
        text = re.sub(rf"^( +(?:\w+, )*\w+), {name}(?=: )", r"\1", text, flags=re.M)
        text = re.sub(rf",(?: and)? {name} as in `\w+`", "", text)
    for config in (StackConfig, TransformerConfig, LanguageModelConfig):
        text = text.replace(f"config: a `{config.__name__}`.", fields_of(config))
    node.body[0].value.value = re.sub(r"\n{3,}", "\n\n", text)


def fields_of(config):
    """What a config has, as an entry of a docstring."""
    names = [field.name for field in dataclasses.fields(config)]
    choices = [name for name in names if name in CHOICES]
    names = ", ".join(name for name in names if name not in CHOICES)
    left = f"No check changes {', '.join(choices)} (final_norm: as norm_first)"
    lines = textwrap.wrap(f"config: with {names}. {left}; see `{config.__name__}` in helpers.", 94)
    return "\n            ".join(lines)


def adapters(blank):
    """The file of adapters.

    Args:
        blank: as for `write_folder`.

    Returns:
        Its source.
    """
    text = ADAPTERS
    for rung in RUNGS:
        for part in parts_of(rung):
            if part.is_module:
                text += f"\n\nclass {part.name}:\n"
                if blank:
                    text += said_of(part) + "\n"
                    sizes = arguments(part.ours.__init__)
                    inputs = arguments(part.ours.forward)
                    names = ", ".join(re.sub("=.*", "", one) for one in inputs)
                    text += f"    def make({', '.join(sizes)}):\n        {EMPTY}\n\n"
                    text += f"    def call(mine, {', '.join(inputs)}):\n        return mine({names})\n\n"
                entries = ",\n            ".join(f'"{name}": {as_code(name)}' for name in tensor_names(part))
                body = f"{{\n            {entries},\n        }}" if entries else "{}"
                text += f"    def tensors(mine):\n        return {body}\n"
            elif blank:
                text += f"\n\ndef {part.name}({', '.join(arguments(part.ours))}):\n"
                text += f"{said_of(part)}    {EMPTY}\n"
    return text


def said_of(part):
    """What a part is made of, is given and returns, as a docstring of an adapter.

    Args:
        part: a `Part`.

    Returns:
        Lines, indented by 4.
    """
    node = emptied(definition(ast.parse(source_of(part.module)), part.name))
    methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
    texts = [ast.get_docstring(node)]
    for method in methods:
        if method.name not in {"__init__", "__len__"} and (said := ast.get_docstring(method)):
            given = ast.unparse(method.args).removeprefix("self").removeprefix(", ")
            texts.append(f"{method.name}({given}): {said}")
    text = "\n\n".join(texts) + "\n" * (len(texts) > 1 or "\n" in texts[0])
    return textwrap.indent(f'"""{text}"""\n', "    ", lambda line: line.strip())


def arguments(function):
    """The arguments of a function or method that the first hand writes.

    Args:
        function: of helpers.

    Returns:
        List of "name" or "name=default"; the model itself is left out.
    """
    found = inspect.signature(function).parameters.values()
    return [str(one) for one in found if one.name not in {*LATER, "self"}]


def tensor_names(part):
    """The parameters and modules that a part of helpers holds.

    Args:
        part: a `Part` that is a class.

    Returns:
        List of names, such as "residuals.0.norm".
    """
    return names_in(part.ours(*trials(part.name)[-1].sizes))


def as_code(name):
    """A name such as "residuals.0.norm" as Python writes it: mine.residuals[0].norm.

    The third, which a decoder layer without cross-attention does not have, may be None.
    """
    code = "mine." + re.sub(r"\.(\d+)", r"[\1]", name)
    third = re.match(r"(\w+)\.2\.", name)
    return f"{code} if len(mine.{third[1]}) > 2 else None" if third else code


def names_in(module, before=""):
    """What a module holds, by name; whatever is neither a part nor a linear layer is taken apart."""
    found = [before + name for name, _ in module.named_parameters(recurse=False)]
    for name, child in module.named_children():
        kinds = {type(one).__name__ for one in (child if isinstance(child, nn.ModuleList) else [child])}
        if not list(child.parameters()):
            continue
        if kinds <= PARTS.keys() | {"Linear"}:
            found.append(before + name)
        else:
            found += names_in(child, f"{before}{name}.")
    return found
