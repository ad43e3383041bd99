"""Which number of the reader's part is which of ours: found once, used to copy weights either way."""

import torch
from torch import nn

from helpers.mine.rungs import PARTS
from helpers.mine.yours import by_name, find


class AdapterError(ValueError):
    """What an adapter says does not fit.

    Args:
        ko, en: what is wrong and what to do, in both languages.
    """

    def __init__(self, ko, en):
        super().__init__(f"adapters: {en}")
        self.ko = f"adapters: {ko}"


class Matching:
    """The parameters of a part of the reader, under the names and in the shapes of ours.

    The reader's parameters are filled with numbers 0, 1, 2, …; what the adapter then returns says where each
    of ours lies, however it was sliced, transposed or stacked.

    Args:
        mine: `nn.Module` of the reader.
        ours: our counterpart, of the same sizes.
        tensors: from mine to {name: tensor, module, or None where mine has none}.

    Raises:
        AdapterError: a parameter of ours is not named, has another shape, or is not made of mine alone; or
            one of mine is named nowhere.
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
                raise AdapterError(
                    f"적지 않은 내 텐서가 있습니다: {name} {shape}. 강의의 어느 텐서인가요?",
                    f"nothing is said about your {name} {shape}; which tensor of the course is it?",
                )
        owners = {}
        for name, index in self.index.items():
            if index is not None and (other := owners.setdefault(index.flatten()[0].item(), name)) != name:
                raise AdapterError(
                    f"같은 텐서입니다: {other}, {name}. 하나씩 따로 만드세요(8.6절).",
                    f"{other} and {name} are the same tensor of yours; make one for each (8.6)",
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


def is_strange(tensor, known):
    """Whether a tensor is, or is computed from, a parameter that a module does not know.

    Args:
        tensor: of an adapter.
        known: the ids of the module's parameters.

    Returns:
        A bool.
    """
    if isinstance(tensor, nn.Parameter):
        return id(tensor) not in known
    todo, seen = [tensor.grad_fn], set()
    while todo:
        if (node := todo.pop()) is None or node in seen:
            continue
        seen.add(node)
        if isinstance(leaf := getattr(node, "variable", None), nn.Parameter) and id(leaf) not in known:
            return True
        todo += [before for before, _ in node.next_functions]
    return False


def flatten(mine, ours, tensors):
    """What an adapter says, all the way down.

    Args:
        mine, ours, tensors: as for `Matching`.

    Returns:
        {name of a parameter of ours: tensor or None}.

    Raises:
        AdapterError: a name is not one of ours.
    """
    found, modules, parameters = {}, set(mine.modules()), set(map(id, mine.parameters()))
    if (said := tensors(mine)) is None:
        raise AdapterError(
            "tensors가 아무것도 돌려주지 않습니다. return이 빠졌는지 보세요.",
            "tensors returns nothing: is a return missing?",
        )
    layers = dict(ours.named_modules())
    for name, value in said.items():
        if name in layers and isinstance(value, torch.Tensor):
            raise AdapterError(
                f"층의 이름입니다: {name}. 행렬은 {name}.weight, 편향은 {name}.bias(없으면 None)입니다.",
                f"{name} names a layer; a matrix is {name}.weight, and without a bias {name}.bias is None",
            )
        held = value if isinstance(value, list | tuple) else [value]
        if any(isinstance(part, nn.Module) and part not in modules for part in held):
            raise AdapterError(
                f"모듈이 모르는 층입니다: {name}. nn.ModuleList에 넣으세요(8.6절).",
                f"{name} is unknown to your module: put layers in nn.ModuleList (8.6)",
            )
        if any(isinstance(part, torch.Tensor) and is_strange(part, parameters) for part in held):
            raise AdapterError(
                f"모듈이 모르는 텐서입니다: {name}. nn.ParameterList에 넣으세요(8.6절).",
                f"{name} is unknown to your module: use nn.ParameterList (8.6)",
            )
        if isinstance(value, nn.Module):
            try:
                inner = ours.get_submodule(name)
            except AttributeError:
                kind = type(ours).__name__
                raise AdapterError(
                    f"{kind}에 없는 이름입니다: {name!r}", f"{name!r} is no part of {kind}"
                ) from None
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
        AdapterError: as `Matching`.
    """
    parameter = known[name]
    if name not in found:
        parts = {key.rpartition(".")[0] for key in known} | known.keys()
        odd = [other for other, value in found.items() if value is not None and other not in parts]
        names, shape = ", ".join(odd[:5]), tuple(parameter.shape)
        raise AdapterError(
            f"빠진 텐서가 있습니다: {name} {shape}." + f" 강의에 없는 이름: {names}" * bool(odd),
            f"{name} {shape} is missing" + f"; these are no names of the course: {names}" * bool(odd),
        )
    value = found[name]
    if value is None:
        return None
    if value.shape != parameter.shape:
        wanted, shape = tuple(parameter.shape), tuple(value.shape)
        turned = shape == wanted[::-1]
        raise AdapterError(
            f"shape가 다릅니다: {name} {shape}, 강의에서는 {wanted}." + " .T로 돌리세요." * turned,
            f"{name} has shape {shape}; that of the course is {wanted}" + "; turn it with .T" * turned,
        )
    place = value.detach().cpu().double()
    is_held = (place == place.round()).all() and place.min() >= 0 and place.max() < total
    is_repeated = place.unique().numel() < place.numel()
    if is_held and is_repeated and value.requires_grad:
        raise AdapterError(
            f"{name}에 같은 매개변수가 여러 번 들어 있습니다. 하나씩 새로 만드세요(8.6절).",
            f"{name} holds a parameter of yours several times; make each anew (8.6)",
        )
    if not is_held or is_repeated:
        plain = not value.requires_grad
        raise AdapterError(
            f"매개변수를 그대로 돌려주세요: {name}. 계산을 거친 값입니다."
            + " nn.Parameter로 만드세요." * plain,
            f"{name} is not made of your parameters alone; return them unchanged"
            + ", and make them nn.Parameter" * plain,
        )
    return place.long()


def alike(mine, ours, tensors):
    """Give the reader's module the weights of ours; what it does not have is taken from ours, too.

    Args:
        mine, ours, tensors: as for `Matching`.

    Returns:
        Their `Matching`.

    Raises:
        AdapterError: as `Matching`.
    """
    matching = Matching(mine, ours, tensors)
    matching.write(dict(ours.named_parameters()))
    ours.load_state_dict(matching.read(), strict=False)
    return matching
