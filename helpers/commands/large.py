"""Pairs too many for memory: prepared once, in Arrow files beside the checkpoint, and read from there.

The files of the folder are written one after the other, each under a temporary name that is then renamed: a
run that was killed goes on with those that are there.

    about.json           which pairs, and with which settings
    left_out.json        numbers of the lines left out, by the reason
    texts.arrow          number of the line, source, target
    tokenizers.json      alphabet and merges of both sides
    ids-00000.arrow …    src and tgt as ids, `SHARD` pairs in a file

Imported only where it is needed, since few have datasets and tokenizers installed.
"""

import itertools
import json

import numpy as np
import pyarrow as pa
import torch
from datasets import Dataset, concatenate_datasets
from tokenizers import Tokenizer, models, trainers
from tqdm import tqdm

from helpers.commands.data import fits, found_in, identity, say_problems, say_too_long
from helpers.corpus.reading import PROBLEMS, sort_out
from helpers.files import whole_file, write_whole
from helpers.processes import rank, wait_for_all, world_size
from helpers.tokenization import BPETokenizer, split_words

ROWS = 10_000  # pairs that are read and written at once
SHARD = 100_000  # pairs in a file of ids, a multiple of ROWS
TEXTS = pa.schema({"number": pa.int64(), "source": pa.string(), "target": pa.string()})
IDS = pa.schema({"src": pa.list_(pa.int32()), "tgt": pa.list_(pa.int32())})


def prepare(name, settings, folder):
    """Write what is missing in the folder: the first process reads and learns, then all share the ids.

    Args:
        name: of a file or a data set.
        settings: dictionary with columns, languages and vocab_size.
        folder: a path.

    Returns:
        Tokenizers of source and target: the same as `BPETokenizer` learns from all pairs.

    Raises:
        ValueError: the folder is of other pairs or settings; as `found_in`; or vocab_size is too small.
    """
    if rank() == 0:
        about = identity(name, settings) | {"vocab_size": settings["vocab_size"], "files of": [SHARD, ROWS]}
        check_same(name, folder, about)
        for file in folder.glob("*.tmp"):  # of a process that was killed
            file.unlink()
        if not (folder / "texts.arrow").exists():
            write_texts(name, settings, folder)
        say_problems(name, json.loads((folder / "left_out.json").read_text()))
        if not (folder / "tokenizers.json").exists():
            write_tokenizers(settings["vocab_size"], folder)
    wait_for_all()
    learned = json.loads((folder / "tokenizers.json").read_text("utf-8"))
    tokenizers = [BPETokenizer.from_merges(**side) for side in learned]
    write_ids(folder, tokenizers)
    wait_for_all()
    return tokenizers


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
    there = json.loads(file.read_text())
    differs = [
        f"{key} {there.get(key)} there, {value} here"
        for key, value in about.items()
        if there.get(key) != value
    ]
    if differs:
        what = f"pairs: {folder} was prepared from other pairs or settings than {name} ({'; '.join(differs)})"
        raise ValueError(f"{what}; pass those, delete the folder, or pass another --checkpoint")


def write_rows(path, schema, batches, total=None):
    """Write an Arrow file.

    Args:
        path: the file.
        schema: of pyarrow.
        batches: dictionaries of columns, each of `ROWS` rows, but for the last.
        total: how many batches there will be, if that is known.
    """
    shown = tqdm(batches, path.name, total, leave=False, unit="batch") if rank() == 0 else batches
    with whole_file(path) as file, pa.ipc.new_stream(file, schema) as writer:
        for columns in shown:
            writer.write_batch(pa.RecordBatch.from_pydict(columns, schema))


def write_texts(name, settings, folder):
    """Write texts.arrow, and left_out.json before it.

    Args:
        name, settings, folder: as for `prepare`.
    """
    problems = {kind: [] for kind in PROBLEMS}
    kept = sort_out(name, found_in(name, settings), problems)

    def batches():
        while rows := list(itertools.islice(kept, ROWS)):
            numbers, pairs = zip(*rows, strict=True)
            sources, targets = zip(*pairs, strict=True)
            yield {"number": numbers, "source": sources, "target": targets}
        write_whole(folder / "left_out.json", json.dumps(problems).encode())

    write_rows(folder / "texts.arrow", TEXTS, batches())


