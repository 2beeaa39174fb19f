"""Identifiers that a person would search for, from a query's string values (PROTOCOL 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_retrieval_bench.model import Json

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CAMEL = re.compile(r"[a-z][A-Z]")
# The second alternative swallows a run that is no file name, so that a long one is not searched from each character.
_FILE_NAME = re.compile(
    r"([A-Za-z0-9_-]+)\.(?:go|py|rs|tsx|ts|js|java|kt|rb|cs|cpp|c|h)\b|[A-Za-z0-9_-]+",
    re.ASCII,
)
MIN_LENGTH = 4


def string_values(value: Json) -> Iterator[str]:
    """Every string inside a JSON value, object keys left out, objects by sorted key, lists in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from string_values(item)
    elif isinstance(value, dict):
        for key in sorted(value):
            yield from string_values(value[key])


def query_identifiers(fields: Json) -> list[str]:
    """The distinct identifiers of a query object, sorted.

    A word counts when it has four characters and an inner underscore or a camel-case boundary; so does the stem of
    a code file's name.
    """
    found: set[str] = set()
    for text in string_values(fields):
        found.update(word for word in _IDENTIFIER.findall(text) if _looks_like_code(word))
        found.update(stem for stem in _FILE_NAME.findall(text) if len(stem) >= MIN_LENGTH)
    return sorted(found)


def _looks_like_code(word: str) -> bool:
    return len(word) >= MIN_LENGTH and ("_" in word.strip("_") or _CAMEL.search(word) is not None)
