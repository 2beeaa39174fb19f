"""Runs of many contents as numbers, and what each run is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice

import numpy as np
from scipy import sparse

from pytest_retrieval_bench.index.postings import Ints
from pytest_retrieval_bench.index.tokenising import tokens_and_pieces


class Numbering(dict[bytes, int]):
    """Gives each new word the next number, from 0."""

    def __missing__(self, word: bytes) -> int:
        self[word] = number = len(self)
        return number

    def of(self, words: Iterable[bytes], count: int) -> Ints:
        """The numbers of `count` words, in order; new words are added."""
        return np.fromiter(map(self.__getitem__, words), np.int32, count)


class Vocabulary:
    """The runs of many contents, numbered as they come, each taken apart once.

    A run's *pieces* are its maximal parts of letters and digits in lower case; its *tokens* are the bench tokens, which
    split camel case as well. `compounds` are the numbers of the runs that hold a hyphen.
    """

    def __init__(self) -> None:
        self.runs = Numbering()
        self.tokens = Numbering()
        self.pieces = Numbering()
        self.compounds: list[int] = []
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
        self.compounds += [number for number, run in enumerate(new, start=known) if b"-" in run]
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

    def add(self, rows: Sequence[Sequence[bytes]], numbering: Numbering) -> None:
        """Adds rows below; the words' numbers are their columns."""
        lengths = np.fromiter(map(len, rows), np.int32, len(rows))
        columns = numbering.of(chain.from_iterable(rows), int(lengths.sum()))
        self._columns, self._lengths = np.append(self._columns, columns), np.append(self._lengths, lengths)

    def matrix(self, width: int) -> sparse.csr_matrix:
        """Rows x words: how often a row holds a word, as ones that may stand at one place several times."""
        starts = np.concatenate([[0], np.cumsum(self._lengths)])
        ones = np.ones(len(self._columns), np.int32)
        return sparse.csr_matrix((ones, self._columns, starts), shape=(len(self._lengths), width))
