"""The command line, for those who have outgrown the notebooks: python -m helpers train … and translate …"""

import argparse
import itertools
import math
import os
import sys
import time
from pathlib import Path

FIRST = os.environ.get("RANK", "0") == "0"  # of torchrun's processes, the one that speaks and saves
if not FIRST:
    os.environ["TQDM_DISABLE"] = "1"  # one progress bar is enough; tqdm reads this when it is imported

import torch
from sacrebleu import corpus_bleu
from torch import distributed

from helpers.checkpoints import load_checkpoint, read_checkpoint, save_checkpoint
from helpers.corpus import load_pairs, make_pairs, read_pairs
from helpers.distributed import SharedTrainer
from helpers.guards import guard_sizes
from helpers.tokenization import BPETokenizer
from helpers.training import Trainer, encode_pairs
from helpers.translator import build_translator, open_translator, translate_texts, translator_notes


def parser():
    """The arguments of both commands."""
    defaults = argparse.ArgumentDefaultsHelpFormatter  # shows the default of every option
    main = argparse.ArgumentParser(prog="python -m helpers")
    commands = main.add_subparsers(required=True)

    train = commands.add_parser("train", help="train a translator", formatter_class=defaults)
    train.set_defaults(run=run_train)
    add = train.add_argument
    add("pairs", help='file of source, tab, target a line; "course"; or a name of the datasets library')
    add("--columns", type=int, nargs=2, default=(0, 1), help="where source and target stand, from 0")
    add("--languages", nargs=2, default=("ko", "en"), help="of source and target, for a data set by name")
    add("--validation", help="file of pairs; the epoch with the best BLEU is kept as CHECKPOINT.best")
    add("--tokenize", default="13a", help='of BLEU, see sacrebleu; "none" if the texts are tokens already')
    add("--checkpoint", type=Path, default=Path("build/model.pt"), help="file to write")
    add("--resume", action="store_true", help="go on from the checkpoint, with its sizes and settings")
    add("--vocab", type=int, default=8000, help="tokens of each BPE vocabulary")
    add("--d-model", type=int, default=256, help="numbers per token")
    add("--heads", type=int, default=8, help="heads of each attention")
    add("--d-ff", type=int, default=512, help="width of the feed-forward network")
    add("--layers", type=int, default=3, help="layers of encoder and of decoder")
    add("--dropout", type=float, default=0.1, help="probability of dropout")
    add("--post-ln", action="store_true", help="norm after the sum, as in the paper; else before")
    add("--epochs", type=int, default=8, help="times through the pairs; the learning rate ends at 0")
    add("--batch", type=int, default=128, help="sentences a batch")
    add("--warm-up", type=int, default=400, help="steps of warm-up")
    add("--scale", type=float, default=0.4, help="factor on the learning rate")
    add("--smoothing", type=float, default=0.1, help="label smoothing")
    add("--device", default="cpu", help="cpu, cuda or mps")
    add("--bf16", action="store_true", help="compute in bfloat16 where that is safe")
    add("--seed", type=int, default=0, help="of weights, dropout and the order of the pairs")

    translate = commands.add_parser("translate", help="translate standard input", formatter_class=defaults)
    translate.set_defaults(run=run_translate)
    add = translate.add_argument
    add("checkpoint", help="file written by train, or by chapter 11")
    add("--beam", type=int, default=4, help="width of the beam; 1 is greedy")
    add("--device", default="cpu", help="cpu, cuda or mps")
    return main


def say(words):
    """Print to standard error, once for all processes."""
    if FIRST:
        print(words, file=sys.stderr, flush=True)


def run_train(options):
    """Train, keep a checkpoint and, with validation, the best one; under torchrun in several processes."""
    guard_options(options)
    pairs = pairs_of(options.pairs, options)
    held_back = pairs_of(options.validation, options) if options.validation else []
    notes = read_checkpoint(options.checkpoint)["notes"] if options.resume else new_notes(options, pairs)
    torch.manual_seed(options.seed)
    model, *tokenizers = build_translator(notes, options.checkpoint)
    trainer = make_trainer(options, model, encode_pairs(pairs, *tokenizers), notes)
    best_file, best = options.checkpoint.with_name(options.checkpoint.name + ".best"), -1
    if options.resume:
        load_checkpoint(trainer, options.checkpoint)
        best = read_checkpoint(best_file)["notes"]["BLEU"] if best_file.exists() else -1
    trainer.last_step = options.epochs * math.ceil(len(pairs) / trainer.batch_size)
    count = sum(parameter.numel() for parameter in model.parameters())
    say(f"{len(pairs):,} pairs, {count:,} parameters, {options.epochs - trainer.epoch} epochs to go")

    while trainer.epoch < options.epochs:
        start, before = time.perf_counter(), trainer.step
        trainer.run_epoch(options.checkpoint if FIRST else None)
        seconds = time.perf_counter() - start
        losses, accuracies, _ = zip(*trainer.history[before:], strict=True)
        loss, accuracy = sum(losses) / len(losses), sum(accuracies) / len(accuracies)
        say(f"epoch {trainer.epoch}: {seconds:.0f} s, loss {loss:.3f}, tokens right {accuracy:.1%}")
        if held_back and FIRST:
            score = validation_bleu(model, held_back, tokenizers, options.tokenize)
            say(f"validation BLEU {score:.2f}" + (f", kept as {best_file}" if score > best else ""))
            if score > best:
                best, trainer.notes = score, {**notes, "BLEU": score}
                save_checkpoint(trainer, best_file)
                trainer.notes = notes
    if isinstance(trainer, SharedTrainer):
        distributed.destroy_process_group()  # else its threads may abort the process at its end


