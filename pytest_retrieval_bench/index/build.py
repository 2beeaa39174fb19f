"""Builds the index of a snapshot; contents that several commits of a repository share are counted once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from scipy import sparse

from pytest_retrieval_bench.index.counting import RunCounts, count_runs
from pytest_retrieval_bench.index.postings import Ints, Postings
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from pytest_retrieval_bench.index.tokenising import tokens_and_pieces
from pytest_retrieval_bench.index.vocabulary import NumberedPostings, Numbering, Vocabulary, WordRows
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

MAX_TEXT_BYTES = 2**20
_BINARY_PROBE_BYTES = 8192
_LEFT_OUT_FOLDERS = frozenset([".git", ".corvint", ".context-corvint"])
# A repository's contents and counts are dropped, and gathered anew from the next snapshot on, above this.
_MAX_HELD_BYTES = 256 * 2**20


def readable_files(snapshot: Snapshot) -> Iterator[tuple[str, bytes]]:
    """What the lexical arms read (PROTOCOL 2): path and content of each text of at most 1 MiB, in the paths' order."""
    for path in snapshot.paths:
        size = snapshot.size(path)
        if size is None or size > MAX_TEXT_BYTES or not _LEFT_OUT_FOLDERS.isdisjoint(path.split("/")[:-1]):
            continue
        content = snapshot.read(path)
        if b"\0" not in content[:_BINARY_PROBE_BYTES]:
            yield path, content


class IndexBuilder:
    """Counts contents once for each repository, as long as its snapshots come one after the other."""

    def __init__(self) -> None:
        self._repo = ""
        self._counts = _RepositoryCounts()

    def build(self, snapshot: Snapshot) -> SnapshotIndex:
        """The index of a snapshot.

        Raises SnapshotError when the snapshot cannot be read.
        """
        if snapshot.repo != self._repo or self._counts.held_bytes > _MAX_HELD_BYTES:
            self._repo, self._counts = snapshot.repo, _RepositoryCounts()
        return self._counts.index(snapshot)


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """One content in a matrix: the numbers of its runs and their counts."""

    numbers: Ints
    counts: Ints


class _RepositoryCounts:
    """The counted contents of one repository over one vocabulary.

    The contents themselves are kept: finding one again by comparison takes half the time of a digest.
    """

    def __init__(self) -> None:
        self.held_bytes = 0
        self._vocabulary = Vocabulary()
        self._rows: dict[bytes, tuple[_Row, _Row]] = {}
        self._paths, self._tokens_of_paths, self._paths_to_tokens = Numbering(), Numbering(), WordRows()

    def index(self, snapshot: Snapshot) -> SnapshotIndex:
        paths, runs, lowered = [], [], []
        for path, content in readable_files(snapshot):
            row, lowered_row = self._rows_of(content)
            paths.append(path)
            runs.append(row)
            lowered.append(lowered_row)
        vocabulary = self._vocabulary
        vocabulary.take_apart()
        matrix = _matrix(runs, len(vocabulary.runs))
        lowered_matrix = matrix if runs == lowered else _matrix(lowered, len(vocabulary.runs))
        numbers_of_compounds = vocabulary.runs.of(vocabulary.compounds, len(vocabulary.compounds))
        return SnapshotIndex(
            paths,
            words=NumberedPostings(vocabulary.runs, matrix),
            compounds=NumberedPostings(vocabulary.compounds, matrix[:, numbers_of_compounds]),
            tokens=NumberedPostings(vocabulary.tokens, matrix @ vocabulary.runs_to_tokens()),
            pieces=NumberedPostings(vocabulary.pieces, lowered_matrix @ vocabulary.runs_to_pieces()),
            path_tokens=self._path_tokens(paths),
        )

    def _path_tokens(self, paths: Sequence[str]) -> Postings:
        numbers = self._paths.of((path.replace("\n", "\0").encode() for path in paths), len(paths))
        new = list(islice(self._paths, len(self._paths_to_tokens), None))
        if new:
            self._paths_to_tokens.add(tokens_and_pieces(new)[0], self._tokens_of_paths)
        matrix = self._paths_to_tokens.matrix(len(self._tokens_of_paths))[numbers]
        matrix.sum_duplicates()
        return NumberedPostings(self._tokens_of_paths, matrix)

    def _rows_of(self, content: bytes) -> tuple[_Row, _Row]:
        """The content's runs, and the runs of its lower-cased text."""
        rows = self._rows.get(content)
        if rows is None:
            self._rows[content] = rows = self._count(count_runs(content))
            self.held_bytes += len(content)
        return rows

    def _count(self, counts: RunCounts) -> tuple[_Row, _Row]:
        row = self._row(counts.runs)
        return row, row if counts.lowered is None else self._row(counts.lowered)

    def _row(self, counts: Mapping[bytes, int]) -> _Row:
        numbers = self._vocabulary.runs.of(counts, len(counts))
        return _Row(numbers, np.fromiter(counts.values(), np.int32, len(counts)))


def _matrix(rows: Sequence[_Row], width: int) -> sparse.csr_matrix:
    """Files x runs."""
    none = np.zeros(0, np.int32)
    starts = np.concatenate([[0], np.cumsum([len(row.numbers) for row in rows])]).astype(np.int64)
    numbers = np.concatenate([*(row.numbers for row in rows), none])
    counts = np.concatenate([*(row.counts for row in rows), none])
    return sparse.csr_matrix((counts, numbers, starts), shape=(len(rows), width))
