"""The words of one file content, and how often each occurs: everything that the lexical arms ever ask of a text.

A bench term, a whole word and a bench token never cross the edge of a run of word characters, so counts of distinct
runs answer each question about the text exactly, and the text itself is read once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

_RUN_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_RUNS = bytes(byte if byte in _RUN_CHARACTERS else 32 for byte in range(256))
# The two characters outside ASCII whose simple lower case is ASCII: in lower-cased text they join runs.
_KELVIN, _DOTTED_I = "\u212a".encode(), "\u0130".encode()


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Counts of the maximal runs of [A-Za-z0-9_-] in one content (the stem of a file name may hold a hyphen).

    `lowered` counts the runs of the lower-cased text where lower-casing joins runs, else it is None.
    """

    runs: Mapping[bytes, int]
    lowered: Mapping[bytes, int] | None


def count_runs(content: bytes) -> RunCounts:
    """Counts the runs of a content. Bytes that are not UTF-8 read as characters that belong to no run."""
    return RunCounts(Counter(content.translate(_RUNS).split()), None if content.isascii() else _lowered(content))


def _lowered(content: bytes) -> Mapping[bytes, int] | None:
    if _KELVIN not in content and _DOTTED_I not in content:
        return None
    lowered = content.replace(_KELVIN, b"k").replace(_DOTTED_I, b"i").lower()
    return Counter(lowered.translate(_RUNS).split())
