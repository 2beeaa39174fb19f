"""JSON of strangers, read strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.surrogates import mended

MAX_DEPTH = 200
_TEXT_OR_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*+"|(NaN|-?Infinity)')


class _ConstantError(ValueError):
    """A number that JSON does not have."""


def loads(text: str) -> Json:
    """A JSON value that has one meaning: no key twice, no NaN; lone surrogates are mended.

    Raises ValueError; RecursionError where the text nests deeper than the parser follows.
    """
    try:
        value: Json = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except _ConstantError as error:
        found = next(match for match in _TEXT_OR_CONSTANT.finditer(text) if match[1])
        # The words for a place in a text are those of json itself.
        raise ValueError(str(json.JSONDecodeError(str(error), text, found.start()))) from None
    if _depth(value) > MAX_DEPTH:
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    return _mended(value)


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        name = mended(key)
        if name in found:
            raise ValueError(f"the key {name!r} stands twice in one object; keep one of them")
        found[name] = _mended(value)
    return found


def _mended(value: Json) -> Json:
    """The value without lone surrogates, which no file and no report can hold; inner objects are mended already."""
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    return value


def _depth(value: Json) -> int:
    """How many lists and objects stand around the innermost value."""
    depth, level = 0, [value]
    while level := [inner for outer in level if isinstance(outer, (list, dict)) for inner in _members(outer)]:
        depth += 1
    return depth


def _members(value: list[Json] | dict[str, Json]) -> Iterable[Json]:
    return value.values() if isinstance(value, dict) else value


def _refuse_constant(name: str) -> Json:
    raise _ConstantError(f"{name} is not JSON; write null or leave the member out")
