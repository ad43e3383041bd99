"""Pairs too many for memory: prepared once, in Arrow files beside the checkpoint, and read from there.

The files of the folder are written one after the other, each under a temporary name that is then renamed: a
run that was killed goes on with those that are there.

    about.json           which pairs they are
    left_out.json        numbers of the lines left out, by the reason
    texts.arrow          number of the line, source, target
    8000/                for this vocab_size:
        tokenizers.json      alphabet and merges of both sides
        ids-00000.arrow …    src and tgt as ids, `SHARD` pairs in a file

Imported only where it is needed, since few have datasets and tokenizers installed.
"""

import itertools
import json
import math

from tqdm import tqdm

from helpers.commands import arrow
from helpers.commands.arrow import ArrowPairs, read_rows, write_rows
from helpers.commands.bpe import LibraryTokenizer
from helpers.commands.data import fits, found_in, identity, say_problems, say_too_long
from helpers.corpus.reading import PROBLEMS, sort_out
from helpers.engine.files import remove_leftovers, write_whole
from helpers.engine.processes import rank, wait_for_all, world_size

SHARD = 100_000  # pairs in a file of ids, a multiple of arrow.ROWS
OURS = r"(about|left_out|tokenizers)\.json|(texts|ids-\d+)\.arrow"


def prepare(name, settings, folder):
    """Write what is missing in the folder: the first process reads and learns, then all share the ids.

    Args:
        name: of a file or a data set.
        settings: dictionary with columns, languages and vocab_size.
        folder: a path.

    Returns:
        Tokenizers of source and target, equal to what `BPETokenizer` learns from all pairs.

    Raises:
        ValueError: the folder is of other pairs, or damaged; as `found_in`; or vocab_size is too small.
    """
    texts, own = folder / "texts.arrow", folder / str(settings["vocab_size"])
    if rank() == 0:
        check_same(name, folder, identity(name, settings) | {"in files of": [SHARD, arrow.ROWS]})
        for written in (folder, own):
            remove_leftovers(written, OURS)
        if not texts.exists():
            write_texts(name, settings, folder)
        say_problems(name, read_json(folder / "left_out.json"))
        if not (own / "tokenizers.json").exists():
            write_tokenizers(texts, own, settings["vocab_size"])
    wait_for_all()
    learned = read_json(own / "tokenizers.json")
    tokenizers = [LibraryTokenizer.from_merges(**side) for side in learned]
    write_ids(texts, own, tokenizers)
    wait_for_all()
    return tokenizers


def read_json(path):
    """Read a file of the folder.

    Args:
        path: of the file.

    Returns:
        What is in it.

    Raises:
        ValueError: it is missing or damaged.
    """
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise arrow.damaged(path, error) from None


def check_same(name, folder, about):
    """Note what the folder is made from, or compare it with what was noted.

    Args:
        name: of the pairs, for the message.
        folder: a path.
        about: dictionary of plain values.

    Raises:
        ValueError: something differs; the message names it.
    """
    file = folder / "about.json"
    if not file.exists():
        write_whole(file, json.dumps(about).encode())
    there = read_json(file)
    differs = [
        f"{key} {there.get(key)} there, {value} here"
        for key, value in about.items()
        if there.get(key) != value
    ]
    if differs:
        what = f"pairs: {folder} was prepared from other pairs than {name} ({'; '.join(differs)})"
        raise ValueError(f"{what}; pass those, delete the folder, or pass another --checkpoint")


def write_texts(name, settings, folder):
    """Write texts.arrow, and left_out.json before it.

    Args:
        name, settings, folder: as for `prepare`.
    """
    problems = {kind: [] for kind in PROBLEMS}
    kept = sort_out(name, found_in(name, settings), problems)

    def chunks():
        while rows := list(itertools.islice(kept, arrow.ROWS)):
            numbers, pairs = zip(*rows, strict=True)
            sources, targets = zip(*pairs, strict=True)
            yield {"number": numbers, "source": sources, "target": targets}
        write_whole(folder / "left_out.json", json.dumps(problems).encode())

    write_rows(folder / "texts.arrow", arrow.TEXTS, chunks())


def write_tokenizers(texts, folder, vocab_size):
    """Learn from source and target, and write tokenizers.json.

    Args:
        texts: the file texts.arrow.
        folder: where to write.
        vocab_size: of both.
    """
    learned = []
    for side in ("source", "target"):
        chunks = read_rows(texts).select_columns(side).iter(arrow.ROWS)
        shown = tqdm(chunks, f"BPE of {side}", leave=False, unit="chunk")
        tokenizer = LibraryTokenizer((text for chunk in shown for text in chunk[side]), vocab_size)
        learned.append({"alphabet": tokenizer.alphabet, "merges": tokenizer.merges})
    write_whole(folder / "tokenizers.json", json.dumps(learned, ensure_ascii=False).encode())


def write_ids(texts, folder, tokenizers):
    """Write the files of ids that are missing; each process has its share of them.

    Args:
        texts: the file texts.arrow.
        folder: where to write.
        tokenizers: of source and target.
    """
    rows = read_rows(texts)
    starts = range(0, len(rows), SHARD)
    for number, start in list(enumerate(starts))[rank() :: world_size()]:
        path = folder / f"ids-{number:05}.arrow"
        if not path.exists():
            part = rows.select(range(start, min(start + SHARD, len(rows))))
            chunks = (encode(chunk, *tokenizers) for chunk in part.iter(arrow.ROWS))
            write_rows(path, arrow.IDS, chunks, math.ceil(len(part) / arrow.ROWS))


def encode(texts, src_tokenizer, tgt_tokenizer):
    """Texts as ids, those of `encode_pairs`, in lists, since tensors would take twice as long.

    Args:
        texts: dictionary of lists of strings, source and target.
        src_tokenizer, tgt_tokenizer: of the kind `BPETokenizer`.

    Returns:
        Dictionary of lists of lists, src and tgt.
    """
    bos, eos = tgt_tokenizer.bos_id, tgt_tokenizer.eos_id
    tgt = [[bos, *tgt_tokenizer.encode(text), eos] for text in texts["target"]]
    return {"src": [src_tokenizer.encode(text) for text in texts["source"]], "tgt": tgt}


def read_texts(folder):
    """The pairs of texts of the folder.

    Args:
        folder: as for `prepare`.

    Yields:
        (source, target).
    """
    for chunk in read_rows(folder / "texts.arrow").iter(arrow.ROWS):
        yield from zip(chunk["source"], chunk["target"], strict=True)


def open_pairs(name, settings, folder):
    """The pairs of ids of the folder; says which are too long for the model and left out.

    Args:
        name, folder: as for `prepare`.
        settings: dictionary with vocab_size and max_len.

    Returns:
        `ArrowPairs`.

    Raises:
        ValueError: none is short enough, or the folder is damaged.
    """
    pairs = ArrowPairs(*sorted((folder / str(settings["vocab_size"])).glob("ids-*.arrow")))
    short = fits(*pairs.lengths(), settings["max_len"])
    numbers = read_rows(folder / "texts.arrow").data["number"].to_numpy()
    if len(short) != len(numbers):
        own = folder / str(settings["vocab_size"])
        raise arrow.damaged(own / "ids-….arrow", f"{len(short)} pairs, but {len(numbers)} in texts.arrow")
    say_too_long(name, numbers[~short], len(numbers), settings["max_len"])
    pairs.keep(short)
    return pairs
