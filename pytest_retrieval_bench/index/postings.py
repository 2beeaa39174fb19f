"""Where each word of a set occurs: the one structure that an index is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Hits:
    """Where something occurs: `files`, numbers without order or repetition, and `counts`, how often in each."""

    files: Ints
    counts: Ints


NOWHERE = Hits(np.zeros(0, np.int32), np.zeros(0, np.int32))


class Postings:
    """Distinct words, and for each of them the files that hold it with its occurrences there.

    `matrix` is words x files, its rows in the order of `words`; `files` of a hit are column numbers.
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

    def hits(self, word: bytes) -> Hits:
        """The files that hold the word."""
        number = self._numbers.get(word)
        return NOWHERE if number is None else self.hits_of(number)

    def hits_of(self, number: int) -> Hits:
        """The files that hold the word of a number, its place in `words`."""
        start, end = self.matrix.indptr[number], self.matrix.indptr[number + 1]
        return Hits(self.matrix.indices[start:end], self.matrix.data[start:end])

    def hits_of_groups(self, groups: Sequence[npt.NDArray[np.int64]]) -> list[Hits]:
        """For each group of word numbers, which may repeat: the files that hold one of them, with the sum."""
        starts = np.concatenate([[0], np.cumsum([len(numbers) for numbers in groups])])
        numbers = np.concatenate([*groups, np.zeros(0, np.int64)])
        ones = np.ones(len(numbers), np.int32)
        summed = sparse.csr_matrix((ones, numbers, starts), shape=(len(groups), len(self.words))) @ self.matrix
        edges = zip(summed.indptr[:-1], summed.indptr[1:], strict=True)
        return [Hits(summed.indices[start:end], summed.data[start:end]) for start, end in edges]

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return dict(zip(self.words, range(len(self.words)), strict=True))
