"""What an answer calls of PyTorch and of the course, under whatever name, where an exercise forbids it."""

import sys

from torch.overrides import TorchFunctionMode

from helpers import multi_head_attention


class Watch(TorchFunctionMode):
    """Within, forbidden functions and classes that PyTorch computes with are noted in `used`, a set of names.

    What counts is what a thing is called where it is defined, in torch or in helpers: an alias or getattr
    does not hide it, and what readers define themselves may have any name.

    Args:
        names: of functions, classes or modules that are forbidden.
        own: the file of the answer, or its cell: a function of the page that is the same as in helpers was
            defined in another.
    """

    def __init__(self, names, own):
        super().__init__()
        self.names, self.own, self.used = set(names), own, set()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        """PyTorch calls this in place of each of its functions, with those that called it on the stack."""
        called = {getattr(function, "__name__", "")}
        frame = sys._getframe(1)
        while frame:
            called |= self.names_of(frame)
            frame = frame.f_back
        self.used |= called & self.names
        return function(*args, **(kwargs or {}))

    def names_of(self, frame):
        """The names of a function that is running, of its class and modules, if torch or the course has it.

        Args:
            frame: of the stack.

        Returns:
            A set of str.
        """
        code, module = frame.f_code, str(frame.f_globals.get("__name__")).split(".")
        if module[0] in ("torch", "helpers"):
            return {*module, *code.co_qualname.split(".")}
        ours = getattr(getattr(multi_head_attention, code.co_name, None), "__code__", None)
        is_copy = ours is not None and code.co_code == ours.co_code and code.co_filename != self.own
        return {code.co_name} if is_copy else set()
