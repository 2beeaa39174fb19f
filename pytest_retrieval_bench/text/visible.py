"""Text of strangers as a terminal may show it."""

from __future__ import annotations

_LONGEST = 200


def visible(text: str, longest: int = _LONGEST) -> str:
    """The text on one line with escapes for what a terminal would obey rather than print, cut after `longest`."""
    cut = text if len(text) <= longest else f"{text[:longest]}…"
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in cut)
