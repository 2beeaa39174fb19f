"""Runs of many contents as numbers, and what each run is made of."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import count, islice

import numpy as np
from scipy import sparse

from pytest_retrieval_bench.index.postings import Ints, Postings
from pytest_retrieval_bench.index.tokenising import WordLines, tokens_and_pieces


class Numbering(defaultdict[bytes, int]):
    """Gives each new word the next number, from 0, when it is looked up with brackets; `get` adds nothing."""

    def __init__(self) -> None:
        super().__init__(count().__next__)

    def of(self, words: Iterable[bytes], length: int) -> Ints:
        """The numbers of `length` words, in order; new words are added."""
        return np.fromiter(map(self.__getitem__, words), np.int32, length)


class NumberedPostings(Postings):
    """Postings of those words of a numbering that occur, which need neither a list nor a numbering of their own."""

    def __init__(self, numbering: Numbering, files_by_word: sparse.csr_matrix) -> None:
        """`files_by_word` is files x numbering."""
        by_word = files_by_word.tocsc()
        present = np.flatnonzero(np.diff(by_word.indptr))
        starts = by_word.indptr[np.append(present, by_word.shape[1])]
        shape = (len(present), by_word.shape[0])
        super().__init__(sparse.csr_matrix((by_word.data, by_word.indices, starts), shape=shape))
        self._numbering = numbering
        self._present: list[int] = present.tolist()

    @cached_property
    def words(self) -> Sequence[bytes]:
        """The words, in the order of their numbers."""
        numbered = list(islice(self._numbering, self._present[-1] + 1 if self._present else 0))
        return list(map(numbered.__getitem__, self._present))

    def number(self, word: bytes) -> int | None:
        """The row of a word."""
        number = self._numbering.get(word)
        if number is None:
            return None
        row = bisect_left(self._present, number)
        return row if row < len(self._present) and self._present[row] == number else None


class Vocabulary:
    """The runs of many contents, numbered as they come, each taken apart once.

    A run's *pieces* are its maximal parts of letters and digits in lower case; its *tokens* are the bench tokens, which
    split camel case as well. `compounds` are the runs that hold a hyphen.
    """

    def __init__(self) -> None:
        self.runs = Numbering()
        self.tokens = Numbering()
        self.pieces = Numbering()
        self.compounds = Numbering()
        self._runs_to_tokens = WordRows()
        self._runs_to_pieces = WordRows()

    def runs_to_tokens(self) -> sparse.csr_matrix:
        """Runs x tokens: how often a run holds a token."""
        return self._runs_to_tokens.matrix(len(self.tokens))

    def runs_to_pieces(self) -> sparse.csr_matrix:
        """Runs x pieces: how often a run holds a piece."""
        return self._runs_to_pieces.matrix(len(self.pieces))

    def take_apart(self) -> None:
        """Brings the matrices up to the runs numbered by now."""
        known = len(self._runs_to_pieces)
        new = list(islice(self.runs, known, None))
        if not new:
            return
        for run in new:
            if b"-" in run:
                self.compounds[run]
        tokens, pieces = tokens_and_pieces(new)
        self._runs_to_tokens.add(tokens, self.tokens)
        self._runs_to_pieces.add(pieces, self.pieces)


class WordRows:
    """The rows of a growing matrix of counts: each row a list of words, each word a column."""

    def __init__(self) -> None:
        self._columns: Ints = np.zeros(0, np.int32)
        self._lengths: Ints = np.zeros(0, np.int32)

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, rows: WordLines, numbering: Numbering) -> None:
        """Adds rows below; the words' numbers are their columns."""
        columns = numbering.of(rows.words, len(rows.words))
        self._columns, self._lengths = np.append(self._columns, columns), np.append(self._lengths, rows.lengths)

    def matrix(self, width: int) -> sparse.csr_matrix:
        """Rows x words: how often a row holds a word, as ones that may stand at one place several times."""
        return ones(self._columns, self._lengths, width)


class GrowingRows:
    """A matrix that grows in both directions, of which some rows are wanted at a time."""

    def __init__(self) -> None:
        self._all = sparse.csr_matrix(np.zeros((0, 0), np.int32))

    def __len__(self) -> int:
        return int(self._all.shape[0])

    def add(self, rows: sparse.csr_matrix) -> None:
        """Adds rows below, which are at least as wide as those before."""
        before = self._all
        widened = sparse.csr_matrix((before.data, before.indices, before.indptr), shape=(len(self), rows.shape[1]))
        self._all = sparse.vstack([widened, rows], format="csr")

    def matrix(self, numbers: Ints) -> sparse.csr_matrix:
        """The rows with these numbers, in this order."""
        return self._all[numbers]


def ones(columns: Ints, lengths: Ints, width: int) -> sparse.csr_matrix:
    """A one for each of the columns, row after row; `lengths` says how many a row has."""
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return sparse.csr_matrix((np.ones(len(columns), np.int32), columns, starts), shape=(len(lengths), width))
