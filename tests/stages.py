"""A class of helpers as an earlier chapter shows it, and the methods that a later chapter gives it."""

import ast
import copy


class Without(ast.NodeTransformer):
    """The stage of a class before it knew some names: what is left without all that hangs on them."""

    def __init__(self, names):
        self.names = names

    def knows(self, node):
        return any(self.is_later(n) for n in ast.walk(node))

    def is_later(self, node):
        is_name = isinstance(node, ast.Name) and node.id in self.names
        return is_name or isinstance(node, ast.Attribute) and f".{node.attr}" in self.names

    def visit_arguments(self, node):
        first = len(node.args) - len(node.defaults)  # of those with a default
        kept = [i for i, argument in enumerate(node.args) if argument.arg not in self.names]
        node.defaults = [node.defaults[i - first] for i in kept if i >= first]
        node.args = [node.args[i] for i in kept]
        return node

    def visit_Call(self, node):
        node.args = [argument for argument in node.args if not self.knows_alone(argument)]
        node.keywords = [keyword for keyword in node.keywords if not self.knows_alone(keyword.value)]
        return self.generic_visit(node)

    def knows_alone(self, node):
        return isinstance(node, ast.Name) and node.id in self.names

    def visit_If(self, node):
        self.generic_visit(node)
        return node.orelse if self.knows(node.test) else node

    def visit_Assign(self, node):
        gone = any(map(self.knows, node.targets)) or self.is_call_of_one(node.value)
        return None if gone else self.generic_visit(node)

    def visit_Expr(self, node):
        return None if self.is_call_of_one(node.value) else self.generic_visit(node)

    def is_call_of_one(self, node):
        return isinstance(node, ast.Call) and self.knows_alone(node.func)

    def visit_FunctionDef(self, node):
        node.decorator_list = [each for each in node.decorator_list if not self.knows_alone(each)]
        return self.generic_visit(node)

    def visit_ClassDef(self, node):
        node.body = [part for part in node.body if getattr(part, "name", None) not in self.names]
        return self.generic_visit(node)

    def visit_Subscript(self, node):
        return self.visit(node.value) if self.knows(node.slice) else self.generic_visit(node)


def without(node, names):
    """The syntax tree of a definition, as text, at the stage before it knew these names."""
    return ast.dump(Without(names).visit(copy.deepcopy(node)))


def methods(tree):
    """{Class.method: function} of the classes of a module."""
    return {
        f"{node.name}.{method.name}": method
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for method in node.body
        if isinstance(method, ast.FunctionDef)
    }


def given_methods(tree):
    """{Class.method: function} of what a cell gives to a class: Class.method = function."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return {
        ast.unparse(node.targets[0]): functions[ast.unparse(node.value)]
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Attribute)
        and ast.unparse(node.value) in functions
    }


def as_text(function, names=frozenset()):
    """A function as text, at the stage before it knew these names; its own name and docstring aside."""
    function = Without(names).visit(copy.deepcopy(function))
    function.name = ""
    if ast.get_docstring(function) is not None:
        del function.body[0]
    return ast.dump(function)
