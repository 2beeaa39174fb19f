"""Predicted savings that were stored before agents were run: one row a sample (ARB 7.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_retrieval_bench.agents.members import number, sample_id, text
from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.errors import LogError


@dataclass(frozen=True, slots=True)
class Prediction:
    """How many steps a seed may save, None where that is not known, and the group that the sample was chosen for."""

    saved: float | None
    group: str = ""


def packets(rows: Iterable[tuple[str, Row]]) -> dict[str, Prediction]:
    """The prediction for each `sample_id`: its `PES@20`, and its `group` where it has one.

    Raises LogError, naming place and member, for a row that is no packet, and for a sample that is there twice.
    """
    found: dict[str, Prediction] = {}
    places: dict[str, str] = {}
    for where, row in rows:
        identity = sample_id(row, where)
        if identity in places:
            raise LogError(f"{where}: the sample is there already, at {places[identity]}; keep one of them")
        places[identity] = where
        found[identity] = Prediction(number(row, "PES@20", where), text(row, ("group",), where))
    return found