def guard_options(options):
    """What can be told before anything is read."""
    if options.resume != options.checkpoint.exists():
        remedy = "leave out --resume" if options.resume else "pass --resume, or another --checkpoint"
        there = "is not there" if options.resume else "is there already"
        raise ValueError(f"checkpoint: {options.checkpoint} {there}; {remedy}")
    guard_sizes(epochs=options.epochs, batch_size=options.batch)
    guard_device_name(options.device)


def guard_device_name(name):
    """The device can be used here."""
    try:
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError):
        raise ValueError(f"device: {name} is not to be had here; use cpu") from None


def pairs_of(name, options):
    """The course's own pairs, a file's, or a data set's; says what was left out, and where."""
    if name == "course":
        return make_pairs("train", 30000, options.seed)
    if Path(name).exists() or Path(name).suffix:
        found = read_pairs(name, options.columns)
    else:
        found = load_pairs(name, *options.languages)
    for kind, numbers in found.problems.items():
        if numbers:
            lines = ", ".join(map(str, numbers[:5])) + (", …" if len(numbers) > 5 else "")
            say(f"{name}: left out {len(numbers)}, {kind} (lines {lines})")
    return found.pairs


def new_notes(options, pairs):
    """Tokenizers learned from the pairs, and the sizes of a model."""
    tokenizers = [BPETokenizer(list(side), options.vocab) for side in zip(*pairs, strict=True)]
    sizes = {"d_model": options.d_model, "n_heads": options.heads, "d_ff": options.d_ff}
    sizes |= {"n_layers": options.layers, "dropout": options.dropout, "norm_first": not options.post_ln}
    sizes["tie_generator"] = True
    return translator_notes(sizes, *tokenizers)


def make_trainer(options, model, data, notes):
    """A trainer; one that shares the work if torchrun has started several processes."""
    device, kind = options.device, Trainer
    if int(os.environ.get("WORLD_SIZE", 1)) > 1:
        device = f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" else device
        distributed.init_process_group("nccl" if options.device == "cuda" else "gloo")
        kind = SharedTrainer
    settings = {"warm_up_steps": options.warm_up, "scale": options.scale, "smoothing": options.smoothing}
    settings |= {"device": device, "bf16": options.bf16, "seed": options.seed}
    return kind(model, data, options.batch, **settings, notes=notes)


def validation_bleu(model, pairs, tokenizers, tokenize):
    """BLEU of greedy translations, the pairs in order of length."""
    pairs, found = sorted(pairs, key=lambda pair: len(pair[0])), []
    for start in range(0, len(pairs), 100):
        found += translate_texts(model, [source for source, _ in pairs[start : start + 100]], *tokenizers)
    references = [[target for _, target in pairs]]
    return corpus_bleu(found, references, tokenize=tokenize, force=True).score


def run_translate(options):
    """Translate lines from standard input to standard output; an empty line stays empty."""
    guard_device_name(options.device)
    model, *tokenizers = open_translator(options.checkpoint, options.device)
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    size = 1 if sys.stdin.isatty() else 100
    while lines := [line.strip() for line in itertools.islice(sys.stdin, size)]:
        texts = [line for line in lines if line]
        found = iter(translate_texts(model, texts, *tokenizers, width=options.beam) if texts else ())
        for line in lines:
            print(" ".join(next(found).split()) if line else "", flush=True)  # a line for a line


def main(arguments=None):
    """Run a command; an error is one line that says what to do."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except ValueError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped" + ("; go on with --resume" if options.run is run_train else ""))
    except BrokenPipeError:
        sys.stderr.close()


if __name__ == "__main__":
    main()
