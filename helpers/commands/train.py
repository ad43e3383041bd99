"""`python -m helpers train`: train a translator on pairs of sentences, alone or under torchrun."""

import contextlib
import math
import re
import signal
import sys
import time
from pathlib import Path

import torch
from torch.optim.lr_scheduler import LambdaLR

from helpers.commands.data import LARGE, encode_short, find_pairs, identity, is_large, say_known
from helpers.commands.settings import add_settings, bleu_metric, model_options, new_settings, resumed_settings
from helpers.commands.terminal import UnbrokenStream, say
from helpers.engine.checkpoints import load_checkpoint, read_checkpoint, save_checkpoint
from helpers.engine.files import check_writable, lock, remove_leftovers
from helpers.engine.processes import mean_over_processes, process_group, rank
from helpers.engine.training_checks import check_device
from helpers.lesson.translator import build_translator, translate_texts, translator_config
from helpers.tokenization import BPETokenizer
from helpers.training import Trainer

VALIDATED_AT_ONCE = 100  # sentences


def add_arguments(parser):
    """Tell a parser the arguments of the command."""
    add = parser.add_argument
    pairs_help = 'file of source, tab, target a line; "course"; "catalogs", what the programs of this '
    pairs_help += "computer say; or a name of the datasets library, such as opus100,en-ko. "
    pairs_help += f"{LARGE:,} lines or more are prepared in a folder CHECKPOINT.data, which stays"
    add("pairs", help=pairs_help)
    held_out_help = "pairs to measure BLEU on, named as those to train on; of the course, of catalogs "
    held_out_help += "and of a data set it is the validation split; the best epoch is kept as CHECKPOINT.best"
    add("--validation", metavar="PAIRS", help=held_out_help)
    add("--checkpoint", type=Path, default=Path("build/model.pt"), help="file to write (build/model.pt)")
    add("--resume", action="store_true", help="go on from the checkpoint, with its settings")
    add("--device", default="cpu", help="cpu, cuda or mps (cpu)")
    add_settings(parser)
    parser.set_defaults(run=run, interrupted=interrupted)


def interrupted(options):
    """What to say when Ctrl-C ended it at once.

    Returns:
        A string.
    """
    if options.checkpoint.exists():
        return "stopped; go on with --resume"
    folder = data_folder(options.checkpoint)
    prepared = f", but what is prepared stays in {folder}" if folder.exists() else ""
    return "stopped; nothing was saved yet" + prepared


def run(options):
    """Train, keep a checkpoint and, with validation, the best one; under torchrun in several processes.

    Returns:
        How to exit: None at the end of the training, else a message or a status.

    Raises:
        ValueError: something does not fit; the message says what to do.
    """
    with contextlib.redirect_stderr(UnbrokenStream(sys.stderr)):
        check_device(options.device)
        with process_group(options.device):
            first = rank() == 0
            with hold(options.checkpoint, options.resume) if first else contextlib.nullcontext():
                stopped_at = train(options)
    if stopped_at is None:
        return None
    return f"stopped at step {stopped_at}; go on with --resume" if first else 1


@contextlib.contextmanager
def hold(path, resume):
    """Keep the checkpoint's path for this training alone, once it is sure that nothing there is lost.

    Args:
        path: of the checkpoint.
        resume: whether training goes on from it.

    Raises:
        ValueError: it is there and should not be, or the reverse; or another training holds it.
    """
    check_writable(path)
    with lock(path):
        if resume != path.exists():
            remedy = "leave out --resume" if resume else "pass --resume, or another --checkpoint"
            there = "is not there" if resume else "is there already"
            raise ValueError(f"checkpoint: {path} {there}; {remedy}")
        if best_file(path).exists() and not resume:
            what = f"checkpoint: {best_file(path)} is there already, from another training"
            raise ValueError(f"{what}; move it away, or pass another --checkpoint")
        remove_leftovers(path.parent, f"{re.escape(path.name)}(\\.best)?")
        yield


def best_file(path):
    """Where the epoch with the best BLEU is kept.

    Args:
        path: of the checkpoint.

    Returns:
        A path beside it.
    """
    return path.with_name(path.name + ".best")


