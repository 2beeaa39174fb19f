"""Lone surrogates, which no UTF-8 file can hold (PROTOCOL 1)."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def mended(text: str) -> str:
    """The text with U+FFFD for each lone surrogate."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
