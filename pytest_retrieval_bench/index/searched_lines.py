"""Many short byte strings, searched at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]

_WORD_CHARACTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


class SearchedLines:
    """Lines without a line feed, numbered from 0, in one text, so that one search covers them all.

    Lines can be added; what was found before is kept, and only new lines are searched for it again.
    """

    def __init__(self, lines: Sequence[bytes] = ()) -> None:
        self._text = b"\n"
        self._starts = np.zeros(0, np.int64)
        self._found: dict[bytes, tuple[int, Longs]] = {}
        self.add(lines)

    def add(self, lines: Sequence[bytes]) -> None:
        """Puts lines at the end."""
        lengths = np.fromiter(map(len, lines), np.int64, len(lines)) + 1
        self._starts = np.concatenate([self._starts, len(self._text) + np.cumsum(lengths) - lengths])
        self._text += b"".join(line + b"\n" for line in lines)

    def find(self, needle: bytes) -> Longs:
        """The number of the line of each occurrence, ascending; occurrences do not overlap, leftmost first."""
        searched, numbers = self._found.get(needle, (0, np.zeros(0, np.int64)))
        first = self._text.find(needle, searched)
        if first >= 0:
            after = self._text[first:].split(needle)[1:]
            lengths = np.fromiter(map(len, after), np.int64, len(after)) + len(needle)
            positions = first + np.cumsum(lengths) - lengths
            numbers = np.concatenate([numbers, self._lines_of(positions)])
        self._found[needle] = (len(self._text), numbers)
        return numbers

    def find_bounded(self, needle: bytes) -> Longs:
        """The same for occurrences with no word character on either side; after one that has, a byte is skipped."""
        positions = np.fromiter(self._bounded(needle), np.int64)
        return self._lines_of(positions)

    def _bounded(self, needle: bytes) -> Iterator[int]:
        position = self._text.find(needle)
        while position >= 0:
            end = position + len(needle)
            bounded = self._text[position - 1] not in _WORD_CHARACTERS and self._text[end] not in _WORD_CHARACTERS
            if bounded:
                yield position
            position = self._text.find(needle, end if bounded else position + 1)

    def _lines_of(self, positions: Longs) -> Longs:
        return np.searchsorted(self._starts, positions, side="right") - 1
