"""The settings of a training: given, taken from a checkpoint, and checked before anything is read."""

import torch
from sacrebleu.metrics import BLEU

from helpers.engine.checks import check_sizes
from helpers.engine.training_checks import check_fractions, check_training
from helpers.transformer import Transformer, TransformerConfig

SETTINGS = {  # default and help; a checkpoint keeps them, and --resume takes them from there
    "columns": ([0, 1], "where source and target stand, from 0"),
    "languages": (["ko", "en"], "of source and target, for a data set by name and for catalogs"),
    "tokenize": ("13a", 'of BLEU, see sacrebleu; "none" if the texts are tokens already'),
    "vocab_size": (8000, "tokens of each BPE vocabulary"),
    "d_model": (256, "numbers per token"),
    "n_heads": (8, "heads of each attention"),
    "d_ff": (512, "width of the feed-forward network"),
    "n_layers": (3, "layers of encoder and of decoder"),
    "dropout": (0.1, "probability of dropout"),
    "max_len": (1000, "tokens of the longest sentence; pairs that are longer are left out"),
    "post_ln": (False, "norm after the sum, as in the paper; else before"),
    "epochs": (8, "times through the pairs; the learning rate ends at 0"),
    "batch_size": (128, "sentences a batch"),
    "warmup_steps": (400, "steps of warm-up"),
    "lr_scale": (0.4, "factor on the learning rate"),
    "label_smoothing": (0.1, "probability that is spread over the vocabulary"),
    "bf16": (False, "compute in bfloat16 where that is safe"),
    "seed": (0, "of weights, dropout and the order of the pairs"),
}
# Defaults for the pairs of the course, whose sentences are short: with these they take about 2 minutes.
OF_COURSE = {"vocab_size": 1200, "d_model": 128, "n_heads": 4, "d_ff": 256, "n_layers": 2, "epochs": 3}


def add_settings(parser):
    """Tell a parser the settings as options; one that is not given is None."""
    for name, (default, text) in SETTINGS.items():
        option = "--" + name.replace("_", "-")
        if default is False:
            parser.add_argument(option, action="store_true", default=None, help=text)
        elif isinstance(default, list):
            kind, shown = type(default[0]), " ".join(map(str, default))
            parser.add_argument(option, type=kind, nargs=len(default), help=f"{text} ({shown})")
        else:
            of_course = f"; {OF_COURSE[name]} for course" if name in OF_COURSE else ""
            parser.add_argument(option, type=type(default), help=f"{text} ({default}{of_course})")


def new_settings(options):
    """The settings of a new training.

    Returns:
        A dictionary of all settings, and validation.

    Raises:
        ValueError: as `check_settings`.
    """
    settings = {name: default for name, (default, _) in SETTINGS.items()}
    settings |= OF_COURSE if options.pairs == "course" else {}
    settings |= _given(options)
    check_settings(settings)
    return settings | {"validation": options.validation}


def resumed_settings(options, state):
    """The settings of a training that goes on: those of the checkpoint, with which options must agree.

    The number of epochs may be raised once all are done, and the pairs to validate on may lie elsewhere.

    Args:
        options: what the parser returns.
        state: what `read_checkpoint` returns.

    Returns:
        As `new_settings`.

    Raises:
        ValueError: an option contradicts the checkpoint, or there is nothing left to do.
    """
    stored = state["config"].get("training")
    if not isinstance(stored, dict) or stored.keys() != {*SETTINGS, "validation"}:
        what = f"checkpoint: {options.checkpoint} was not written by train"
        raise ValueError(f"{what}; leave out --resume, and name another --checkpoint")
    given, scores = _given(options), state["config"]["bleu"]
    epochs_done = state["trainer"]["epoch"]
    complete = epochs_done >= stored["epochs"]
    for name, value in given.items():
        more = name == "epochs" and complete and value > stored[name]
        unused = name == "tokenize" and not scores
        if value != stored[name] and not more and not unused:
            option = "--" + name.replace("_", "-")
            what = f"{name}: value is {value}, but the checkpoint has {stored[name]}"
            raise ValueError(f"{what}; leave out {option}, or train anew")
    settings = stored | given | {"validation": options.validation or stored["validation"]}
    validated = not settings["validation"] or epochs_done in scores
    if epochs_done >= settings["epochs"] and validated:
        raise ValueError(f"epochs: {epochs_done} of {epochs_done} are already complete; raise --epochs")
    check_settings(settings)
    return settings


def _given(options):
    return {name: value for name in SETTINGS if (value := getattr(options, name)) is not None}


def check_settings(settings):
    """Find out what is wrong before anything is read.

    Args:
        settings: dictionary of all settings.

    Raises:
        ValueError: one is out of its range.
    """
    check_sizes(vocab_size=settings["vocab_size"], epochs=settings["epochs"])
    check_fractions(dropout=settings["dropout"])
    checked = ("batch_size", "warmup_steps", "lr_scale", "label_smoothing")
    check_training(**{name: settings[name] for name in checked})
    if not 0 <= settings["seed"] < 2**63:
        raise ValueError(f"seed: value is {settings['seed']}; use an integer from 0, below 2**63")
    with torch.device("meta"):  # a model without numbers, for what it refuses
        Transformer(
            TransformerConfig(
                settings["vocab_size"],
                settings["vocab_size"],
                **model_options(settings),
            )
        )
    bleu_metric(settings)


def bleu_metric(settings):
    """BLEU as sacrebleu computes it.

    Args:
        settings: dictionary with tokenize.

    Returns:
        A BLEU of sacrebleu.

    Raises:
        ValueError: its tokenizer is not known, or needs another package.
    """
    try:
        return BLEU(tokenize=settings["tokenize"], force=True)  # force: no warning about texts of tokens
    except (KeyError, RuntimeError):
        known = ", ".join(BLEU.TOKENIZERS)
        what = f"tokenize: value is {settings['tokenize']}, which sacrebleu cannot use here"
        raise ValueError(f"{what}; use one of {known}") from None


def model_options(settings):
    """The options of `Transformer` that these settings make.

    Args:
        settings: dictionary of all settings.

    Returns:
        A dictionary.
    """
    names = ("d_model", "n_heads", "d_ff", "n_layers", "dropout", "max_len")
    options = {name: settings[name] for name in names}
    return options | {"norm_first": not settings["post_ln"], "tie_generator": True}
