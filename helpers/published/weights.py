"""What every published model needs: its config and weights, read, checked, and put under our names."""

import contextlib
import json
import math
from pathlib import Path

import torch
from torch.nn import functional as F

from helpers.engine.checks import check_sizes

BUFFERS = (".attn.bias", ".attn.masked_bias", ".rotary_emb.inv_freq")  # in older files, beside the weights


@contextlib.contextmanager
def naming(name, value):
    """Within, the message of a ValueError begins with what the user gave.

    Args:
        name: of the argument.
        value: that was given for it.

    Raises:
        ValueError: with its message behind name and value.
    """
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {value}: {error}") from None


@contextlib.contextmanager
def one_line_errors(what, remedy, packages="transformers"):
    """Within, whatever another library raises becomes one line that says what to do.

    Args:
        what: is read.
        remedy: what to do.
        packages: to install, where one is missing.

    Raises:
        ValueError: in place of any other exception.
    """
    try:
        yield
    except Exception as error:  # each library has kinds of its own
        if isinstance(error, ImportError):
            remedy = f"pip install {packages}"
        reason = (str(error).strip() or type(error).__name__).split("\n")[0].rstrip(".")
        raise ValueError(f"{what} cannot be loaded ({reason}); {remedy}") from None


def read_json(file):
    """A dictionary in a JSON file.

    Args:
        file: a path.

    Returns:
        The dictionary.

    Raises:
        ValueError: it cannot be read.
    """
    with one_line_errors(file.name, "name a folder that save_pretrained has written"):
        return dict(json.loads(file.read_text("utf-8")))


def read_config(folder, model_type, defaults, fixed):
    """The config.json of a model, whose every field ours can follow.

    Args:
        folder: that `save_pretrained` of the transformers library has written.
        model_type: the kind that is wanted, such as "gpt2".
        defaults: {field: value}, what the transformers library takes where a field is missing.
        fixed: {field: value} of what our model cannot do otherwise.

    Returns:
        A dictionary with all fields of the file and of defaults.

    Raises:
        ValueError: config.json is missing or damaged, of another kind of model, has another value for a
            fixed field, or one of another type than the default.
    """
    config = read_json(Path(folder) / "config.json")
    found = config.get("model_type")
    if found != model_type:
        raise ValueError(f"model_type is {found!r}; name a folder with {model_type!r}")
    check_fixed(config, fixed | {"quantization_config": None})
    config = defaults | config
    check_sizes(**{field: config[field] for field, value in defaults.items() if type(value) is int})
    for field, value in defaults.items():
        if type(value) in (float, bool) and type(config[field]) is not type(value):
            raise ValueError(f"{field} is {config[field]!r}; use a {type(value).__name__} such as {value}")
    return config


def check_fixed(config, fixed):
    """A config asks for nothing that our model cannot do.

    Args:
        config: a dictionary; what is missing there is as ours is.
        fixed: {field: value}.

    Raises:
        ValueError: it does; the message names the field.
    """
    for field, value in fixed.items():
        if config.get(field, value) != value:
            raise ValueError(f"{field} is {config[field]!r}; ours computes with {value!r} only")


def read_weights(folder):
    """The weights of a folder, from model.safetensors, or from the files that its index names.

    Args:
        folder: that `save_pretrained` of the transformers library has written.

    Returns:
        {name: tensor} in float32, whatever the file has.

    Raises:
        ValueError: a file is missing or damaged; weights are integers.
    """
    folder, files = Path(folder), ["model.safetensors"]
    if not (folder / files[0]).exists() and (index := folder / "model.safetensors.index.json").exists():
        files = sorted(set(read_json(index).get("weight_map", {}).values()))
    weights = {}
    for file in files:
        with one_line_errors(file, "name a folder with whole files, as save_pretrained writes them"):
            from safetensors.torch import load_file  # comes with the transformers library

            weights |= load_file(folder / file)
    weights = {name: weight for name, weight in weights.items() if not name.endswith(BUFFERS)}
    for name, weight in weights.items():
        if not weight.is_floating_point():
            raise ValueError(f"{name} has dtype {weight.dtype}; name a model that is not quantized")
    return {name: weight.float() for name, weight in weights.items()}


def rename(weights, names, n_layers):
    """Weights under other names.

    Args:
        weights: {name: tensor}.
        names: {part: its other name}; a part has a weight, and perhaps a bias; * is the number of a layer.
        n_layers: number of layers.

    Returns:
        {other name: tensor}.

    Raises:
        ValueError: a weight is missing, or is left over.
    """
    parts = {}
    for layer in map(str, range(n_layers)):
        parts |= {old.replace("*", layer): new.replace("*", layer) for old, new in names.items()}
    for part in parts:
        if f"{part}.weight" not in weights:
            raise ValueError(f"{part}.weight is missing; the config has {n_layers} layers")
    renamed = {}
    for name, weight in weights.items():
        part, _, kind = name.rpartition(".")
        if part not in parts:
            raise ValueError(f"{name} is left over; the config has {n_layers} layers")
        renamed[f"{parts[part]}.{kind}"] = weight
    return renamed


def add_padding(weights, tied):
    """One token more, padding, behind a vocabulary that has none; and a table for our factor of √d_model.

    Args:
        weights: {our name: tensor} of a language model with as many tokens as theirs.
        tied: whether the table is the generator's, too. Then the norm before it makes up for the factor.

    Returns:
        {our name: tensor}; the logit of padding is −10⁹, never the largest.

    Raises:
        ValueError: tied, but the two tables differ.
    """
    table, head = weights["embed.tokens.weight"], weights["generator.linear.weight"]
    scale = math.sqrt(table.size(1))  # √d_model, by which our embedding multiplies
    padded = {"embed.tokens.weight": table / scale}
    if tied:
        if not torch.equal(table, head):
            raise ValueError("the table and lm_head differ, but tie_word_embeddings is true")
        head = table / scale
        norms = [name for name in weights if name.startswith("decoder.norm.")]
        padded |= {name: weights[name] * scale for name in norms}
    padded["generator.linear.weight"] = head
    for name in ("embed.tokens.weight", "generator.linear.weight"):
        padded[name] = F.pad(padded[name], (0, 0, 0, 1))  # a row of zeros at the end
    padded["generator.linear.bias"] = F.pad(torch.zeros(len(table)), (0, 1), value=-1e9)
    return weights | padded


def fill(model, weights):
    """Put weights into a model: all of them, and into all of it.

    Args:
        model: one of ours.
        weights: {our name: tensor}.

    Raises:
        ValueError: a weight is missing, left over, of another shape, or not finite.
    """
    wanted = model.state_dict()
    for name in dict.fromkeys([*wanted, *weights]):
        if name not in weights:
            raise ValueError(f"{name} is missing")
        if name not in wanted:
            raise ValueError(f"{name} is left over; ours has no such weight")
        found, shape = tuple(weights[name].shape), tuple(wanted[name].shape)
        if found != shape:
            raise ValueError(f"{name} has shape {found}; by the config it is {shape}")
        if not weights[name].isfinite().all():
            raise ValueError(f"{name} holds NaN or infinity; name a model without")
    model.load_state_dict(weights)
