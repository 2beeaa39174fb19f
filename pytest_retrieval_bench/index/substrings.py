"""Finding many short terms inside many short words at once, by a suffix array."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.index.postings import Longs

Keys = npt.NDArray[np.uint64]

_WIDTH = 8  # bytes of a suffix that one key holds


class Substrings:
    """The suffixes of words of [a-z0-9], sorted by their first eight bytes.

    All suffixes that begin with a term stand together, so that two binary searches find them.
    """

    def __init__(self, words: Sequence[bytes]) -> None:
        text = np.frombuffer(b"\n".join([*words, bytes(_WIDTH)]), np.uint8)
        count = len(text) - _WIDTH
        lengths = np.fromiter(map(len, words), np.int64, len(words)) + 1
        self._starts = np.cumsum(lengths) - lengths
        # keys[i] holds text[i:i+8] as a big-endian number; 0 stands behind the last suffix.
        self._keys: Keys = np.zeros(count + 1, np.uint64)
        for offset in range(_WIDTH):
            self._keys[:count] = (self._keys[:count] << np.uint64(8)) | text[offset : offset + count]
        self._order = np.argsort(self._keys[:count])
        self._sorted = self._keys[self._order]

    def find(self, terms: Sequence[bytes]) -> list[Longs]:
        """For each term of [a-z0-9]: the number of the word of each of its occurrences, which do not overlap."""
        ranges = np.array([_range(term[:_WIDTH]) for term in terms], np.uint64).reshape(-1, 2)
        edges = np.searchsorted(self._sorted, ranges).tolist()
        found = [
            self._occurrences(term, self._order[start:end]) for term, (start, end) in zip(terms, edges, strict=True)
        ]
        words = np.searchsorted(self._starts, np.concatenate([*found, np.zeros(0, np.int64)]), side="right") - 1
        return np.split(words, np.cumsum([len(positions) for positions in found], dtype=np.int64))[:-1]

    def _occurrences(self, term: bytes, positions: Longs) -> Longs:
        """The occurrences of a term among the positions where its first eight bytes occur."""
        for offset in range(_WIDTH, len(term), _WIDTH):
            low, high = _range(term[offset : offset + _WIDTH])
            keys = self._keys[np.minimum(positions + offset, len(self._keys) - 1)]
            positions = positions[(keys >= np.uint64(low)) & (keys < np.uint64(high))]
        if len(positions) > 1 and _can_overlap_itself(term):
            positions = _without_overlaps(np.sort(positions), len(term))
        return positions


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
