"""The section `paired`: how much better a retrieval arm is than a baseline on the same samples (PROTOCOL 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.model import LEXICAL_ARMS
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.scoring.ranking import RECALL_DEPTHS
from pytest_retrieval_bench.statistics.bootstrap import Interval, bootstrap_means
from pytest_retrieval_bench.statistics.rounding import mean, rounded

# They answer another question, from a changed file and not from the query's words.
_NO_RETRIEVAL = frozenset([*LEXICAL_ARMS, "impact", "affected"])
_MIN_OF_REPOSITORY = 5


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms on one group of samples in one metric: the differences, retrieval minus baseline, by repository.

    `place` is group, retrieval arm, baseline and metric.
    """

    place: tuple[str, str, str, str]
    differences: list[float]
    by_repo: dict[str, list[float]]


def retrieval_arms(arms: Iterable[str], baselines: Iterable[str]) -> list[str]:
    """The arms that are held against the baselines: corvint, context and those that users add."""
    excluded = _NO_RETRIEVAL.union(baselines)
    return [arm for arm in arms if arm not in excluded]


def paired_section(rows: Sequence[Row], arms: Sequence[str], baselines: Sequence[str], limit: int) -> dict[str, Any]:
    """By group, retrieval arm, baseline and metric: the comparison over the positive samples that both arms scored."""
    metrics = [*(f"recall@{depth}" for depth in RECALL_DEPTHS if depth <= limit), "mrr@k"]
    found = list(comparisons(rows, arms, baselines, metrics, _names))
    section: dict[str, Any] = {}
    intervals = bootstrap_means([comparison.differences for comparison in found])
    for comparison, interval in zip(found, intervals, strict=True):
        group, arm, baseline, metric = comparison.place
        blocks = section.setdefault(group, {}).setdefault(arm, {}).setdefault(baseline, {})
        blocks[metric] = _block(comparison, interval)
    return section


def comparisons(
    rows: Iterable[Row],
    arms: Sequence[str],
    baselines: Sequence[str],
    metrics: Sequence[str],
    groups_of: Callable[[Row], Iterable[str]],
) -> Iterator[Comparison]:
    """Every retrieval arm against every baseline in every group and metric, over what both arms scored."""
    for group, positives in _groups(rows, groups_of).items():
        for arm in retrieval_arms(arms, baselines):
            for baseline in (name for name in arms if name in baselines):
                members = [row for row in positives if {arm, baseline} <= row["metrics"].keys()]
                for metric in metrics if members else ():
                    yield _compared((group, arm, baseline, metric), members)


def difference_block(differences: Sequence[float], interval: Interval) -> dict[str, Any]:
    """Paired differences in figures: n, their mean and its interval; a difference above 0 is a win."""
    return {
        "n": len(differences),
        "mean_diff": mean(differences),
        "low": rounded(interval[0]),
        "high": rounded(interval[1]),
        "wins": sum(difference > 0 for difference in differences),
        "losses": sum(difference < 0 for difference in differences),
        "ties": sum(difference == 0 for difference in differences),
    }


def _groups(rows: Iterable[Row], groups_of: Callable[[Row], Iterable[str]]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row["stratum"] == "positive":
            for group in groups_of(row):
                groups.setdefault(group, []).append(row)
    return groups


def _names(row: Row) -> Iterator[str]:
    task, fold = f"task:{row['task_type']}", f"fold:{row['partition']}"
    yield from ("all", task, fold, f"{task}/{fold}")


def _compared(place: tuple[str, str, str, str], rows: Iterable[Row]) -> Comparison:
    _, arm, baseline, metric = place
    comparison = Comparison(place, [], {})
    for row in rows:
        difference = row["metrics"][arm][metric] - row["metrics"][baseline][metric]
        comparison.differences.append(difference)
        comparison.by_repo.setdefault(row["repo"], []).append(difference)
    return comparison


def _block(comparison: Comparison, interval: Interval) -> dict[str, Any]:
    repos = {
        repo: {"n": len(values), "mean_diff": mean(values)}
        for repo, values in comparison.by_repo.items()
        if len(values) >= _MIN_OF_REPOSITORY
    }
    return difference_block(comparison.differences, interval) | ({"repos": repos} if repos else {})
