"""Where each word of a set occurs: the one structure that an index is made of."""

from __future__ import annotations

from collections.abc import Sequence
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

    def __init__(self, terms_by_files: sparse.csr_matrix) -> None:
        self._matrix = terms_by_files

    @property
    def files(self) -> Ints:
        """The file of each hit."""
        return self._matrix.indices

    @property
    def counts(self) -> Ints:
        """The occurrences of each hit."""
        return self._matrix.data

    @property
    def starts(self) -> Ints:
        """Where the hits of each term start, and where those of the last one end."""
        return self._matrix.indptr

    def __add__(self, other: Hits) -> Hits:
        """The sums of hits of the same terms."""
        return Hits(self._matrix + other._matrix)

    def shared(self, other: Hits) -> Hits:
        """The hits that both have, of the same term in the same file."""
        return Hits(self._matrix.multiply(other._matrix).tocsr())


class Postings:
    """Distinct words, and for each of them the files that hold it with its occurrences there.

    `matrix` is words x files, its rows in the order of `words`.
    """

    def __init__(self, words: Sequence[bytes], matrix: sparse.csr_matrix) -> None:
        self.words = words
        self.matrix = matrix

    @classmethod
    def of_matrix(cls, vocabulary: Sequence[bytes], files_by_word: sparse.csr_matrix) -> Postings:
        """The postings of a files x vocabulary matrix, with the words that occur."""
        by_word = files_by_word.tocsc()
        present = np.flatnonzero(np.diff(by_word.indptr))
        starts = by_word.indptr[np.append(present, by_word.shape[1])]
        shape = (len(present), by_word.shape[0])
        matrix = sparse.csr_matrix((by_word.data, by_word.indices, starts), shape=shape)
        return cls(list(map(vocabulary.__getitem__, present.tolist())), matrix)

    def hits(self, words: Sequence[bytes]) -> Hits:
        """Where each of the words occurs."""
        numbers = [self._numbers.get(word, -1) for word in words]
        edges = [(self.matrix.indptr[n], self.matrix.indptr[n + 1]) if n >= 0 else (0, 0) for n in numbers]
        files = [self.matrix.indices[start:end] for start, end in edges]
        counts = [self.matrix.data[start:end] for start, end in edges]
        none = np.zeros(0, np.int32)
        arrays = (np.concatenate([*counts, none]), np.concatenate([*files, none]), _starts(files))
        return Hits(sparse.csr_matrix(arrays, shape=(len(words), self.matrix.shape[1])))

    def hits_of_groups(self, groups: Sequence[Longs]) -> Hits:
        """Where the words of each group, numbers that may repeat, occur together."""
        starts = _starts(groups)
        numbers = np.concatenate([*groups, np.zeros(0, np.int64)])
        ones = np.ones(len(numbers), np.int32)
        return Hits(sparse.csr_matrix((ones, numbers, starts), shape=(len(groups), len(self.words))) @ self.matrix)

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return dict(zip(self.words, range(len(self.words)), strict=True))


def _starts(groups: Sequence[npt.NDArray[np.generic]]) -> Longs:
    return np.concatenate([[0], np.cumsum([len(group) for group in groups], dtype=np.int64)])
