"""Many short byte strings, searched at once for something that is seldom there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pytest_retrieval_bench.index.postings import Longs

_WORD_CHARACTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


class SearchedLines:
    """Lines without a line feed, numbered from 0, in one text."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._text = b"\n".join([b"", *lines, b""])
        lengths = np.fromiter(map(len, lines), np.int64, len(lines)) + 1
        self._starts = np.cumsum(lengths) - lengths + 1

    def find(self, needle: bytes) -> Longs:
        """The number of each line that holds the needle, ascending, each once."""
        lines = self._lines_of(self._occurrences(needle))
        return lines[np.flatnonzero(np.diff(lines, prepend=-1))]

    def find_bounded(self, needle: bytes) -> Longs:
        """The number of the line of each occurrence that has no word character on either side, ascending.

        Occurrences do not overlap, but after one that is not bounded the search goes on one byte later.
        """
        return self._lines_of(self._occurrences(needle, bounded=True))

    def _occurrences(self, needle: bytes, *, bounded: bool = False) -> Iterator[int]:
        position = self._text.find(needle)
        while position >= 0:
            end = position + len(needle)
            counts = not bounded or not _WORD_CHARACTERS.intersection((self._text[position - 1], self._text[end]))
            if counts:
                yield position
            position = self._text.find(needle, end if counts else position + 1)

    def _lines_of(self, positions: Iterator[int]) -> Longs:
        return np.searchsorted(self._starts, np.fromiter(positions, np.int64), side="right") - 1
