"""`python -m helpers pairs`: the translated sentences of programs, as a file to train on."""

from pathlib import Path

from helpers.commands.terminal import say
from helpers.corpus.catalogs import read_catalogs
from helpers.engine.files import write_whole


def add_arguments(parser):
    """Tell a parser the arguments of the command.

    Args:
        parser: of argparse.
    """
    parser.description = (
        "Programs carry their translations as catalogs (gettext). Write their sentences to a file, one "
        "pair a line: source, tab, target, tab, program. The sentences belong to the programs: mind their "
        "licenses."
    )
    parser.add_argument("file", metavar="OUT.tsv", type=Path, help="file to write")
    places = "folders, and files .mo, .po, .whl and .deb; without them, what this computer has"
    parser.add_argument("places", nargs="*", type=Path, help=places)
    parser.add_argument("--source", default="ko", help="language to translate from (ko)")
    parser.add_argument("--target", default="en", help="language to translate to (en)")
    parser.set_defaults(run=run, interrupted=lambda options: "stopped")


def run(options):
    """Write the file, and say how many pairs each program has and what was left out.

    Args:
        options: what the parser returns.

    Raises:
        ValueError: as `read_catalogs` and `write_whole`; the file is one of the places.
    """
    if options.file in options.places:
        raise ValueError(f"file: {options.file} is one of the catalogs to read; name another file to write")
    found = read_catalogs(options.places or None, options.source, options.target)
    for name, reason in found.left_out.items():
        say(f"left out {name} ({reason})")
    lines = ("\t".join(side.replace("\t", " ") for side in pair) + "\n" for pair in found.pairs)
    write_whole(options.file, "".join(lines).encode())
    counts = {}
    for pair in found.pairs:
        counts[pair.program] = counts.get(pair.program, 0) + 1
    largest = sorted(counts.items(), key=lambda item: -item[1])
    shown = ", ".join(f"{program} {count:,}" for program, count in largest[:8])
    more = ", …" if len(largest) > 8 else ""
    say(f"{len(found.pairs):,} pairs of {len(counts)} programs ({shown}{more}) in {options.file}")
