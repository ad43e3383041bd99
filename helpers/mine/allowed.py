"""What a part must not be made of, known by what it is and not by its name."""

import inspect
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

CLASSES = (
    nn.MultiheadAttention,
    nn.Transformer,
    nn.TransformerEncoder,
    nn.TransformerDecoder,
    nn.TransformerEncoderLayer,
    nn.TransformerDecoderLayer,
)
FUNCTIONS = {
    F.scaled_dot_product_attention: "F.scaled_dot_product_attention",
    F.multi_head_attention_forward: "F.multi_head_attention_forward",
}
NORMS = {F.layer_norm: "F.layer_norm", torch.layer_norm: "torch.layer_norm"}  # all but LayerNorm may use them


class Watch(TorchFunctionMode):
    """Within, what is not allowed is noted in `used`, the name of the first such thing, or "".

    Args:
        part: the `Part` that is being tried; ours is not allowed in its place.
    """

    def __init__(self, part):
        super().__init__()
        self.part, self.used = part, ""
        self.functions = FUNCTIONS | (NORMS if part.name == "LayerNorm" else {})

    def __torch_function__(self, function, types, args=(), kwargs=None):
        """PyTorch calls this in place of each of its functions, with those that called it on the stack."""
        if not self.used:
            self.used = self.functions.get(function, "") if self.counts(sys._getframe(1)) else ""
            frame = sys._getframe(1)
            while frame and not self.used:
                self.used = self.name_of(frame)
                frame = frame.f_back
        return function(*args, **(kwargs or {}))

    def counts(self, frame):
        """Whether a function is called by the reader, and not by a part of the course below theirs."""
        while frame and not str(frame.f_globals.get("__name__")).startswith("mine"):
            if str(frame.f_globals.get("__name__")).startswith("helpers."):
                return False
            frame = frame.f_back
        return frame is not None

    def name_of(self, frame):
        """What runs in a frame, if it is not allowed; else ""."""
        if isinstance(module := frame.f_locals.get("self"), CLASSES):
            return f"nn.{type(module).__name__}"
        ours = self.part.ours
        inside = (
            isinstance(module, ours) if self.part.is_class else frame.f_code is inspect.unwrap(ours).__code__
        )
        return f"helpers.{self.part.module}.{self.part.name}" if inside else ""