def train(options):
    """Train to the end, or until a signal asks to stop.

    Returns:
        None at the end; else the step at which all was saved.

    Raises:
        ValueError: as `run`.
    """
    if options.resume:
        state = read_checkpoint(options.checkpoint)
        config, settings = state["config"], resumed_settings(options, state)
    else:
        config, settings = None, new_settings(options)
    held_out, about = find_held_out(settings, config)
    preprocessing = import_preprocessing(options.pairs) if is_large(options.pairs) else None
    if preprocessing:
        folder = data_folder(options.checkpoint)
        learned = preprocessing.prepare(options.pairs, settings, folder)
        pairs = preprocessing.read_texts(folder)
    else:
        pairs, numbers = find_pairs(options.pairs, settings)
        learned = None if config else learn_tokenizers(pairs, settings["vocab_size"])
    if held_out and rank() == 0:
        say_known(settings["validation"], held_out[0], pairs)
    config = config or new_config(settings, learned)
    torch.manual_seed(settings["seed"])
    model, *tokenizers = build_translator(config, options.checkpoint)
    if preprocessing:
        data = preprocessing.open_pairs(options.pairs, settings, folder)
    else:
        data, _ = encode_short(options.pairs, pairs, numbers, tokenizers, model.max_len)
    if held_out:
        _, held_out = encode_short(settings["validation"], *held_out, tokenizers, model.max_len)
    names = ("batch_size", "warmup_steps", "lr_scale", "label_smoothing", "bf16", "seed")
    chosen = {name: settings[name] for name in names}
    chosen["total_steps"] = settings["epochs"] * math.ceil(len(data) / settings["batch_size"])
    trainer = StoppableTrainer(model, data, **chosen, device=options.device, config=config)
    if options.resume:
        load_checkpoint(trainer, options.checkpoint)
        if trainer.total_steps != chosen["total_steps"]:  # more epochs than at first
            trainer.extend(chosen["total_steps"])
        config["training"] = settings
    config["measured_on"] = about
    count = sum(parameter.numel() for parameter in model.parameters())
    to_go = settings["epochs"] - trainer.epoch
    epochs = "epoch" if to_go == 1 else "epochs"
    say(f"{len(data):,} pairs, {count:,} parameters, {to_go} {epochs} to go")
    with stop_on_signals(trainer):
        try:
            run_epochs(trainer, held_out, tokenizers, settings, options.checkpoint)
        except Stopped:
            if rank() == 0:
                save_checkpoint(trainer, options.checkpoint)
            return trainer.step
    if preprocessing:
        say(f"{folder} stays for --resume; delete it once you train no more")
    return None


def data_folder(path):
    """Where pairs are prepared that are too many for memory.

    Args:
        path: of the checkpoint.

    Returns:
        A path beside it.
    """
    return path.with_name(path.name + ".data")


def find_held_out(settings, config):
    """The pairs to validate on; once BLEU was measured, only those that it was measured on.

    Args:
        settings: dictionary of all settings.
        config: of the checkpoint with which a training goes on; None for a new one.

    Returns:
        As `find_pairs`, and what tells them from others; None and None without a validation.

    Raises:
        ValueError: as `find_pairs`; or they are others than before, whose BLEU would not compare.
    """
    name = settings["validation"]
    if not name:
        return None, None
    found, about = find_pairs(name, settings, "validation"), identity(name, settings, "validation")
    if config and config["bleu"] and config.get("measured_on", about) != about:
        what = f"validation: the pairs of {name} are not those that BLEU was measured on so far"
        raise ValueError(f"{what}; pass those, or train anew")
    return found, about


def import_preprocessing(name):
    """The module that prepares pairs which are too many for memory.

    Args:
        name: of the pairs, for the message.

    Returns:
        helpers.commands.preprocessing.

    Raises:
        ValueError: it needs a library that is missing.
    """
    try:
        from helpers.commands import preprocessing
    except ImportError as error:
        what = f"pairs: {name} has {LARGE:,} lines or more, which needs the {error.name} library"
        raise ValueError(f"{what}; pip install datasets tokenizers") from None
    return preprocessing


def learn_tokenizers(pairs, vocab_size):
    """Tokenizers of source and target.

    Args:
        pairs: list of (source, target) texts.
        vocab_size: of both.

    Returns:
        List of two `BPETokenizer`.
    """
    return [BPETokenizer(list(side), vocab_size) for side in zip(*pairs, strict=True)]


def new_config(settings, tokenizers):
    """Tokenizers, the options of a model, and the settings, for a checkpoint.

    Args:
        settings: dictionary of all settings.
        tokenizers: of source and target.

    Returns:
        A dictionary, for the `config` of a `Trainer`.
    """
    config = translator_config(model_options(settings), *tokenizers)
    return config | {"training": settings, "bleu": {}}  # bleu: after which epoch it was how much


