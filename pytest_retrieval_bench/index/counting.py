"""The words of one file content: everything that the lexical arms ever ask of a text.

A bench term, a whole word and a bench token never cross the edge of a run of word characters, so counts of distinct
runs answer each question about the text exactly, and the text itself is read once.
"""

from __future__ import annotations

_RUN_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_RUNS = bytes(byte if byte in _RUN_CHARACTERS else 32 for byte in range(256))
# The two characters outside ASCII whose simple lower case is ASCII: in lower-cased text they join runs.
_KELVIN, _DOTTED_I = "\u212a".encode(), "\u0130".encode()


def runs_of(content: bytes) -> list[bytes]:
    """The maximal runs of [A-Za-z0-9_-] in a content, in order (the stem of a file name may hold a hyphen).

    Bytes that are not UTF-8 read as characters that belong to no run.
    """
    return content.translate(_RUNS).split()


def joined_by_lower_case(content: bytes) -> bytes | None:
    """The content in lower case where lower-casing joins runs, else None."""
    if content.isascii() or (_KELVIN not in content and _DOTTED_I not in content):
        return None
    return content.replace(_KELVIN, b"k").replace(_DOTTED_I, b"i").lower()
