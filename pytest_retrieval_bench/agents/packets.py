"""Predicted savings that were stored before agents were run: one row a sample (ARB 7.3)."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.errors import LogError

_PREDICTED = "PES@20"


def packets(rows: Iterable[tuple[str, Row]]) -> dict[str, float]:
    """The `PES@20` of each `sample_id`; rows without one predict nothing.

    Raises LogError, naming place and member, for a row that is no packet, and for a sample that is there twice.
    """
    found: dict[str, float] = {}
    places: dict[str, str] = {}
    for where, row in rows:
        identity, value = row.get("sample_id"), row.get(_PREDICTED)
        if not isinstance(identity, str) or not identity:
            raise LogError(f"{where}: names no sample; each row needs its sample_id")
        if identity in places:
            raise LogError(f"{where}: the sample is there already, at {places[identity]}; keep one of them")
        places[identity] = where
        if value is None:
            continue
        if type(value) not in (int, float):
            raise LogError(f"{where}: {_PREDICTED} must be a number or null, this is {value!r}")
        found[identity] = value  # type: ignore[assignment]
    return found
