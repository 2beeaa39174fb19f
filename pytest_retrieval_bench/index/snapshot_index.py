"""The questions that lexical arms ask of a snapshot, answered from its word counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from pytest_retrieval_bench.index.searched_lines import Longs, SearchedLines
from pytest_retrieval_bench.index.vocabulary import Ints, Vocabulary
from pytest_retrieval_bench.text.tokens import simple_lower


@dataclass(frozen=True, slots=True)
class Hits:
    """Where something occurs: `files`, numbers without order or repetition, and `counts`, how often in each."""

    files: Ints
    counts: Ints


_NOWHERE = Hits(np.zeros(0, np.int32), np.zeros(0, np.int32))


class SnapshotIndex:
    """The readable text files of one snapshot and their runs; a file's number is its place in `paths`.

    `paths` stand in the order of their bytes. `runs` is files x runs of the vocabulary; `lowered` is the same, but for
    files in which lower-casing joins runs it counts the runs of the lower-cased text.
    """

    def __init__(
        self,
        paths: Sequence[str],
        runs: sparse.csr_matrix,
        lowered: sparse.csr_matrix,
        vocabulary: Vocabulary,
    ) -> None:
        self.paths = tuple(paths)
        self._runs = runs
        self._lowered = lowered
        self._vocabulary = vocabulary

    def substrings(self, terms: Sequence[str]) -> list[Hits]:
        """For each term of [a-z0-9]: the files whose lower-cased text holds it, and how often without overlap."""
        files_by_piece = self._files_by_piece
        found = [self._vocabulary.lowered_pieces.find(term.encode()) for term in terms]
        # The vocabulary may have grown since with pieces of other snapshots.
        found = [numbers[: np.searchsorted(numbers, files_by_piece.shape[0])] for numbers in found]
        starts = np.concatenate([[0], np.cumsum([len(numbers) for numbers in found])])
        pieces = np.concatenate([*found, np.zeros(0, np.int64)])
        ones = np.ones(len(pieces), np.int32)
        terms_to_pieces = sparse.csr_matrix((ones, pieces, starts), shape=(len(terms), files_by_piece.shape[0]))
        return _rows(terms_to_pieces @ files_by_piece)

    def whole_word(self, identifier: str) -> Hits:
        """The files that hold the identifier ([A-Za-z0-9_-]) with no word character on either side of it."""
        word = identifier.encode()
        as_a_run = _NOWHERE if b"-" in word else _column(self._by_run, self._vocabulary.runs.get(word))
        lines = self._vocabulary.hyphenated_runs.find_bounded(word)
        if not len(lines):
            return as_a_run
        counts = np.zeros(len(self.paths), np.int32)
        counts[as_a_run.files] = as_a_run.counts
        for line in lines.tolist():
            hits = _column(self._by_run, self._vocabulary.hyphenated[line])
            counts[hits.files] += hits.counts
        files = np.flatnonzero(counts).astype(np.int32)
        return Hits(files, counts[files])

    def token(self, token: str) -> Hits:
        """The files whose content has the bench token."""
        return _column(self._tokens, self._vocabulary.tokens.get(token.encode()))

    @cached_property
    def lengths(self) -> npt.NDArray[np.float64]:
        """The number of bench tokens of each file."""
        return np.asarray(self._tokens.sum(axis=1), np.float64).ravel()

    @cached_property
    def mean_length(self) -> float:
        """The mean number of bench tokens of a file, 0 without files."""
        return float(self.lengths.sum()) / max(len(self.lengths), 1)

    def paths_with_token(self, token: str) -> list[int]:
        """The files whose path has the bench token, each once."""
        return self._path_tokens.get(token, [])

    def paths_with(self, text: str) -> Longs:
        """The files whose lower-cased path holds the text, each once."""
        lines = self._lowered_paths.find(text.encode())
        return lines[np.flatnonzero(np.diff(lines, prepend=-1))]

    @cached_property
    def _by_run(self) -> sparse.csc_matrix:
        return self._runs.tocsc()

    @cached_property
    def _tokens(self) -> sparse.csc_matrix:
        tokens: sparse.csr_matrix = self._runs @ self._vocabulary.runs_to_tokens()[: self._runs.shape[1]]
        return tokens.tocsc()

    @cached_property
    def _files_by_piece(self) -> sparse.csr_matrix:
        pieces: sparse.csr_matrix = self._lowered @ self._vocabulary.runs_to_pieces()[: self._lowered.shape[1]]
        return pieces.T.tocsr()

    @cached_property
    def _lowered_paths(self) -> SearchedLines:
        return SearchedLines([simple_lower(path).replace("\n", "\0").encode() for path in self.paths])

    @cached_property
    def _path_tokens(self) -> dict[str, list[int]]:
        files: defaultdict[str, list[int]] = defaultdict(list)
        for number, path in enumerate(self.paths):
            for token in self._vocabulary.tokens_of_path(path):
                files[token].append(number)
        return files


def _column(matrix: sparse.csc_matrix, number: int | None) -> Hits:
    if number is None or number >= matrix.shape[1]:
        return _NOWHERE
    start, end = matrix.indptr[number], matrix.indptr[number + 1]
    return Hits(matrix.indices[start:end], matrix.data[start:end])


def _rows(matrix: sparse.csr_matrix) -> list[Hits]:
    edges = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    return [Hits(matrix.indices[start:end], matrix.data[start:end]) for start, end in edges]
