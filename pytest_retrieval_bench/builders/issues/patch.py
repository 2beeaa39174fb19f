"""Which files a patch touches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NOWHERE = "/dev/null"
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_ESCAPE = re.compile(r"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = {"n": b"\n", "t": b"\t", "r": b"\r", "a": b"\a", "b": b"\b", "v": b"\v", "f": b"\f"}


@dataclass(frozen=True, slots=True)
class PatchedFiles:
    """The files that were there before, deleted ones among them, and those that the patch creates; each sorted.

    A file that is renamed counts by its old name, and only where its content changes as well.
    """

    existing: tuple[str, ...]
    created: tuple[str, ...]


def patched_files(patch: str) -> PatchedFiles:
    """The files of a unified diff; what it says beside hunks (modes, binary files) is passed over."""
    pairs = set(_pairs(patch))
    existing = {old for old, _ in pairs if old != _NOWHERE}
    created = {new for old, new in pairs if old == _NOWHERE and new != _NOWHERE}
    return PatchedFiles(tuple(sorted(existing)), tuple(sorted(created - existing)))


def _pairs(patch: str) -> Iterator[tuple[str, str]]:
    """The old and the new name above the hunks of each file. Lines within a hunk are counted off, whatever they say."""
    old: str | None = None
    left = [0, 0]
    for line in patch.split("\n"):
        if left[0] > 0 or left[1] > 0:
            left[0] -= line[:1] in (" ", "-", "")
            left[1] -= line[:1] in (" ", "+", "")
        elif match := _HUNK.match(line):
            left = [int(count) if count is not None else 1 for count in match.groups()]
        elif line.startswith("--- "):
            old = _name(line[4:])
        elif line.startswith("+++ ") and old is not None:
            yield old, _name(line[4:])
            old = None


def _name(written: str) -> str:
    """A name without its `a/` or `b/`, its time stamp and its quotes."""
    if written.startswith('"'):
        name = _unquoted(written[1 : written.rfind('"')])
    else:
        name = written.rstrip("\r").partition("\t")[0]
    return name if name == _NOWHERE else name.partition("/")[2] if name[:2] in ("a/", "b/") else name


def _unquoted(text: str) -> str:
    """A name as Git writes those with bytes that are not printable ASCII."""
    whole = b"".join(
        part.encode() if number % 2 == 0 else _byte(part) for number, part in enumerate(_ESCAPE.split(text))
    )
    return whole.decode("utf-8", "replace")


def _byte(escaped: str) -> bytes:
    return bytes([int(escaped, 8) & 0xFF]) if len(escaped) == 3 else _LETTERS.get(escaped, escaped.encode())
