"""Runs of many contents as numbers, and what each run is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice

import numpy as np
import numpy.typing as npt
from scipy import sparse

from pytest_retrieval_bench.index.searched_lines import SearchedLines
from pytest_retrieval_bench.text.tokens import bench_tokens

Ints = npt.NDArray[np.int32]

_JOINTS_TO_SPACES = bytes.maketrans(b"_-", b"  ")


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
    split camel case as well.
    """

    def __init__(self) -> None:
        self.runs = Numbering()
        self.tokens = Numbering()
        self.hyphenated: list[int] = []
        self.hyphenated_runs = SearchedLines()
        self.lowered_pieces = SearchedLines()
        self._pieces = Numbering()
        self._runs_to_tokens = _Rows()
        self._runs_to_pieces = _Rows()
        self._tokens_of_paths: dict[str, frozenset[str]] = {}

    def runs_to_tokens(self) -> sparse.csr_matrix:
        """Runs x tokens: how often a run holds a token."""
        return self._runs_to_tokens.matrix(len(self.tokens))

    def runs_to_pieces(self) -> sparse.csr_matrix:
        """Runs x pieces: how often a run holds a piece; a piece's number is its line in `lowered_pieces`."""
        return self._runs_to_pieces.matrix(len(self._pieces))

    def tokens_of_path(self, path: str) -> frozenset[str]:
        """The distinct bench tokens of a path."""
        if path not in self._tokens_of_paths:
            self._tokens_of_paths[path] = frozenset(bench_tokens(path))
        return self._tokens_of_paths[path]

    def take_apart(self) -> None:
        """Brings all that is known of runs up to the runs numbered by now."""
        known = len(self._runs_to_pieces)
        new = list(islice(self.runs, known, None))
        if not new:
            return
        spaced = b"\n".join(new).translate(_JOINTS_TO_SPACES)
        self._runs_to_tokens.add([line.split() for line in _camel_split(spaced).lower().split(b"\n")], self.tokens)
        pieces_before = len(self._pieces)
        self._runs_to_pieces.add([line.split() for line in spaced.lower().split(b"\n")], self._pieces)
        self.lowered_pieces.add(list(islice(self._pieces, pieces_before, None)))
        hyphenated = [number for number, run in enumerate(new, start=known) if b"-" in run]
        self.hyphenated += hyphenated
        self.hyphenated_runs.add([new[number - known] for number in hyphenated])


class _Rows:
    """The rows of a growing matrix of counts, as lists of column numbers."""

    def __init__(self) -> None:
        self._columns: list[Ints] = [np.zeros(0, np.int32)]
        self._lengths: list[Ints] = [np.zeros(0, np.int32)]

    def __len__(self) -> int:
        return sum(map(len, self._lengths))

    def add(self, rows: Sequence[Sequence[bytes]], numbering: Numbering) -> None:
        lengths = np.fromiter(map(len, rows), np.int32, len(rows))
        self._columns.append(numbering.of(chain.from_iterable(rows), int(lengths.sum())))
        self._lengths.append(lengths)

    def matrix(self, width: int) -> sparse.csr_matrix:
        self._columns, self._lengths = [np.concatenate(self._columns)], [np.concatenate(self._lengths)]
        starts = np.concatenate([[0], np.cumsum(self._lengths[0])])
        ones = np.ones(len(self._columns[0]), np.int32)
        return sparse.csr_matrix((ones, self._columns[0], starts), shape=(len(starts) - 1, width))


def _camel_split(text: bytes) -> bytes:
    """The text with a space between every [a-z][A-Z] pair."""
    letters = np.frombuffer(text, np.uint8)
    lower, upper = (letters >= ord("a")) & (letters <= ord("z")), (letters >= ord("A")) & (letters <= ord("Z"))
    return np.insert(letters, np.flatnonzero(lower[:-1] & upper[1:]) + 1, ord(" ")).tobytes()
