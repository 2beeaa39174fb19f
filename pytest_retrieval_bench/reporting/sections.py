"""The summary sections of the report, each a function of its details rows alone (PROTOCOL 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.model import arm_rank
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.statistics.intervals import wilson
from pytest_retrieval_bench.statistics.latency import latency
from pytest_retrieval_bench.statistics.rounding import mean

UNLABELLED = "NOT_APPLICABLE"
UNRECORDED = "UNRECORDED"
OBSERVED_MISS = "OBSERVED_MISS"
# What an answer may say of its arm's cache (PROTOCOL 4 and 7): the labels of wall times.
CACHE_STATES = (UNLABELLED, "COLD_UNIQUE", "PRIMED_SHARED", OBSERVED_MISS, "OBSERVED_HIT")


def arm_names(rows: Iterable[Row]) -> list[str]:
    """The arms that answered at least once, in the order of lists."""
    return sorted({arm for row in rows for arm in row["metrics"]}, key=arm_rank)


def arms_section(rows: Sequence[Row], arms: Iterable[str], limit: int) -> dict[str, Any]:
    """By arm: the means of each group of samples, two intervals, the number of errors."""
    return {arm: _arm([row for row in rows if arm in row["metrics"]], arm, limit) for arm in arms}


def latency_section(rows: Sequence[Row], arms: Iterable[str], workers: Mapping[str, int]) -> dict[str, Any]:
    """By arm and by what the answers say of the arm's cache: the distribution of wall times.

    Times of an arm that several `workers` measured side by side say so: they hold the wait for the processor.
    """
    section = {}
    for arm in arms:
        times: dict[str, list[float]] = {}
        for row in rows:
            answer = row["arms"].get(arm)
            if answer is not None:
                recorded = "wall_ms" in answer
                label = answer.get("cache_state", UNLABELLED) if recorded else UNRECORDED
                times.setdefault(label, []).append(answer.get("wall_ms"))
                if "cold_wall_ms" in answer:
                    times.setdefault(OBSERVED_MISS, []).append(answer["cold_wall_ms"])
        parallel = {"workers": workers[arm]} if workers.get(arm, 1) > 1 else {}
        section[arm] = {
            label: {"n": len(values), "state": UNRECORDED} if label == UNRECORDED else latency(values) | parallel
            for label, values in times.items()
        }
    return section


def groups_of(row: Row) -> Iterator[str]:
    """The groups that a details row belongs to."""
    yield "all"
    yield f"task:{row['task_type']}"
    yield f"stratum:{row['stratum']}"
    yield f"fold:{row['partition']}"
    if row.get("anchor_bearing"):
        yield "stratum:anchor-bearing"


def _arm(rows: Sequence[Row], arm: str, limit: int) -> dict[str, Any]:
    groups: dict[str, list[dict[str, float]]] = {}
    for row in rows:
        for group in groups_of(row):
            groups.setdefault(group, []).append(row["metrics"][arm])
    hits = [row["metrics"][arm]["hit@k"] for row in rows if "hit@k" in row["metrics"][arm]]
    successes = [row["metrics"][arm]["selective_success"] for row in rows]
    return {
        **{group: _means(members) for group, members in groups.items()},
        "errors": sum("error" in row["arms"][arm] for row in rows),
        "intervals": {
            f"hit@{limit}": wilson(int(sum(hits)), len(hits)),
            "selective_success": wilson(int(sum(successes)), len(successes)),
        },
    }


def _means(members: Sequence[dict[str, float]]) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for metrics in members:
        for name, value in metrics.items():
            values.setdefault(name, []).append(value)
    counts = {"n": len(members), "positives": len(values.get("hit@k", ()))}
    return counts | {name: mean(column) for name, column in values.items()}
