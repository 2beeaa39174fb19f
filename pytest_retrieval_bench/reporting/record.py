"""A record as one JSON string, the only form in which it leaves the process that measured it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, NoReturn

from pytest_retrieval_bench.model import IndexCost, Record

_MAY_BE_EMPTY = ("figures", "measures")


def members_of(record: Record) -> dict[str, Any]:
    """The record's members by name; what is not known is absent."""
    members = _known(record) | ({} if record.index is None else {"index": _known(record.index)})
    return {name: member for name, member in members.items() if member != {} or name not in _MAY_BE_EMPTY}


def to_json(record: Record) -> str:
    """The record as JSON on one line.

    Raises ValueError or TypeError for a value that JSON does not have, such as NaN or a number of another library.
    """
    return json.dumps(members_of(record), allow_nan=False, ensure_ascii=True)


def from_json(text: str) -> Record:
    """The record that `to_json` wrote.

    Raises ValueError, TypeError or KeyError for what is none.
    """
    members = json.loads(text, parse_constant=_refuse)
    if "index" in members:
        members["index"] = IndexCost(**members["index"])
    if "lines" in members:
        members["lines"] = tuple(None if span is None else tuple(span) for span in members["lines"])
    return Record(**{**members, "ranked": tuple(members["ranked"])})


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _known(value: Any) -> dict[str, Any]:
    """The members of a dataclass that are not None."""
    members = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {name: member for name, member in members.items() if member is not None}
