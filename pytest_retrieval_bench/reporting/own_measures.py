"""The member `measures.own` of a report: means of the metrics that users bring, each with its own n."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.layout import Grid
from pytest_retrieval_bench.reporting.long_row import LongRow
from pytest_retrieval_bench.reporting.sections import groups_of
from pytest_retrieval_bench.scoring.own import OWN
from pytest_retrieval_bench.statistics.rounding import mean
from pytest_retrieval_bench.text.visible import visible


def own_section(rows: Sequence[Row], arms: Iterable[str]) -> dict[str, Any]:
    """By arm, group of samples and metric: `n` samples that have it, and their `mean`."""
    return {arm: _means(rows, arm) for arm in arms}


def shown_own(section: Mapping[str, Any]) -> Iterator[str | Grid]:
    """The means over all samples, as a table: a row a metric and arm."""
    rows = [
        [visible(name), visible(arm), str(summary["n"]), f"{summary['mean']:.3f}"]
        for arm, groups in section.items()
        for name, summary in groups.get("all", {}).items()
    ]
    if rows:
        yield "metrics of your own:"
        yield Grid([["metric", "arm", "n", "mean"], *rows], names=(0, 1))


def own_rows(section: Mapping[str, Any]) -> Iterator[LongRow]:
    """Each mean on a row: arm, view, group, measure, n, value."""
    for arm, groups in section.items():
        for group, summaries in groups.items():
            for name, summary in summaries.items():
                yield arm, OWN, group, name, summary["n"], summary["mean"]


def _means(rows: Iterable[Row], arm: str) -> dict[str, dict[str, dict[str, float]]]:
    values: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        of_sample = row.get("measures", {}).get(arm, {}).get(OWN, {"values": {}})["values"]
        for group in groups_of(row):
            for name, value in of_sample.items():
                values.setdefault(group, {}).setdefault(name, []).append(value)
    return {
        group: {name: {"n": len(column), "mean": mean(column)} for name, column in columns.items()}
        for group, columns in values.items()
    }
