"""Builds the index of a snapshot; contents that several commits share are counted once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

from pytest_retrieval_bench.index.counting import WordCounts, count_words
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from pytest_retrieval_bench.index.vocabulary import Ints, Vocabulary
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

MAX_TEXT_BYTES = 2**20
_BINARY_PROBE_BYTES = 8192
_LEFT_OUT_FOLDERS = frozenset([".git", ".corvint", ".context-corvint"])
# A repository's counts are dropped, and built again from the next snapshot on, when they fill about 400 MB.
_MAX_COUNTS = 50_000_000


@dataclass(frozen=True, slots=True)
class _Row:
    """One content in a matrix: the numbers of its words and their counts."""

    numbers: Ints
    counts: Ints


class _RepositoryCounts:
    """The counted contents of one repository, by digest."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        self.size = 0
        self._rows: dict[bytes, tuple[_Row, _Row]] = {}

    def rows_of(self, content: bytes) -> tuple[_Row, _Row]:
        """The content's words, and the words of its lower-cased text."""
        digest = hashlib.sha256(content).digest()
        if digest not in self._rows:
            self._rows[digest] = rows = self._count(count_words(content))
            self.size += len(rows[0].numbers)
        return self._rows[digest]

    def _count(self, counts: WordCounts) -> tuple[_Row, _Row]:
        row = self._row(counts.words)
        return row, row if counts.folded is None else self._row(counts.folded)

    def _row(self, counts: Mapping[bytes, int]) -> _Row:
        return _Row(self.vocabulary.words.of(counts), np.fromiter(counts.values(), np.int32, len(counts)))


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
    paths, words, folded = [], [], []
    for path in snapshot.paths:
        if not _may_hold_text(path, snapshot.size(path)):
            continue
        content = snapshot.read(path)
        if b"\0" in content[:_BINARY_PROBE_BYTES]:
            continue
        as_is, lowered = counts.rows_of(content)
        paths.append(path)
        words.append(as_is)
        folded.append(lowered)
    width = len(counts.vocabulary.words)
    return SnapshotIndex(paths, _matrix(words, width), _matrix(folded, width), counts.vocabulary)


def _may_hold_text(path: str, size: int | None) -> bool:
    folders = path.split("/")[:-1]
    return size is not None and size <= MAX_TEXT_BYTES and _LEFT_OUT_FOLDERS.isdisjoint(folders)


def _matrix(rows: Sequence[_Row], width: int) -> sparse.csr_matrix:
    none = np.zeros(0, np.int32)
    starts = np.concatenate([[0], np.cumsum([len(row.numbers) for row in rows])]).astype(np.int64)
    numbers = np.concatenate([*(row.numbers for row in rows), none])
    data = np.concatenate([*(row.counts for row in rows), none])
    return sparse.csr_matrix((data, numbers, starts), shape=(len(rows), width))
