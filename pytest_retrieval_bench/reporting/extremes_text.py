"""`--rb-top` in words: two tables, each with the number of samples that it is a part of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.reporting.extremes import Standing, disagreements, standings, worst_misses
from pytest_retrieval_bench.reporting.layout import Grid
from pytest_retrieval_bench.text.visible import visible

_NAMES = ("sample", "task", "repository")


def shown_extremes(report: Mapping[str, Any], top: int) -> Iterator[str | Grid]:
    """The `top` worst misses and the `top` largest disagreements of a report."""
    found = standings(report["details"])
    misses, differing, limit = worst_misses(found), disagreements(found), report["limit"]
    yield f"worst misses: {_share(misses, top)} of {len(misses)} samples that an arm misses (n={len(found)})"
    if misses:
        rows = [[*_named(one), f"{one.hits} of {len(one.reciprocal_ranks)}"] for one in misses[:top]]
        yield Grid([[*_NAMES, f"arms with a hit@{limit}"], *rows], names=range(3))
    shown = _share(differing, top)
    yield f"disagreements: {shown} of {len(differing)} samples on which arms differ (n={len(found)})"
    if differing:
        rows = [[*_named(one), f"{one.spread:.3f}", *_ends(one)] for one in differing[:top]]
        head = [*_NAMES, "difference in mrr", "best", "worst"]
        yield Grid([head, *rows], names=(0, 1, 2, 4, 5))


def _share(found: Sequence[Standing], top: int) -> int:
    return min(top, len(found))


def _named(standing: Standing) -> list[str]:
    return [visible(standing.id), visible(standing.task_type), visible(standing.repo)]


def _ends(standing: Standing) -> list[str]:
    """The best and the worst arms, with the rank of their first gold file."""
    values = standing.reciprocal_ranks.values()
    return [f"{', '.join(standing.arms_at(value))} ({_rank(value)})" for value in (max(values), min(values))]


def _rank(reciprocal: float) -> str:
    return f"rank {round(1 / reciprocal)}" if reciprocal else "miss"
