"""Bench tokens of many short strings at once: the same as `text.tokens.bench_tokens`, on bytes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_ALPHANUMERIC = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\n"
_OTHERS_TO_SPACES = bytes(byte if byte in _ALPHANUMERIC else 32 for byte in range(256))


def tokens_and_pieces(lines: Sequence[bytes]) -> tuple[list[list[bytes]], list[list[bytes]]]:
    """For each line (without a line feed): its bench tokens, and its maximal runs of letters and digits, lower case."""
    text = b"\n".join(lines).translate(_OTHERS_TO_SPACES)
    return _split(_camel_split(text)), _split(text)


def _split(text: bytes) -> list[list[bytes]]:
    return [line.split() for line in text.lower().split(b"\n")]


def _camel_split(text: bytes) -> bytes:
    """The text with a space between every [a-z][A-Z] pair."""
    letters = np.frombuffer(text, np.uint8)
    lower, upper = (letters >= ord("a")) & (letters <= ord("z")), (letters >= ord("A")) & (letters <= ord("Z"))
    return np.insert(letters, np.flatnonzero(lower[:-1] & upper[1:]) + 1, ord(" ")).tobytes()