def read_texts(folder):
    """The texts, memory-mapped.

    Args:
        folder: a path.

    Returns:
        A Dataset with number, source and target.
    """
    return Dataset.from_file(str(folder / "texts.arrow"))


def write_tokenizers(vocab_size, folder):
    """Learn from source and target, and write tokenizers.json.

    Args:
        vocab_size: of both.
        folder: a path.
    """
    learned = []
    for side in ("source", "target"):
        batches = tqdm(read_texts(folder).select_columns(side).iter(ROWS), f"BPE of {side}", leave=False)
        tokenizer = learn((text for batch in batches for text in batch[side]), vocab_size)
        learned.append({"alphabet": tokenizer.alphabet, "merges": tokenizer.merges})
    write_whole(folder / "tokenizers.json", json.dumps(learned, ensure_ascii=False).encode())


def learn(texts, vocab_size):
    """What `BPETokenizer` learns from the texts, by the `tokenizers` library: sooner, and in less memory.

    Args:
        texts: strings, one after the other.
        vocab_size: as for `BPETokenizer`.

    Returns:
        A `BPETokenizer`.

    Raises:
        ValueError: `vocab_size` is smaller than the alphabet.
    """
    library = Tokenizer(models.BPE())
    n_pieces = vocab_size - BPETokenizer.first_piece
    trainer = trainers.BpeTrainer(vocab_size=max(n_pieces, 0), show_progress=False)
    library.train_from_iterator(map(split_words, texts), trainer)
    alphabet = sorted(piece for piece in library.get_vocab() if len(piece) == 1)
    if n_pieces < len(alphabet):
        smallest = BPETokenizer.first_piece + len(alphabet)
        raise ValueError(f"vocab_size: {vocab_size} is too small; use at least {smallest}")
    return BPETokenizer.from_merges(alphabet, json.loads(library.to_str())["model"]["merges"])


def write_ids(folder, tokenizers):
    """Write the files of ids that are missing; each process has its share of them.

    Args:
        folder: a path.
        tokenizers: of source and target.
    """
    texts = read_texts(folder)
    starts = range(0, len(texts), SHARD)
    for number, start in list(enumerate(starts))[rank() :: world_size()]:
        path = folder / f"ids-{number:05}.arrow"
        if not path.exists():
            rows = texts.select(range(start, min(start + SHARD, len(texts))))
            batches = (encode(batch, *tokenizers) for batch in rows.iter(ROWS))
            write_rows(path, IDS, batches, -(-len(rows) // ROWS))


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


class ArrowPairs:
    """The pairs of ids of a folder, as from `encode_pairs`, but each is read only when it is asked for.

    Args:
        name: of the pairs, for what is said about those that are longer.
        folder: as for `prepare`.
        max_len: tokens that the model can take; pairs that are longer are left out.

    Raises:
        ValueError: none is short enough.
    """

    def __init__(self, name, folder, max_len):
        files = sorted(folder.glob("ids-*.arrow"))
        table = concatenate_datasets([Dataset.from_file(str(file)) for file in files]).data
        self.chunks = list(zip(*(map(_as_arrays, table[side].chunks) for side in IDS.names), strict=True))
        sides = zip(*self.chunks, strict=True)
        lengths = (np.concatenate([np.diff(offsets) for offsets, _ in side]) for side in sides)
        self.fits = fits(*lengths, max_len)  # of each pair in the files, a boolean
        self.rows = np.flatnonzero(self.fits)  # where the pairs stand that are not left out
        numbers = read_texts(folder).data["number"].to_numpy()
        say_too_long(name, numbers[~self.fits], len(numbers), max_len)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        chunk, row = divmod(int(self.rows[index]), ROWS)
        return tuple(_as_tensor(ids[bounds[row] : bounds[row + 1]]) for bounds, ids in self.chunks[chunk])

    def __iter__(self):  # faster than one by one
        return itertools.compress(itertools.chain.from_iterable(map(_in_order, self.chunks)), self.fits)


def _in_order(chunk):
    """All pairs of a chunk."""
    sides = (_as_tensor(ids).split(np.diff(bounds).tolist()) for bounds, ids in chunk)
    return zip(*sides, strict=True)


def _as_arrays(lists):
    """Lists of an Arrow file as the bounds of each and the ids of all; not read before they are used."""
    return lists.offsets.to_numpy(), lists.values.to_numpy()


def _as_tensor(ids):
    return torch.from_numpy(ids.astype(np.int64))
