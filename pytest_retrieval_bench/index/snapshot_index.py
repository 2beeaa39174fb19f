"""The questions that lexical arms ask of a snapshot, answered from its word counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from pytest_retrieval_bench.index.searched_lines import Longs, SearchedLines
from pytest_retrieval_bench.index.vocabulary import Ints, Vocabulary
from pytest_retrieval_bench.text.tokens import bench_tokens, simple_lower


@dataclass(frozen=True, slots=True)
class Hits:
    """Where something occurs: `files`, numbers without order or repetition, and `counts`, how often in each."""

    files: Ints
    counts: Ints


_NOWHERE = Hits(np.zeros(0, np.int32), np.zeros(0, np.int32))


class SnapshotIndex:
    """The readable text files of one snapshot and their words; a file's number is its place in `paths`.

    `paths` stand in the order of their bytes. `words` is files x words of the vocabulary; `folded` is the same, but for
    files in which lower-casing joins words it counts the words of the lower-cased text.
    """

    def __init__(
        self,
        paths: Sequence[str],
        words: sparse.csr_matrix,
        folded: sparse.csr_matrix,
        vocabulary: Vocabulary,
    ) -> None:
        self.paths = tuple(paths)
        self._words = words
        self._folded = folded
        self._vocabulary = vocabulary
        self._word_count = words.shape[1]  # the vocabulary grows on with other snapshots

    def substrings(self, terms: Sequence[str]) -> list[Hits]:
        """For each term of [a-z0-9]: the files whose lower-cased text holds it, and how often without overlap."""
        found = [self._lowered_words.find(term.encode()) for term in terms]
        starts = np.concatenate([[0], np.cumsum([len(numbers) for numbers in found])])
        columns = np.concatenate([*found, np.zeros(0, np.int64)])
        terms_to_words = sparse.csr_matrix(
            (np.ones(len(columns), np.int32), columns, starts),
            shape=(len(terms), self._lowered_to_files.shape[0]),
        )
        return _rows(terms_to_words @ self._lowered_to_files)

    def whole_word(self, identifier: str) -> Hits:
        """The files that hold the identifier ([A-Za-z0-9_-]) with no word character on either side of it."""
        word = identifier.encode()
        if b"-" not in word:
            return _column(self._by_word, self._vocabulary.words.get(word))
        numbers, lines = self._hyphenated
        counts = np.zeros(len(self.paths), np.int32)
        for line, occurrences in zip(*np.unique(lines.find_bounded(word), return_counts=True), strict=True):
            hits = _column(self._by_word, numbers[line])
            counts[hits.files] += hits.counts * occurrences.astype(np.int32)
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

    def paths_with_token(self, token: str) -> Ints:
        """The files whose path has the bench token."""
        return self._path_tokens.get(token, _NOWHERE.files)

    def paths_with(self, text: str) -> Longs:
        """The files whose lower-cased path holds the text, each once."""
        return np.unique(self._lowered_paths.find(text.encode()))

    @cached_property
    def _by_word(self) -> sparse.csc_matrix:
        return self._words.tocsc()

    @cached_property
    def _tokens(self) -> sparse.csc_matrix:
        tokens: sparse.csr_matrix = self._words @ self._vocabulary.words_to_tokens(self._word_count)
        return tokens.tocsc()

    @cached_property
    def _lowered_present(self) -> tuple[sparse.csr_matrix, Longs]:
        """Files x lower-case words, and which of these words occur in this snapshot."""
        lowered = self._folded @ self._vocabulary.words_to_lowered(self._word_count)
        return lowered, np.unique(lowered.indices).astype(np.int64)

    @cached_property
    def _lowered_to_files(self) -> sparse.csr_matrix:
        lowered, present = self._lowered_present
        return lowered[:, present].T.tocsr()

    @cached_property
    def _lowered_words(self) -> SearchedLines:
        _, present = self._lowered_present
        words = list(self._vocabulary.lowered)
        return SearchedLines([words[number] for number in present])

    @cached_property
    def _hyphenated(self) -> tuple[list[int], SearchedLines]:
        words = list(self._vocabulary.words)
        present = np.flatnonzero(np.diff(self._by_word.indptr)).tolist()
        numbers = [number for number in present if b"-" in words[number]]
        return numbers, SearchedLines([words[number] for number in numbers])

    @cached_property
    def _lowered_paths(self) -> SearchedLines:
        return SearchedLines([simple_lower(path).replace("\n", "\0").encode() for path in self.paths])

    @cached_property
    def _path_tokens(self) -> dict[str, Ints]:
        files: dict[str, list[int]] = {}
        for number, path in enumerate(self.paths):
            for token in set(bench_tokens(path)):
                files.setdefault(token, []).append(number)
        return {token: np.array(numbers, np.int32) for token, numbers in files.items()}


def _column(matrix: sparse.csc_matrix, number: int | None) -> Hits:
    if number is None or number >= matrix.shape[1]:
        return _NOWHERE
    start, end = matrix.indptr[number], matrix.indptr[number + 1]
    return Hits(matrix.indices[start:end], matrix.data[start:end])


def _rows(matrix: sparse.csr_matrix) -> list[Hits]:
    edges = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    return [Hits(matrix.indices[start:end], matrix.data[start:end]) for start, end in edges]
