"""Builds the index of a snapshot; contents that several commits share are counted once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

from pytest_retrieval_bench.index.counting import RunCounts, count_runs
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from pytest_retrieval_bench.index.vocabulary import Ints, Vocabulary
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

MAX_TEXT_BYTES = 2**20
_BINARY_PROBE_BYTES = 8192
_LEFT_OUT_FOLDERS = frozenset([".git", ".corvint", ".context-corvint"])
# A repository's counts are dropped, and built again from the next snapshot on, when they fill about 400 MB.
_MAX_COUNTS = 50_000_000


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """One content in a matrix: the numbers of its runs and their counts."""

    numbers: Ints
    counts: Ints


class _RepositoryCounts:
    """The counted contents of one repository, by digest."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        self.size = 0
        self._rows: dict[bytes, tuple[_Row, _Row]] = {}

    def rows_of(self, content: bytes) -> tuple[_Row, _Row]:
        """The content's runs, and the runs of its lower-cased text."""
        digest = hashlib.sha256(content).digest()
        if digest not in self._rows:
            self._rows[digest] = rows = self._count(count_runs(content))
            self.size += len(rows[0].numbers)
        return self._rows[digest]

    def _count(self, counts: RunCounts) -> tuple[_Row, _Row]:
        row = self._row(counts.runs)
        return row, row if counts.lowered is None else self._row(counts.lowered)

    def _row(self, counts: Mapping[bytes, int]) -> _Row:
        numbers = self.vocabulary.runs.of(counts, len(counts))
        return _Row(numbers, np.fromiter(counts.values(), np.int32, len(counts)))


class IndexStore:
    """The indexes of the snapshots that are in use; an index lives as long as its snapshot."""

    def __init__(self) -> None:
        self._indexes: WeakKeyDictionary[Snapshot, SnapshotIndex] = WeakKeyDictionary()
        self._repo = ""
        self._counts = _RepositoryCounts()

    def of(self, snapshot: Snapshot) -> SnapshotIndex:
        """The index of a snapshot, built when it is asked for the first time.

        Raises SnapshotError when the snapshot cannot be read.
        """
        if snapshot not in self._indexes:
            if snapshot.repo != self._repo or self._counts.size > _MAX_COUNTS:
                self._repo, self._counts = snapshot.repo, _RepositoryCounts()
            self._indexes[snapshot] = _build(snapshot, self._counts)
        return self._indexes[snapshot]


def _build(snapshot: Snapshot, counts: _RepositoryCounts) -> SnapshotIndex:
    paths, runs, lowered = [], [], []
    for path in snapshot.paths:
        if not _may_hold_text(path, snapshot.size(path)):
            continue
        content = snapshot.read(path)
        if b"\0" in content[:_BINARY_PROBE_BYTES]:
            continue
        row, lowered_row = counts.rows_of(content)
        paths.append(path)
        runs.append(row)
        lowered.append(lowered_row)
    counts.vocabulary.take_apart()
    width = len(counts.vocabulary.runs)
    matrix = _matrix(runs, width)
    return SnapshotIndex(paths, matrix, matrix if runs == lowered else _matrix(lowered, width), counts.vocabulary)


def _may_hold_text(path: str, size: int | None) -> bool:
    folders = path.split("/")[:-1]
    return size is not None and size <= MAX_TEXT_BYTES and _LEFT_OUT_FOLDERS.isdisjoint(folders)


def _matrix(rows: Sequence[_Row], width: int) -> sparse.csr_matrix:
    none = np.zeros(0, np.int32)
    starts = np.concatenate([[0], np.cumsum([len(row.numbers) for row in rows])]).astype(np.int64)
    numbers = np.concatenate([*(row.numbers for row in rows), none])
    data = np.concatenate([*(row.counts for row in rows), none])
    return sparse.csr_matrix((data, numbers, starts), shape=(len(rows), width))
