"""A record as one JSON string, the only form in which it leaves the process that measured it."""

from __future__ import annotations

import dataclasses
import json

from pytest_retrieval_bench.model import Record


def to_json(record: Record) -> str:
    """The record as JSON on one line.

    Raises ValueError or TypeError for a value that JSON does not have, such as NaN or a number of another library.
    """
    members = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    return json.dumps(
        {name: value for name, value in members.items() if value is not None},
        allow_nan=False,
        ensure_ascii=True,
    )


def from_json(text: str) -> Record:
    """The record that `to_json` wrote."""
    members = json.loads(text)
    return Record(**{**members, "ranked": tuple(members["ranked"])})