class Stopped(Exception):
    """A signal has asked to stop, and the step is over."""


class StoppableTrainer(Trainer):
    """A `Trainer` that stops after its step when one of the processes was asked to.

    Args, methods: as `Trainer`.
    """

    asked_to_stop = False

    def lengths(self):
        """As `Trainer`; those of `ArrowPairs` are known without reading any."""
        if not hasattr(self.pairs, "lengths"):
            return super().lengths()
        src, tgt = self.pairs.lengths()
        return list(zip(tgt.tolist(), src.tolist(), strict=True))

    def take_step(self, batch):
        """As `Trainer`.

        Args:
            batch: list of (src, tgt).

        Raises:
            Stopped: the step is done, and a process was asked to stop.
        """
        super().take_step(batch)
        self.stop_if_asked()

    def stop_if_asked(self):
        """Stop all processes alike; all of them must call it.

        Raises:
            Stopped: one of them was asked to stop.
        """
        (asked,) = mean_over_processes(torch.tensor([float(self.asked_to_stop)], device=self.device))
        if asked:
            raise Stopped

    def extend(self, total_steps):
        """Set the end of the learning rate's schedule.

        Args:
            total_steps: see `linear_cooldown`.
        """
        self.total_steps, (factor,) = total_steps, self.scheduler.lr_lambdas
        self.scheduler = LambdaLR(self.optimizer, factor, last_epoch=self.step - 1)


@contextlib.contextmanager
def stop_on_signals(trainer):
    """Ctrl-C and SIGTERM ask a trainer to stop after its step; a second Ctrl-C leaves at once.

    Args:
        trainer: a `StoppableTrainer`.
    """

    def ask(number, frame):
        if number == signal.SIGINT and trainer.asked_to_stop:
            signal.default_int_handler(number, frame)
        trainer.asked_to_stop = True

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_epochs(trainer, held_out, tokenizers, settings, path):
    """Train and validate until all epochs are done; the first process validates and saves.

    Args:
        trainer: a `StoppableTrainer`.
        held_out: pairs to validate on, or None.
        tokenizers: of source and target.
        settings: dictionary with epochs and tokenize.
        path: of the checkpoint.

    Raises:
        Stopped: as `StoppableTrainer`.
    """
    trainer.stop_if_asked()  # here all processes have read the checkpoint: now the first may write it
    while True:
        at_end = (
            trainer.epoch > 0 and trainer.batches_done == 0 and trainer.epoch not in trainer.config["bleu"]
        )
        if held_out and at_end and rank() == 0:
            validate(trainer, held_out, tokenizers, bleu_metric(settings), path)
        trainer.stop_if_asked()
        if trainer.epoch >= settings["epochs"]:
            return
        start = time.perf_counter()
        trainer.run_epoch(path if rank() == 0 else None)
        seconds = time.perf_counter() - start
        batches = math.ceil(len(trainer.pairs) / trainer.batch_size)
        losses, accuracies, _ = zip(*trainer.history[-batches:], strict=True)
        loss, accuracy = sum(losses) / batches, sum(accuracies) / batches
        say(f"epoch {trainer.epoch}: {seconds:.0f} s, loss {loss:.3f}, token accuracy {accuracy:.1%}")


def validate(trainer, pairs, tokenizers, metric, path):
    """Measure BLEU of greedy translations, note it, and keep the model if it is the best so far.

    Args:
        trainer: a `StoppableTrainer`; if it is asked to stop, nothing is noted.
        pairs: list of (source, target) texts.
        tokenizers: of source and target.
        metric: a BLEU of sacrebleu.
        path: of the checkpoint.
    """
    pairs, found = sorted(pairs, key=lambda pair: len(pair[0])), []
    for start in range(0, len(pairs), VALIDATED_AT_ONCE):
        if trainer.asked_to_stop:
            return
        sources = [source for source, _ in pairs[start : start + VALIDATED_AT_ONCE]]
        found += translate_texts(trainer.model, sources, *tokenizers)
    score = metric.corpus_score(found, [[target for _, target in pairs]]).score
    scores, best = trainer.config["bleu"], best_file(path)
    is_best = not best.exists() or score > max(scores.values(), default=-1)
    scores[trainer.epoch] = score
    if is_best:
        save_checkpoint(trainer, best)
    save_checkpoint(trainer, path)  # with the score, so that it is not measured again
    say(f"validation BLEU {score:.2f}" + (f", kept as {best}" if is_best else ""))
