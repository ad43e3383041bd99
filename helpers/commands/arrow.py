"""Rows in Arrow files, memory-mapped: of a corpus of any size, only what is used is read.

Imported only where it is needed, since few have datasets installed.
"""

import itertools

import numpy as np
import pyarrow as pa
import torch
from datasets import Dataset, concatenate_datasets
from tqdm import tqdm

from helpers.engine.files import whole_file
from helpers.engine.processes import rank

ROWS = 1_000  # that are written at once, as one chunk of the file
TEXTS = pa.schema({"number": pa.int64(), "source": pa.string(), "target": pa.string()})
IDS = pa.schema({"src": pa.list_(pa.int32()), "tgt": pa.list_(pa.int32())})


def write_rows(path, schema, chunks, total=None):
    """Write a file under a temporary name that is then renamed.

    Args:
        path: the file.
        schema: `TEXTS` or `IDS`.
        chunks: dictionaries of columns, each of `ROWS` rows but the last.
        total: how many chunks there will be, if that is known.
    """
    shown = tqdm(chunks, path.name, total, leave=False, unit="chunk") if rank() == 0 else chunks
    with whole_file(path) as file, pa.ipc.new_stream(file, schema) as writer:
        for columns in shown:
            writer.write_batch(pa.RecordBatch.from_pydict(columns, schema))


def read_rows(*paths):
    """The rows of some files.

    Args:
        paths: of the files.

    Returns:
        A Dataset of the datasets library.

    Raises:
        ValueError: a file is damaged.
    """
    found = []
    for path in paths:
        try:
            found.append(Dataset.from_file(str(path)))
        except (pa.ArrowException, OSError) as error:
            raise damaged(path, error) from None
    return concatenate_datasets(found)


def damaged(path, why):
    """What to raise where a prepared file is not what was written.

    Args:
        path: of the file.
        why: what is amiss.

    Returns:
        A ValueError.
    """
    return ValueError(f"pairs: {path} is damaged ({why}); delete {path.parent}, which is then prepared anew")


class ArrowPairs:
    """Pairs of ids, as from `encode_pairs`, each read from its file when it is asked for.

    Args:
        paths: files of `IDS`; in each but the last, all chunks have `ROWS` rows.
    """

    def __init__(self, *paths):
        table = read_rows(*paths).data
        self.chunks = list(zip(*(map(_as_arrays, table[side].chunks) for side in IDS.names), strict=True))
        self.keep(np.ones(len(table), dtype=bool))

    def lengths(self):
        """Tokens of the pairs, without reading one.

        Returns:
            Two arrays: of the sources, and of the targets with bos and eos.
        """
        sides = zip(*self.chunks, strict=True)
        return [np.concatenate([np.diff(bounds) for bounds, _ in side])[self.kept] for side in sides]

    def keep(self, kept):
        """Choose among the pairs in the files.

        Args:
            kept: array of a boolean for each of them.
        """
        self.kept, self.rows = kept, np.flatnonzero(kept)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        chunk, row = divmod(int(self.rows[index]), ROWS)
        return tuple(_as_tensor(ids[bounds[row] : bounds[row + 1]]) for bounds, ids in self.chunks[chunk])

    def __iter__(self):  # faster than one by one
        return itertools.compress(itertools.chain.from_iterable(map(_all_of, self.chunks)), self.kept)


def _as_arrays(lists):
    """The column of a chunk: where each list begins and ends, and the ids of all; read when they are used."""
    return lists.offsets.to_numpy(), lists.values.to_numpy()


def _all_of(chunk):
    """The pairs of a chunk."""
    sides = (_as_tensor(ids).split(np.diff(bounds).tolist()) for bounds, ids in chunk)
    return zip(*sides, strict=True)


def _as_tensor(ids):
    return torch.from_numpy(ids.astype(np.int64))
