"""The words of one file content, and how often each occurs: everything that the lexical arms ever ask of a text.

A bench term, a whole word and a bench token never cross the edge of a run of word characters, so counts of distinct
runs answer each question about the text exactly, and the text itself is read once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

_WORD_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
_RUNS = bytes(byte if byte in _WORD_CHARACTERS + b"-" else 32 for byte in range(256))
# The two characters outside ASCII whose simple lower case is ASCII: in lower-cased text they join runs.
_KELVIN, _DOTTED_I = "\u212a".encode(), "\u0130".encode()


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Counts of the runs of one content.

    `words` counts the maximal runs of [A-Za-z0-9_], and beside them the maximal runs of [A-Za-z0-9_-] that hold a
    hyphen (file stems may). `folded` counts the runs of the lower-cased text where these are not simply the lower-cased
    words, else it is None.
    """

    words: Mapping[bytes, int]
    folded: Mapping[bytes, int] | None


def count_words(content: bytes) -> WordCounts:
    """Counts the words of a content. Bytes that are not UTF-8 read as characters that belong to no word."""
    words = Counter(content.translate(_RUNS).split())
    if b"-" in content:
        _count_parts(words)
    return WordCounts(words, _folded(content))


def _count_parts(words: Counter[bytes]) -> None:
    for run in [run for run in words if b"-" in run]:
        occurrences = words[run]
        for part in run.split(b"-"):
            if part:
                words[part] += occurrences


def _folded(content: bytes) -> Mapping[bytes, int] | None:
    if _KELVIN not in content and _DOTTED_I not in content:
        return None
    lowered = content.replace(_KELVIN, b"k").replace(_DOTTED_I, b"i").lower()
    return Counter(lowered.translate(_RUNS).replace(b"-", b" ").split())
