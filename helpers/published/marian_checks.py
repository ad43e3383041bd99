"""What a Marian must be for our Transformer to take its weights."""

import contextlib
from pathlib import Path


def check_marian(config, activations):
    """Our `Transformer` has an argument for all that a configuration asks.

    Args:
        config: of a model of the transformers library.
        activations: the names of the activations that there are.

    Raises:
        ValueError: it has not; the message names the setting.
    """

    def refuse(name, found, wanted):
        raise ValueError(f"config: {name} is {found!r}, which our Transformer has not; use a Marian {wanted}")

    if config.model_type != "marian":
        refuse("model_type", config.model_type, "translator")
    for name in ("layers", "attention_heads", "ffn_dim"):
        ours, theirs = getattr(config, f"encoder_{name}"), getattr(config, f"decoder_{name}")
        if ours != theirs:
            refuse(f"decoder_{name}", theirs, f"with {ours}, as in its encoder")
    if config.activation_function not in activations:
        refuse("activation_function", config.activation_function, f"with {', '.join(activations)}")
    if not config.scale_embedding:
        refuse("scale_embedding", config.scale_embedding, "that multiplies its embeddings by √d_model")


@contextlib.contextmanager
def told_in_one_line(name_or_folder):
    """Within, whatever the transformers library raises becomes one line that says what to do.

    Args:
        name_or_folder: what is loaded.

    Raises:
        ValueError: in place of any other exception.
    """
    try:
        yield
    except Exception as error:  # no network, a wrong name, a missing or damaged file: many kinds
        if isinstance(error, ImportError):
            remedy = "pip install transformers sentencepiece"
        elif Path(name_or_folder).is_dir():
            remedy = "name a folder where save_pretrained has written a Marian model and its tokenizer"
        else:
            remedy = "check the name and the network, or name a folder"
        reason = str(error).strip().split("\n")[0].rstrip(".")
        raise ValueError(f"name_or_folder: {name_or_folder} cannot be loaded ({reason}); {remedy}") from None


def check_complete(missing, name_or_folder):
    """All weights came from the file; one that did not is random.

    Args:
        missing: names of weights.
        name_or_folder: what is loaded, for the message.

    Raises:
        ValueError: some are missing.
    """
    if missing:
        what = f"name_or_folder: {name_or_folder} lacks {len(missing)} weights, {min(missing)} for one"
        raise ValueError(f"{what}; name a complete translator")
