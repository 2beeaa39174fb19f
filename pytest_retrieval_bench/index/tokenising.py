"""Bench tokens of many short strings at once: the same as `text.tokens.bench_tokens`, on bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytest_retrieval_bench.index.postings import Ints

_ALPHANUMERIC = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\n"
_OTHERS_TO_SPACES = bytes(byte if byte in _ALPHANUMERIC else 32 for byte in range(256))


@dataclass(frozen=True, slots=True)
class WordLines:
    """The words of many lines, line after line; `lengths` says how many each line has."""

    words: list[bytes]
    lengths: Ints


def tokens_of(lines: Sequence[bytes]) -> WordLines:
    """The bench tokens of each line (without a line feed)."""
    return _split(_camel_split(b"\n".join(lines).translate(_OTHERS_TO_SPACES)), len(lines))


def tokens_and_pieces(lines: Sequence[bytes]) -> tuple[WordLines, WordLines]:
    """For each line (without a line feed): its bench tokens, and its maximal runs of letters and digits, lower case."""
    text = b"\n".join(lines).translate(_OTHERS_TO_SPACES)
    return _split(_camel_split(text), len(lines)), _split(text, len(lines))


def _split(text: bytes, lines: int) -> WordLines:
    # A list a line would cost more than all else here.
    bytes_of_text = np.frombuffer(b" " + text, np.uint8)
    in_word = bytes_of_text > ord(" ")
    starts = np.flatnonzero(in_word[1:] & ~in_word[:-1])
    line_ends = np.flatnonzero(bytes_of_text[1:] == ord("\n"))
    lengths = np.bincount(np.searchsorted(line_ends, starts), minlength=lines)
    return WordLines(text.lower().split(), lengths.astype(np.int32))


def _camel_split(text: bytes) -> bytes:
    """The text with a space between every [a-z][A-Z] pair."""
    letters = np.frombuffer(text, np.uint8)
    lower, upper = (letters >= ord("a")) & (letters <= ord("z")), (letters >= ord("A")) & (letters <= ord("Z"))
    return np.insert(letters, np.flatnonzero(lower[:-1] & upper[1:]) + 1, ord(" ")).tobytes()
