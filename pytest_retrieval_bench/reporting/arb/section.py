"""The member `measures.arb` of a report: a pure function of its details and of the thresholds that it was given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.reporting.arb.depth import rank_depth
from pytest_retrieval_bench.reporting.arb.positives import groups, means, positives_of, weightings
from pytest_retrieval_bench.reporting.arb.selective import selective_section
from pytest_retrieval_bench.reporting.details import Row


def arb_section(rows: Sequence[Row], arms: Iterable[str], thresholds: Mapping[str, float | None]) -> dict[str, Any]:
    """By arm its views, groups, rank depths and selective retrieval, and the leaderboard over the arms.

    Only arms that were measured with the metric set are in it. `thresholds` are frozen ones, by arm.
    """
    by_arm = {arm: positives_of(rows, arm) for arm in arms}
    views = {arm: weightings(positives) for arm, positives in by_arm.items() if positives}
    parts = {arm: groups(by_arm[arm]) for arm in views}
    return {
        "views": views,
        "groups": {arm: {name: means(part) for name, part in listed.items()} for arm, listed in parts.items()},
        "rank_depth": {arm: {name: rank_depth(part) for name, part in listed.items()} for arm, listed in parts.items()},
        "selective": {
            arm: selective_section(rows, arm, thresholds)
            for arm in by_arm
            if any(arm in row.get("measures", {}) for row in rows)
        },
        "leaderboard": leaderboard({arm: weighted["sample"] for arm, weighted in views.items()}),
    }


def leaderboard(weighted: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The arms in the paper's order: by MRR, then by Recall@20, each over samples, then by name."""
    return sorted(weighted, key=lambda arm: (-weighted[arm].get("MRR", 0), -weighted[arm].get("Recall@20", 0), arm))
