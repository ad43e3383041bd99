"""Which number of the reader's part is which of ours: found once, used to copy weights either way."""

import torch
from torch import nn

from helpers.mine.rungs import PARTS
from helpers.mine.yours import by_name, find


class Matching:
    """The parameters of a part of the reader, under the names and in the shapes of ours.

    The reader's parameters are filled with numbers 0, 1, 2, …; what the adapter then returns says where each
    of ours lies, however it was sliced, transposed or stacked.

    Args:
        mine: `nn.Module` of the reader.
        ours: our counterpart, of the same sizes.
        tensors: from mine to {name: tensor, module, or None where mine has none}.

    Raises:
        ValueError: a parameter of ours is not named, has another shape, or is not made of mine alone; or one
            of mine is named nowhere.
    """

    def __init__(self, mine, ours, tensors):
        self.mine = mine
        self.parameters = list(mine.parameters())
        kept = [parameter.detach().clone() for parameter in self.parameters]
        sizes = [parameter.numel() for parameter in self.parameters]
        self.total = sum(sizes)
        places = torch.arange(self.total, dtype=torch.double).split(sizes) if sizes else []
        try:
            types = [parameter.dtype for parameter in self.parameters]
            for parameter, place in zip(self.parameters, places, strict=True):
                parameter.data = place.view(parameter.shape).to(parameter.device)
            found = flatten(mine, ours, tensors)
            known = dict(ours.named_parameters())
            self.index = {name: place_of(name, found, known, self.total) for name in known}
        finally:
            for parameter, values, dtype in zip(self.parameters, kept, types, strict=True):
                parameter.data = values.to(dtype)
        self.absent = {
            name: stand_in(name, known[name]) for name, index in self.index.items() if index is None
        }
        known = [index.flatten() for index in self.index.values() if index is not None]
        named = torch.zeros(self.total, dtype=torch.bool)
        named[torch.cat(known) if known else []] = True
        for (name, parameter), part in zip(mine.named_parameters(), named.split(sizes), strict=True):
            if not part.all():
                shape = tuple(parameter.shape)
                raise ValueError(
                    f"adapters: nothing is said about your {name} {shape}; which tensor of the course is it?"
                )
        owners = {}
        for name, index in self.index.items():
            if index is not None and (other := owners.setdefault(index.flatten()[0].item(), name)) != name:
                raise ValueError(
                    f"adapters: {other} and {name} are the same tensor of yours; make one for each (8.6)"
                )

    def write(self, state):
        """Give the reader's part the weights of ours.

        Args:
            state: {name: tensor}, as `dict(ours.named_parameters())`.
        """
        flat = torch.zeros(self.total, dtype=torch.double)
        for name, index in self.index.items():
            if index is not None:
                flat[index] = state[name].detach().double()
        sizes = [parameter.numel() for parameter in self.parameters]
        for parameter, values in zip(self.parameters, flat.split(sizes) if sizes else [], strict=True):
            parameter.data = values.view(parameter.shape).to(parameter.dtype)

    def read(self, gradients=False):
        """The weights of the reader's part, as ours has them.

        Args:
            gradients: read those of the last backward pass instead; 0 where there are none.

        Returns:
            {name: tensor}; what the reader's part does not have is 0, or 1 for the weight of a norm.
        """
        values = [
            (torch.zeros_like(p) if p.grad is None else p.grad) if gradients else p.detach()
            for p in self.parameters
        ]
        flat = torch.cat([value.flatten() for value in values]) if values else torch.empty(0)
        found = {name: flat[index] for name, index in self.index.items() if index is not None}
        return found if gradients else found | self.absent


def stand_in(name, parameter):
    """What stands for a parameter that the reader's part does not have.

    Args:
        name, parameter: of ours.

    Returns:
        Tensor of its shape: 1 for the weight of a norm, else 0.
    """
    return torch.full_like(parameter.detach(), float(parameter.dim() == 1 and name.endswith("weight")))


def flatten(mine, ours, tensors):
    """What an adapter says, all the way down.

    Args:
        mine, ours, tensors: as for `Matching`.

    Returns:
        {name of a parameter of ours: tensor or None}.

    Raises:
        ValueError: a name is not one of ours.
    """
    found, modules, parameters = {}, set(mine.modules()), set(map(id, mine.parameters()))
    for name, value in tensors(mine).items():
        held = value if isinstance(value, list | tuple) else [value]
        if any(isinstance(part, nn.Module) and part not in modules for part in held):
            raise ValueError(f"adapters: {name} is unknown to your module: put layers in nn.ModuleList (8.6)")
        if any(isinstance(part, nn.Parameter) and id(part) not in parameters for part in held):
            raise ValueError(f"adapters: {name} is unknown to your module: use nn.ParameterList (8.6)")
        if isinstance(value, nn.Module):
            try:
                inner = ours.get_submodule(name)
            except AttributeError:
                raise ValueError(f"adapters: {name!r} is no part of {type(ours).__name__}") from None
            parts = flatten(value, inner, tensors_of(value, inner))
            found |= {f"{name}.{key}": tensor for key, tensor in parts.items()}
        else:
            found[name] = value
    return found


def tensors_of(mine, ours):
    """How the parts of a part are read: by the reader's adapter, or by name where it is the course's own."""
    name = type(ours).__name__
    if name not in PARTS or type(mine).__module__.startswith(("helpers.", "torch.")):
        return by_name
    if hasattr(mine, "tensors_of_mine"):  # built by `assemble`
        return lambda adapted: adapted.tensors_of_mine()
    own = find(name)
    return own.tensors if own else by_name


def place_of(name, found, known, total):
    """Where a parameter of ours lies among the numbers of the reader's part.

    Args:
        name: of our parameter.
        found: as from `flatten`.
        known: {name: parameter of ours}.
        total: how many numbers the reader's part has.

    Returns:
        Tensor of indices, in the shape of ours; None where the reader's part has none.

    Raises:
        ValueError: as `Matching`.
    """
    parameter = known[name]
    if name not in found:
        odd = [other for other in found if other not in known]
        instead = f"; these are no names of the course: {', '.join(odd[:5])}" if odd else ""
        raise ValueError(f"adapters: {name} {tuple(parameter.shape)} is missing{instead}")
    value = found[name]
    if value is None:
        return None
    if value.shape != parameter.shape:
        wanted, shape = tuple(parameter.shape), tuple(value.shape)
        turn = "; turn it with .T" if shape == wanted[::-1] else ""
        raise ValueError(f"adapters: {name} has shape {shape}; that of the course is {wanted}{turn}")
    place = value.detach().cpu().double()
    alone = place.unique().numel() == place.numel()
    if not alone or (place != place.round()).any() or place.min() < 0 or place.max() >= total:
        plain = "" if value.requires_grad else ", and make them nn.Parameter"
        raise ValueError(
            f"adapters: {name} is not made of your parameters alone; return them unchanged{plain}"
        )
    return place.long()


def alike(mine, ours, tensors):
    """Give the reader's module the weights of ours; what it does not have is taken from ours, too.

    Args:
        mine, ours, tensors: as for `Matching`.

    Returns:
        Their `Matching`.

    Raises:
        ValueError: as `Matching`.
    """
    matching = Matching(mine, ours, tensors)
    matching.write(dict(ours.named_parameters()))
    ours.load_state_dict(matching.read(), strict=False)
    return matching
