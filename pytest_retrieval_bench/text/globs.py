"""Patterns of paths: `*` and `?` stay within a segment, `**` stands for any number of segments, none included."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SEGMENTS = "(?:[^/]+/)*"


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """What fully matches the paths that one of the patterns stands for; nothing where there is none.

    >>> bool(any_of(["docs/**", "**/test_*.py"]).fullmatch("test_a.py"))
    True
    """
    return re.compile("|".join(f"(?:{_translated(pattern)})" for pattern in patterns) or "(?!)", re.DOTALL)


def _translated(pattern: str) -> str:
    *folders, last = pattern.split("/")
    before = "".join(_SEGMENTS if folder == "**" else f"{_segment(folder)}/" for folder in folders)
    return before + (f"{_SEGMENTS}[^/]+" if last == "**" else _segment(last))


def _segment(text: str) -> str:
    return "".join({"*": "[^/]*", "?": "[^/]"}.get(letter) or re.escape(letter) for letter in text)
