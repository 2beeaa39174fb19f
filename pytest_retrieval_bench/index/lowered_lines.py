"""Finding short texts in many long ones, whatever the case of their letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pytest_retrieval_bench.index.postings import ListedPostings, Longs, Postings
from pytest_retrieval_bench.index.vocabulary import Numbering, ones

_WORD_BYTES = b"abcdefghijklmnopqrstuvwxyz0123456789_"
_OTHERS_TO_SPACES = bytes(byte if byte in _WORD_BYTES else 32 for byte in range(256))


class LoweredLines:
    """Texts in lower case, one after the other; a text is known by its number."""

    def __init__(self, texts: Sequence[str]) -> None:
        lowered = [text.lower().encode() for text in texts]
        self._ends = np.cumsum(np.fromiter(map(len, lowered), np.int64, len(lowered)) + 1)
        self._joined = b"\n".join([*lowered, b""])

    def holding(self, term: str) -> Longs:
        """The numbers of the texts that hold a term, which is in lower case and has no line feed; ascending."""
        return np.fromiter(self._holding(term.encode()), np.int64)

    def words(self) -> Postings:
        """The maximal runs of [a-z0-9_] over the texts."""
        separated = self._joined.translate(_OTHERS_TO_SPACES)
        in_word = np.frombuffer(b" " + separated, np.uint8) != ord(" ")
        starts = np.flatnonzero(in_word[1:] & ~in_word[:-1])
        lengths = np.bincount(np.searchsorted(self._ends, starts, side="right"), minlength=len(self._ends))
        numbering = Numbering()
        words = numbering.of(separated.split(), len(starts))
        return ListedPostings(list(numbering), ones(words, lengths.astype(np.int32), len(numbering)).T.tocsr())

    def _holding(self, term: bytes) -> Iterator[int]:
        position = self._joined.find(term)
        while position >= 0:
            number = int(np.searchsorted(self._ends, position, side="right"))
            yield number
            position = self._joined.find(term, int(self._ends[number]))
