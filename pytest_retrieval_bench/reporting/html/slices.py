"""Every arm in each part of the samples: a table a kind of part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.html.figures import Table, deepest_recall, number
from pytest_retrieval_bench.reporting.sections import groups_of
from pytest_retrieval_bench.statistics.rounding import mean

KINDS = ("task", "stratum", "fold", "repository", "language")


def slices(report: Mapping[str, Any]) -> Iterator[Table]:
    """By kind: each slice of the samples with each arm; a sample is in several languages where its gold files are."""
    groups: dict[str, dict[str, list[Row]]] = {kind: {} for kind in KINDS}
    for row in report["details"]:
        for kind, name in _slices_of(row):
            groups[kind].setdefault(name, []).append(row)
    recall = deepest_recall(report["limit"])
    shown = [f"hit@{report['limit']}", "mrr", *([recall] if recall else []), "success"]
    metrics = ["hit@k", "mrr@k", *([recall] if recall else []), "selective_success"]
    for kind, members in groups.items():
        rows = [
            [name, arm, *_cells([row["metrics"][arm] for row in members[name] if arm in row["arms"]], metrics)]
            for name in sorted(members)
            for arm in report["arms"]
        ]
        if rows:
            yield Table(f"By {kind}", [kind, "arm", "n", "positives", *shown], rows, (0, 1))


def _slices_of(row: Row) -> Iterator[tuple[str, str]]:
    for group in groups_of(row):
        kind, _, name = group.partition(":")
        if name:
            yield kind, name.replace("_", " ") if kind == "stratum" else name
    yield "repository", row["repo"]
    for suffix in dict.fromkeys(PurePosixPath(path).suffix for path in row["gold"]):
        yield "language", suffix or "no suffix"


def _cells(scored: Sequence[Mapping[str, float]], metrics: Iterable[str]) -> list[str]:
    """n, the number of samples with gold, and the means over those that have the metric."""
    positives = sum("hit@k" in one for one in scored)
    columns = ([one[name] for one in scored if name in one] for name in metrics)
    return [str(len(scored)), str(positives), *(number(mean(values) if values else None) for values in columns)]
