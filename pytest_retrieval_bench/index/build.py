"""Builds the index of a snapshot; contents that several commits of a repository share are counted once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from scipy import sparse

from pytest_retrieval_bench.index.counting import joined_by_lower_case, runs_of
from pytest_retrieval_bench.index.postings import Postings
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from pytest_retrieval_bench.index.tokenising import tokens_and_pieces
from pytest_retrieval_bench.index.vocabulary import (
    GrowingRows,
    NumberedPostings,
    Numbering,
    Vocabulary,
    WordRows,
    ones,
)
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


class _RepositoryCounts:
    """The counted contents of one repository over one vocabulary.

    The contents themselves are kept: finding one again by comparison takes half the time of a digest.
    """

    def __init__(self) -> None:
        self.held_bytes = 0
        self._vocabulary = Vocabulary()
        self._contents = Numbering()
        self._runs, self._tokens, self._pieces = GrowingRows(), GrowingRows(), GrowingRows()
        self._paths, self._tokens_of_paths, self._paths_to_tokens = Numbering(), Numbering(), WordRows()

    def index(self, snapshot: Snapshot) -> SnapshotIndex:
        files = dict(readable_files(snapshot))
        contents = self._contents.of(files.values(), len(files))
        self._count(list(islice(self._contents, len(self._runs), None)))
        vocabulary, paths = self._vocabulary, list(files)
        runs = self._runs.matrix(contents)
        numbers_of_compounds = vocabulary.runs.of(vocabulary.compounds, len(vocabulary.compounds))
        return SnapshotIndex(
            paths,
            words=NumberedPostings(vocabulary.runs, runs),
            compounds=NumberedPostings(vocabulary.compounds, runs[:, numbers_of_compounds]),
            tokens=NumberedPostings(vocabulary.tokens, self._tokens.matrix(contents)),
            pieces=NumberedPostings(vocabulary.pieces, self._pieces.matrix(contents)),
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

    def _count(self, contents: Sequence[bytes]) -> None:
        """Counts new contents: their runs, their tokens, and the pieces of their lower-cased texts."""
        if not contents:
            return
        lowered = [joined_by_lower_case(content) for content in contents]
        changed = {number: text for number, text in enumerate(lowered) if text is not None}
        counts = self._count_runs([*contents, *changed.values()])
        rows_of_lowered = np.arange(len(contents))
        rows_of_lowered[list(changed)] = np.arange(len(contents), counts.shape[0])
        runs = counts[: len(contents)]
        self._vocabulary.take_apart()
        self._runs.add(runs)
        self._tokens.add(runs @ self._vocabulary.runs_to_tokens())
        self._pieces.add(counts[rows_of_lowered] @ self._vocabulary.runs_to_pieces())
        self.held_bytes += sum(map(len, contents))

    def _count_runs(self, contents: Sequence[bytes]) -> sparse.csr_matrix:
        """Contents x runs: how often a content holds a run.

        Each run is numbered where it stands, and the numbers of all contents are counted at once: a count of words for
        each content would look every word up twice.
        """
        numbers = [self._vocabulary.runs.of(words, len(words)) for words in map(runs_of, contents)]
        lengths = np.fromiter(map(len, numbers), np.int32, len(numbers))
        counts = ones(np.concatenate(numbers), lengths, len(self._vocabulary.runs)).tocsc()  # sorts in linear time
        counts.sum_duplicates()
        return counts.tocsr()
