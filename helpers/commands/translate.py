"""`python -m helpers translate`: lines in, lines out."""

import argparse
import itertools
import sys
from pathlib import Path

from helpers.corpus.reading import clean
from helpers.engine.checkpoint_checks import is_finite
from helpers.engine.checks import check_sizes
from helpers.engine.training_checks import check_device
from helpers.lesson.engines import TorchEngine, is_published, open_published
from helpers.lesson.translator import open_translator
from helpers.published.marian import load_marian

LINES_AT_ONCE = 100
ROWS_AT_ONCE = 400  # of all beams
LARGEST_BEAM = 1000  # the memory grows with it; better translations come from a beam of 4 to 10


def add_arguments(parser):
    """Tell a parser the arguments of the command."""
    parser.formatter_class = argparse.ArgumentDefaultsHelpFormatter  # shows the default of every option
    text = (
        "file written by train, or by chapter 11; a folder written by publish; or a Marian translator, its "
        "folder or its name on the hub"
    )
    parser.add_argument("checkpoint", help=text)
    parser.add_argument("--beam", type=int, default=4, help="width of the beam; 1 is greedy")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or mps")
    parser.set_defaults(run=run, interrupted=lambda options: "stopped")


def run(options):
    """Translate standard input to standard output, a line for a line; an empty line stays empty.

    Raises:
        ValueError: as `open_any`, or an option is out of its range.
    """
    check_sizes(beam=options.beam)
    if options.beam > LARGEST_BEAM:
        raise ValueError(f"beam: value is {options.beam}; use at most {LARGEST_BEAM}")
    check_device(options.device)
    engine = open_engine(options.checkpoint, options.device)
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    numbered = enumerate(sys.stdin.buffer, start=1)
    size = 1 if sys.stdin.isatty() else max(1, min(LINES_AT_ONCE, ROWS_AT_ONCE // options.beam))
    while lines := list(itertools.islice(numbered, size)):
        texts = [read_line(line, number, engine.src_tokenizer, engine.max_len) for number, line in lines]
        asked = [text for text in texts if text]
        found = iter(engine.translate(asked, options.beam) if asked else ())
        for text in texts:
            print(" ".join(next(found).split()) if text else "", flush=True)


def open_engine(name, device):
    """Open whatever translates: as `open_any`, or what `publish` has written.

    Args:
        name: as it was given.
        device: where a model of ours goes; CTranslate2 runs on the CPU.

    Returns:
        An engine, with `translate`, `src_tokenizer` and `max_len`.

    Raises:
        ValueError: as `open_any` or `open_published`; or the folder holds several translators.
    """
    path = Path(name)
    if is_published(path):
        engine = open_published(path)
        if isinstance(engine, TorchEngine):
            engine.model.to(device)
        return engine
    if inside := sorted(each.name for each in path.glob("*") if is_published(each)):
        raise ValueError(
            f"checkpoint: {name} holds {', '.join(inside)}; name one, such as {path / inside[0]}"
        )
    return TorchEngine(*open_any(name, device))


def open_any(name, device):
    """Open a checkpoint; or a Marian translator, by its folder or by a name such as "owner/name".

    Args:
        name: as it was given.
        device: where the model goes.

    Returns:
        model, src_tokenizer, tgt_tokenizer.

    Raises:
        ValueError: as `open_translator` or `load_marian`; or a weight is not finite.
    """
    path = Path(name)
    on_the_hub = not path.exists() and not path.suffix and name.count("/") == 1 and not path.parent.exists()
    if not (path.is_dir() or on_the_hub):
        return open_translator(path, device)
    model, *tokenizers = load_marian(name)
    if not is_finite(model.state_dict()):
        raise ValueError(f"checkpoint: {name} has weights that are not finite; name another translator")
    return model.to(device), *tokenizers


def read_line(line, number, tokenizer, max_len):
    """A line of standard input as a text; one that cannot be translated is reported and becomes empty.

    Args:
        line: bytes, UTF-8, with its end.
        number: of the line, from 1.
        tokenizer: of the source.
        max_len: tokens that the model can take.

    Returns:
        A string in Unicode's composed form (NFC), without characters that break lines.
    """
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")  # the first may have a byte order mark
    except UnicodeDecodeError:
        print(f"line {number}: not UTF-8; left empty", file=sys.stderr)
        return ""
    text = clean(text)
    if (length := len(tokenizer.encode(text))) > max_len:
        print(f"line {number}: {length} tokens, but max_len is {max_len}; left empty", file=sys.stderr)
        return ""
    return text
