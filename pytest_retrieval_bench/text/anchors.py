"""Whether a query names a place in a repository: the five anchor classes (PROTOCOL 3)."""

from __future__ import annotations

import json
import re

from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.identifiers import string_values
from pytest_retrieval_bench.text.surrogates import mended

MAX_QUERY_BYTES = 32_000
_MIN_BYTES, _MAX_BYTES = 4, 256
_WORD_RUN = re.compile(r"[A-Za-z0-9_]{3}")
_FILE_SUFFIX = re.compile(r"go|py|rs|tsx?|js|java|kt|rb|cs|cpp|c|h|md|json|ya?ml|toml|txt")

# Each pattern ends in an alternative without a group that swallows a run which began like a match: a search that
# started again at every character of a long run would take quadratic time.
_QUOTED = re.compile(r'"([^"\n]+)"')
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>()`]+)|[A-Za-z][A-Za-z0-9+.-]*", re.ASCII)
_FRAME = re.compile(r"([A-Za-z0-9_./-]+\.[A-Za-z0-9]+:[0-9]+)|[A-Za-z0-9_./-]+")
_SCOPED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)+)|[A-Za-z_][A-Za-z0-9_]*")
_DOTTED = re.compile(r"([a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+)|[a-z][a-z0-9_-]*")


def anchor_bearing(query_text: str) -> bool:
    """Whether the text holds a quoted name, a URL, a `file.ext:line` frame, an `a::b` path or a dotted lower-case name.

    Each class looks at what the classes before it left: a match is blanked whether or not it counts.
    """
    if len(query_text.encode()) > MAX_QUERY_BYTES:
        return False
    text = _searched_text(query_text)
    found = False
    for pattern in (_QUOTED, _URL, _FRAME, _SCOPED, _DOTTED):
        pieces, end = [], 0
        for match in pattern.finditer(text):
            anchor = match[1]
            if anchor is None:
                continue
            found = found or _counts(anchor, dotted=pattern is _DOTTED)
            pieces += [text[end : match.start()], " " * len(match[0])]
            end = match.end()
        if found:
            return True
        text = "".join(pieces) + text[end:]
    return False


def _searched_text(query_text: str) -> str:
    try:
        value: Json = json.loads(query_text, parse_constant=_refuse_constant)
        return mended("\n".join(string_values(value)))
    except (ValueError, RecursionError):
        return query_text


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _counts(anchor: str, *, dotted: bool) -> bool:
    long_enough = _MIN_BYTES <= len(anchor.encode()) <= _MAX_BYTES
    is_file_name = dotted and _FILE_SUFFIX.fullmatch(anchor.rpartition(".")[2]) is not None
    return long_enough and not is_file_name and _WORD_RUN.search(anchor) is not None
