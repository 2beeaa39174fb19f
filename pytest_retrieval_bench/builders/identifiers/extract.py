"""The names that a text gives: what somebody would type into a search for code."""

from __future__ import annotations

import re
from typing import Final

MOST: Final = 12
_LEAST_CHARS, _MOST_CHARS = 4, 40
_FENCE = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_SHAPE = re.compile(r"[_.]|[a-z0-9][A-Z]")
# Words that may stand in backticks and name nothing.
_STOP: Final = frozenset([
    "about", "after", "also", "because", "been", "before", "between", "could", "does", "done", "during", "even", "from",
    "have", "here", "into", "just", "like", "made", "make", "many", "more", "most", "much", "only", "other", "over",
    "should", "some", "such", "than", "that", "their", "then", "there", "they", "this", "under", "very", "what", "when",
    "where", "which", "while", "will", "with", "within", "without", "would", "your", "yours",
])  # fmt: skip


def identifiers_of(text: str) -> list[str]:
    """The distinct names of a text, twelve at most: those in backticks first, then those of code blocks, then others.

    A name has four to forty characters and the shape of one (an underscore, a dot, a hump); in backticks any word is
    one. `/` is never part of a name, so that a path gives its last part.
    """
    fenced = _FENCE.findall(text)
    rest = _FENCE.sub(" ", text)
    inline = _INLINE.findall(rest)
    parts = [(inline, False), (fenced, True), ([_INLINE.sub(" ", rest)], True)]
    found = (
        token
        for texts, needs_shape in parts
        for part in texts
        for token in _TOKEN.findall(part)
        if _is_name(token, needs_shape=needs_shape)
    )
    return list(dict.fromkeys(found))[:MOST]


def _is_name(token: str, *, needs_shape: bool) -> bool:
    if not _LEAST_CHARS <= len(token) <= _MOST_CHARS or token.lower() in _STOP:
        return False
    return not needs_shape or _SHAPE.search(token) is not None
