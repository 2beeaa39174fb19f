"""Where each word of a set occurs: the one structure that an index is made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


class Hits:
    """Where several terms occur, term after term: hit i is of file `files[i]`, which holds the term `counts[i]` times.

    The hits of term t are those from `starts[t]` to `starts[t + 1]`; a file stands at most once among them.
    """

    def __init__(self, files: Ints, counts: Ints, starts: npt.NDArray[np.integer]) -> None:
        self.files = files
        self.counts = counts
        self.starts = starts

    @classmethod
    def of(cls, terms_by_files: sparse.csr_matrix) -> Hits:
        """The hits that a terms x files matrix holds."""
        return cls(terms_by_files.indices, terms_by_files.data, terms_by_files.indptr)

    def __add__(self, other: Hits) -> Hits:
        """The sums of hits of the same terms."""
        width = max(self._width(), other._width())
        return Hits.of(self._matrix(width) + other._matrix(width))

    def shared(self, other: Hits) -> Hits:
        """The hits that both have, of the same term in the same file."""
        width = max(self._width(), other._width())
        return Hits.of(self._matrix(width).multiply(other._matrix(width)).tocsr())

    def of_file(self, file: int) -> Iterator[tuple[int, int]]:
        """The hits of one file, term after term: the number of the term, and that of the hit."""
        hits = np.flatnonzero(self.files == file)
        terms = np.searchsorted(self.starts, hits, side="right") - 1
        return zip(terms.tolist(), hits.tolist(), strict=True)

    def _width(self) -> int:
        return int(self.files.max(initial=-1)) + 1

    def _matrix(self, width: int) -> sparse.csr_matrix:
        return sparse.csr_matrix((self.counts, self.files, self.starts), shape=(len(self.starts) - 1, width))


class Postings(ABC):
    """Distinct words, and for each of them the files that hold it with its occurrences there.

    `matrix` is words x files, its rows in the order of `words`.
    """

    def __init__(self, matrix: sparse.csr_matrix) -> None:
        self.matrix = matrix

    @property
    @abstractmethod
    def words(self) -> Sequence[bytes]:
        """The words, one a row."""

    @abstractmethod
    def number(self, word: bytes) -> int | None:
        """The row of a word, None for a word that does not occur."""

    def hits(self, words: Sequence[bytes]) -> Hits:
        """Where each of the words occurs."""
        rows = [self.number(word) for word in words]
        edges = [(0, 0) if row is None else (self.matrix.indptr[row], self.matrix.indptr[row + 1]) for row in rows]
        files = [self.matrix.indices[start:end] for start, end in edges]
        counts = [self.matrix.data[start:end] for start, end in edges]
        none = np.zeros(0, np.int32)
        return Hits(np.concatenate([*files, none]), np.concatenate([*counts, none]), _starts(files))

    def hits_of_groups(self, groups: Sequence[Longs]) -> Hits:
        """Where the words of each group, numbers that may repeat, occur together."""
        starts = _starts(groups)
        numbers = np.concatenate([*groups, np.zeros(0, np.int64)])
        ones = np.ones(len(numbers), np.int32)
        return Hits.of(
            sparse.csr_matrix((ones, numbers, starts), shape=(len(groups), self.matrix.shape[0])) @ self.matrix
        )


class ListedPostings(Postings):
    """Postings whose words are listed."""

    def __init__(self, words: Sequence[bytes], matrix: sparse.csr_matrix) -> None:
        super().__init__(matrix)
        self._words = words

    @property
    def words(self) -> Sequence[bytes]:
        """The words, one a row."""
        return self._words

    def number(self, word: bytes) -> int | None:
        """The row of a word."""
        return self._rows.get(word)

    @cached_property
    def _rows(self) -> dict[bytes, int]:
        return dict(zip(self._words, range(len(self._words)), strict=True))


def summed(places: npt.NDArray[np.integer], values: npt.ArrayLike, size: int) -> npt.NDArray[np.float64]:
    """By place, from 0 to `size`: the sum of the values that stand there, added one after the other."""
    return np.bincount(places, np.asarray(values, np.float64), minlength=size).astype(np.float64, copy=False)


def _starts(groups: Sequence[npt.NDArray[np.generic]]) -> Longs:
    return np.concatenate([[0], np.cumsum([len(group) for group in groups], dtype=np.int64)])
