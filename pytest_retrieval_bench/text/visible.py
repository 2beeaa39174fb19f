"""Text of strangers as a terminal or a page may show it."""

from __future__ import annotations

_LONGEST = 200


def visible(text: str, longest: int = _LONGEST, kept: str = "") -> str:
    """The text on one line with escapes for what a terminal would obey rather than print, cut after `longest`.

    The characters in `kept` stay as they are.
    """
    cut = text if len(text) <= longest else f"{text[:longest]}…"
    if cut.isprintable():
        return cut
    return "".join(char if char.isprintable() or char in kept else _escaped(char) for char in cut)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()
