"""The samples that two reports share, side by side, and what an arm scored on them before and after."""

from __future__ import annotations

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.load import Report

TOLERANCE = 1e-9  # two tools that compute one metric differ in the last digits

Pairs = list[tuple[Row, Row]]
Values = list[tuple[float, float]]


def pairs_of(old: Report, new: Report) -> Pairs:
    """The rows of the samples that both reports hold, in the order of the new one."""
    rows = {row["id"]: row for row in old.data["details"]}
    return [(rows[row["id"]], row) for row in new.data["details"] if row["id"] in rows]


def values_of(pairs: Pairs, arm: str, metric: str) -> Values:
    """The old and the new value of each sample that has both."""
    scored = [(before["metrics"][arm], row["metrics"][arm]) for before, row in pairs]
    return [(before[metric], after[metric]) for before, after in scored if metric in before and metric in after]


def differences_of(values: Values) -> list[float]:
    """New minus old; 0 where they differ by rounding alone."""
    return [0 if abs(new - old) <= TOLERANCE else new - old for old, new in values]
