"""Bench tokens and the terms of a query (PROTOCOL 3)."""

from __future__ import annotations

import re

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TOKEN = re.compile(r"[A-Za-z0-9]+")
_SIMPLE_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(65, 91)} | {"\u212a": "k", "\u0130": "i"})


def bench_tokens(text: str) -> list[str]:
    """The benchmark's tokens of a text, in order: camel case split, runs of ASCII letters and digits, lower case.

    >>> bench_tokens("HTTPServer fooBar2Baz snake_case")
    ['httpserver', 'foo', 'bar2baz', 'snake', 'case']
    """
    return [token.lower() for token in _TOKEN.findall(_CAMEL.sub(" ", text))]


def grep_terms(query_text: str) -> list[str]:
    """The distinct bench tokens of at least two characters, sorted."""
    return sorted({token for token in bench_tokens(query_text) if len(token) > 1})


def simple_lower(text: str) -> str:
    """Lower case as far as it can yield ASCII, one code point to one: A to Z, the Kelvin sign and the dotted I."""
    return text.lower() if text.isascii() else text.translate(_SIMPLE_LOWER)
