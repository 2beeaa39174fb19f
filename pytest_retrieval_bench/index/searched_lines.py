"""Many short byte strings, searched at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]


class SearchedLines:
    """Lines without a line feed, joined into one text, so that one search covers them all."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._text = b"\n".join(lines)
        lengths = np.fromiter(map(len, lines), np.int64, len(lines))
        self._starts = np.concatenate([[0], np.cumsum(lengths + 1)])[:-1]

    def find(self, needle: bytes) -> Longs:
        """The number of the line of each occurrence, ascending; occurrences do not overlap, leftmost first."""
        before = self._text.split(needle)[:-1]
        lengths = np.fromiter(map(len, before), np.int64, len(before))
        return self._lines_of(np.cumsum(lengths + len(needle)) - len(needle))

    def find_bounded(self, needle: bytes) -> Longs:
        """The same for occurrences with no word character on either side."""
        pattern = re.compile(rb"(?<![A-Za-z0-9_])" + re.escape(needle) + rb"(?![A-Za-z0-9_])")
        positions = [match.start() for match in pattern.finditer(self._text)]
        return self._lines_of(np.array(positions, np.int64))

    def _lines_of(self, positions: Longs) -> Longs:
        return np.searchsorted(self._starts, positions, side="right") - 1
