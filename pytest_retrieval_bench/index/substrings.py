"""Finding many short terms inside many short lines at once, by a suffix array."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.index.postings import Longs

Keys = npt.NDArray[np.uint64]

_WIDTH = 8  # bytes of a suffix that one key holds
_LONG = 64
_WORD_RUN = re.compile(rb"[A-Za-z0-9_]+")
_WORD = np.zeros(256, bool)
_WORD[list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] = True


class Substrings:
    """The suffixes of lines without a line feed, sorted by their first eight bytes.

    All suffixes that begin with a term stand together, so that two binary searches find them.
    """

    def __init__(self, lines: Sequence[bytes]) -> None:
        # A line feed stands on either side of each line, and more behind the last, so that each key has eight bytes.
        self._searched = b"\n".join([b"", *lines, b"\n" * _WIDTH])
        self._text = np.frombuffer(self._searched, np.uint8)
        lengths = np.fromiter(map(len, lines), np.int64, len(lines)) + 1
        self._starts = np.cumsum(lengths) - lengths + 1
        count = len(self._text) - _WIDTH + 1
        self._keys: Keys = np.zeros(count, np.uint64)
        for offset in range(_WIDTH):
            self._keys = (self._keys << np.uint64(8)) | self._text[offset : offset + count]
        self._order = np.argsort(self._keys)
        self._sorted = self._keys[self._order]

    def find(self, terms: Sequence[bytes], *, bounded: bool = False) -> list[Longs]:
        """For each term, which has no line feed: the number of the line of each of its occurrences.

        Occurrences do not overlap: after one, the search goes on behind it. `bounded` leaves out those with a word
        character on either side; after such a one, the search goes on one byte later.
        """
        ranges = np.array([_range(term[:_WIDTH]) for term in terms], np.uint64).reshape(-1, 2)
        edges = np.searchsorted(self._sorted, ranges).tolist()
        found = []
        for term, (start, end) in zip(terms, edges, strict=True):
            if start == end:
                found.append(_NOWHERE)
            elif len(term) > _LONG:
                found.append(np.fromiter(self._scanned(term, bounded), np.int64))
            else:
                found.append(self._occurrences(term, self._order[start:end], bounded))
        lines = np.searchsorted(self._starts, np.concatenate([*found, _NOWHERE]), side="right") - 1
        return np.split(lines, np.cumsum([len(positions) for positions in found], dtype=np.int64))[:-1]

    def _occurrences(self, term: bytes, positions: Longs, bounded: bool) -> Longs:
        """The occurrences of a term among the positions where its first eight bytes occur."""
        for offset in range(_WIDTH, len(term), _WIDTH):
            low, high = _range(term[offset : offset + _WIDTH])
            keys = self._keys[np.minimum(positions + offset, len(self._keys) - 1)]
            positions = positions[(keys >= np.uint64(low)) & (keys < np.uint64(high))]
        if bounded:
            around = _WORD[self._text[positions - 1]] | _WORD[self._text[positions + len(term)]]
            positions = positions[~around]
        if len(positions) > 1 and _can_overlap_itself(term):
            positions = _without_overlaps(np.sort(positions), len(term))
        return positions

    def _scanned(self, term: bytes, bounded: bool) -> Iterator[int]:
        """The occurrences of a long term: comparing eight bytes at a time could take quadratic time."""
        position = self._searched.find(term)
        while position >= 0:
            end = position + len(term)
            after = bounded and _WORD[self._searched[position - 1]]
            if not after and not (bounded and _WORD[self._searched[end]]):
                yield position
                position = self._searched.find(term, end)
            else:
                # Inside of a run of word characters no occurrence that begins with one can be bounded.
                run = _WORD_RUN.match(self._searched, position) if after else None
                position = self._searched.find(term, run.end() if run else position + 1)


_NOWHERE: Longs = np.zeros(0, np.int64)


def _range(part: bytes) -> tuple[int, int]:
    """The keys that begin with the part: the first of them, and the first behind them."""
    step = 256 ** (_WIDTH - len(part))
    low = int.from_bytes(part, "big") * step
    return low, low + step


def _can_overlap_itself(term: bytes) -> bool:
    return any(term.startswith(term[shift:]) for shift in range(1, len(term)))


def _without_overlaps(positions: Longs, length: int) -> Longs:
    """The occurrences that a search from left to right finds when it goes on behind each one."""
    kept, end = [], -1
    for position in positions.tolist():
        if position >= end:
            kept.append(position)
            end = position + length
    return np.array(kept, np.int64)
