"""Words as numbers, and what each word is made of: its lower-case form and its bench tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, islice

import numpy as np
import numpy.typing as npt
from scipy import sparse

Ints = npt.NDArray[np.int32]

_CAMEL = re.compile(rb"(?<=[a-z])(?=[A-Z])")
_UNDERSCORE_TO_SPACE = bytes.maketrans(b"_", b" ")


class Numbering(dict[bytes, int]):
    """Gives each new word the next number, from 0."""

    def __missing__(self, word: bytes) -> int:
        self[word] = number = len(self)
        return number

    def of(self, words: Iterable[bytes]) -> Ints:
        """The numbers of words, in order; new words are added."""
        return np.fromiter(map(self.__getitem__, words), np.int32)


class Vocabulary:
    """The words of many contents, numbered as they come, with each word taken apart once.

    A run that holds a hyphen has no parts of its own here: its words are counted beside it.
    """

    def __init__(self) -> None:
        self.words = Numbering()
        self.tokens = Numbering()
        self.lowered = Numbering()
        self._token_numbers: list[Ints] = []
        self._token_lengths: list[Ints] = []
        self._lowered_numbers: list[Ints] = []
        self._taken_apart = 0

    def words_to_tokens(self, count: int) -> sparse.csr_matrix:
        """The first `count` words x tokens: how often a word holds a token."""
        self._take_apart()
        lengths = np.concatenate(self._token_lengths or [_NO_INTS])[:count]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        numbers = np.concatenate(self._token_numbers or [_NO_INTS])[: starts[-1]]
        return _ones(numbers, starts, len(self.tokens))

    def words_to_lowered(self, count: int) -> sparse.csr_matrix:
        """The first `count` words x lower-case forms: a one at each word's own, none for runs with a hyphen."""
        self._take_apart()
        numbers = np.concatenate(self._lowered_numbers or [_NO_INTS])[:count]
        starts = np.concatenate([[0], np.cumsum(numbers >= 0)])
        return _ones(numbers[numbers >= 0], starts, len(self.lowered))

    def _take_apart(self) -> None:
        new = [b"" if b"-" in word else word for word in islice(self.words, self._taken_apart, None)]
        if not new:
            return
        self._taken_apart = len(self.words)
        spaced = _CAMEL.sub(b" ", b"\n".join(new)).lower().translate(_UNDERSCORE_TO_SPACE)
        tokens = [line.split() for line in spaced.split(b"\n")]
        self._token_numbers.append(self.tokens.of(chain.from_iterable(tokens)))
        self._token_lengths.append(np.fromiter(map(len, tokens), np.int32, len(tokens)))
        lowered = (self.lowered[word.lower()] if word else -1 for word in new)
        self._lowered_numbers.append(np.fromiter(lowered, np.int32, len(new)))


_NO_INTS: Ints = np.zeros(0, np.int32)


def _ones(columns: Ints, starts: npt.NDArray[np.int64], width: int) -> sparse.csr_matrix:
    data = np.ones(len(columns), np.int32)
    return sparse.csr_matrix((data, columns, starts), shape=(len(starts) - 1, width))
