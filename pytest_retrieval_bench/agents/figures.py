"""Figures that say how far they can be trusted: each with its n, means and shares with intervals.

What is measured are columns of values; `filled` makes figures of all of them at once, since intervals of many columns
take little longer than those of one.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_retrieval_bench.statistics.bootstrap import Interval, bootstrap_means
from pytest_retrieval_bench.statistics.clustered import clustered_means, clusters_of
from pytest_retrieval_bench.statistics.intervals import wilson
from pytest_retrieval_bench.statistics.rounding import mean, rounded
from pytest_retrieval_bench.statistics.verdicts import MIN_DIFFERING

# The repository of a sample, and its value.
Value = tuple[str, float]
Figure = dict[str, Any]
_AT_ONCE = 256


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Values of which a figure is to be made, of 0 and 1 for a share; `further` members stand beside it."""

    values: Sequence[Value]
    is_share: bool = False
    further: Mapping[str, Any] = field(default_factory=dict)


def means(columns: Mapping[str, Sequence[Value]]) -> dict[str, Column]:
    """Columns of which the means are wanted."""
    return {name: Column(values) for name, values in columns.items()}


def shares(columns: Mapping[str, Sequence[Value]]) -> dict[str, Column]:
    """Columns of 0 and 1 of which the shares are wanted."""
    return {name: Column(values, is_share=True) for name, values in columns.items()}


def described(values: Sequence[Value]) -> Column:
    """A column of which the mean and the median are wanted."""
    return Column(values, further=middle([value for _, value in values]))


def filled(tree: Any) -> Any:
    """The tree of dictionaries with a figure in the place of each column.

    Of a mean `n` and `mean`, with six values or more the ends of its 95% bootstrap interval, `low` and `high`. Of a
    share `n`, `count`, `rate` and Wilson's interval. `clustered` are the ends when whole repositories are drawn, where
    there are six. A column without values has `n` alone.
    """
    columns = list(_columns(tree))
    figures: list[Figure] = []
    for start in range(0, len(columns), _AT_ONCE):
        figures += _figures(columns[start : start + _AT_ONCE])
    return _placed(tree, iter(figures))


def middle(values: Sequence[float]) -> Figure:
    """`n`, and the `median` where there is a value."""
    return {"n": len(values)} | ({"median": rounded(statistics.median(values))} if values else {})


def correlation(pairs: Sequence[tuple[float, float]]) -> Figure:
    """`n`, `pearson` and `spearman`; `n` alone where one side does not vary."""
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    if any(len(set(side)) < 2 for side in sides):
        return {"n": len(pairs)}
    from scipy.stats import rankdata  # takes a second to load, and other commands are there as well

    ranks = [rankdata(side).tolist() for side in sides]
    return {
        "n": len(pairs),
        "pearson": rounded(statistics.correlation(*sides)),
        "spearman": rounded(statistics.correlation(*ranks)),
    }


def _columns(tree: Any) -> Iterator[Column]:
    if isinstance(tree, Column):
        yield tree
    elif isinstance(tree, dict):
        for part in tree.values():
            yield from _columns(part)


def _placed(tree: Any, figures: Iterator[Figure]) -> Any:
    if isinstance(tree, Column):
        return next(figures)
    return {name: _placed(part, figures) for name, part in tree.items()} if isinstance(tree, dict) else tree


def _figures(columns: Sequence[Column]) -> list[Figure]:
    found = [_figure(column) for column in columns]
    long = [place for place, one in enumerate(columns) if not one.is_share and len(one.values) >= MIN_DIFFERING]
    by_sample = bootstrap_means([[value for _, value in columns[place].values] for place in long])
    for place, interval in zip(long, by_sample, strict=True):
        found[place] |= _ends(interval)
    known = [place for place, one in enumerate(columns) if one.values]
    by_repository = clustered_means([clusters_of(_by_repository(columns[place].values)) for place in known])
    for place, ends in zip(known, by_repository, strict=True):
        if ends is not None:
            found[place]["clustered"] = _ends(ends)
    return found


def _figure(column: Column) -> Figure:
    """The figure but for the intervals that are made for many at once."""
    values = [value for _, value in column.values]
    if not values:
        return {"n": 0}
    if not column.is_share:
        return {"n": len(values), "mean": mean(values), **column.further}
    count = sum(value > 0 for value in values)
    return {**wilson(count, len(values)), "count": count}


def _by_repository(values: Sequence[Value]) -> list[list[float]]:
    groups: dict[str, list[float]] = {}
    for repository, value in values:
        groups.setdefault(repository, []).append(value)
    return list(groups.values())


def _ends(interval: Interval) -> dict[str, float]:
    return {"low": rounded(interval[0]), "high": rounded(interval[1])}
