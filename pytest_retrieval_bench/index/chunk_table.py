"""The chunks of a snapshot, file by file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

import numpy as np

from pytest_retrieval_bench.builders.corpus import MAX_FILE_BYTES, MAX_FILES, chunk_id, chunks, is_quoted, is_wanted
from pytest_retrieval_bench.index.postings import Ints, Longs
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class ChunkTable:
    """The rows of a snapshot: row i is of the file `paths[files[i]]`, whose first row is number `starts[files[i]]`.

    `paths` stand in code point order, the rows of a file together, in the order in which the snapshot has them.
    """

    rows: Sequence[ChunkRow]
    paths: Sequence[str]
    files: Ints
    starts: Longs


def chunk_table(snapshot: Snapshot) -> ChunkTable:
    """The chunks of a snapshot.

    Raises SnapshotError when it cannot be read.
    """
    rows = sorted(chunk_rows(snapshot), key=itemgetter(0))
    paths = list(dict.fromkeys(row.path for row in rows))
    files = numbers([row.path for row in rows], paths)
    return ChunkTable(rows, paths, files, np.searchsorted(files, np.arange(len(paths))))


def chunk_rows(snapshot: Snapshot) -> Iterator[ChunkRow]:
    """The rows of a snapshot; one that holds whole files is cut as a release's builder would cut it.

    Raises SnapshotError when it cannot be read.
    """
    return snapshot.chunks() or _cut(snapshot)


def _cut(snapshot: Snapshot) -> Iterator[ChunkRow]:
    wanted = (path for path in snapshot.paths if is_wanted(path) and not is_quoted(path.encode()))
    for path in islice(wanted, MAX_FILES):
        size = snapshot.size(path)
        if not size or size > MAX_FILE_BYTES or b"\0" in snapshot.read(path):
            continue
        for kind, symbol, first, last, text in chunks(snapshot.text(path)):
            identity = chunk_id(snapshot.repo, snapshot.commit, path, kind, symbol, first, last)
            yield ChunkRow(path, kind, symbol, text, first, last, identity)


def numbers(values: Sequence[str], distinct: Sequence[str]) -> Ints:
    """The place of each value among the distinct ones."""
    places = {value: number for number, value in enumerate(distinct)}
    return np.fromiter(map(places.__getitem__, values), np.int32, len(values))
