"""Figures that say how far they can be trusted: each with its n, means and shares with intervals."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from scipy.stats import rankdata

from pytest_retrieval_bench.statistics.bootstrap import bootstrap_means
from pytest_retrieval_bench.statistics.clustered import clustered_means, clusters_of
from pytest_retrieval_bench.statistics.intervals import wilson
from pytest_retrieval_bench.statistics.rounding import mean, rounded
from pytest_retrieval_bench.statistics.verdicts import MIN_DIFFERING

# The repository of a sample, and its value.
Value = tuple[str, float]
Columns = Mapping[str, Sequence[Value]]
Figure = dict[str, Any]


def means(columns: Columns) -> dict[str, Figure]:
    """Of each column `n` and `mean`; with six values or more the ends of its 95% bootstrap interval, `low` and `high`.

    `clustered` are the ends when whole repositories are drawn, where there are six.
    """
    found: dict[str, Figure] = {name: {"n": 0} for name in columns}
    filled = {name: [value for _, value in column] for name, column in columns.items() if column}
    for name, values in filled.items():
        found[name] = {"n": len(values), "mean": mean(values)}
    long = [name for name, values in filled.items() if len(values) >= MIN_DIFFERING]
    for name, ends in zip(long, bootstrap_means([filled[name] for name in long]), strict=True):
        found[name] |= _ends(ends)
    return _with_clustered(found, columns)


def mean_of(column: Sequence[Value]) -> Figure:
    """The figure of one column."""
    return means({"": column})[""]


def shares(columns: Columns) -> dict[str, Figure]:
    """Of each column of 0 and 1 `n`, `count`, `rate` and Wilson's 95% interval, `low` and `high`; `clustered` as above.

    Without values there is `n` alone.
    """
    found: dict[str, Figure] = {}
    for name, column in columns.items():
        count = sum(value > 0 for _, value in column)
        found[name] = wilson(count, len(column)) | ({"count": count} if column else {})
    return _with_clustered(found, columns)


def middle(values: Sequence[float]) -> Figure:
    """`n`, and the `median` where there is a value."""
    return {"n": len(values)} | ({"median": rounded(statistics.median(values))} if values else {})


def correlation(pairs: Sequence[tuple[float, float]]) -> Figure:
    """`n`, `pearson` and `spearman`; `n` alone where one side does not vary."""
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    if any(len(set(side)) < 2 for side in sides):
        return {"n": len(pairs)}
    ranks = [rankdata(side).tolist() for side in sides]
    return {
        "n": len(pairs),
        "pearson": rounded(statistics.correlation(*sides)),
        "spearman": rounded(statistics.correlation(*ranks)),
    }


def _with_clustered(found: dict[str, Figure], columns: Columns) -> dict[str, Figure]:
    filled = {name: clusters_of(_by_repository(column)) for name, column in columns.items() if column}
    for name, ends in zip(filled, clustered_means(list(filled.values())), strict=True):
        if ends is not None:
            found[name]["clustered"] = _ends(ends)
    return found


def _by_repository(column: Sequence[Value]) -> list[list[float]]:
    groups: dict[str, list[float]] = {}
    for repository, value in column:
        groups.setdefault(repository, []).append(value)
    return list(groups.values())


def _ends(interval: tuple[float, float]) -> dict[str, float]:
    return {"low": rounded(interval[0]), "high": rounded(interval[1])}
