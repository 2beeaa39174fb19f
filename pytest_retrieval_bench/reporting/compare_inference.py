"""The section `inference` of a comparison: an arm in the new run against the same arm in the old one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.inference import inference_of, tested_metrics
from pytest_retrieval_bench.reporting.inference_choice import InferenceChoice
from pytest_retrieval_bench.reporting.paired import Comparison
from pytest_retrieval_bench.reporting.paired_runs import Pairs, differences_of, values_of

OLD = "old"
_WITHOUT_GOLD = "selective_success"


def inference_between(pairs: Mapping[str, Pairs], limit: int, choice: InferenceChoice) -> dict[str, Any]:
    """The differences by group, arm, `old` and metric, new minus old; `pairs` are the samples that both runs scored.

    Positive samples in the metrics of `inference`, all and by task; those without gold by stratum, in
    `selective_success`.
    """
    return inference_of([one for arm, scored in pairs.items() for one in _of_arm(arm, scored, limit)], choice)


def _of_arm(arm: str, pairs: Pairs, limit: int) -> Iterator[Comparison]:
    groups: dict[str, Pairs] = {}
    for before, row in pairs:
        for group in _groups(row):
            groups.setdefault(group, []).append((before, row))
    for group, members in groups.items():
        metrics = [_WITHOUT_GOLD] if group.startswith("stratum:") else tested_metrics(limit)
        for metric in metrics:
            yield _compared((group, arm, OLD, metric), members)


def _groups(row: Row) -> Iterator[str]:
    if row["stratum"] == "positive":
        yield from ("all", f"task:{row['task_type']}")
    else:
        yield f"stratum:{row['stratum']}"


def _compared(place: tuple[str, str, str, str], pairs: Pairs) -> Comparison:
    _, arm, _, metric = place
    comparison = Comparison(place, [], {})
    for before, row in pairs:
        for difference in differences_of(values_of([(before, row)], arm, metric)):
            comparison.differences.append(difference)
            comparison.by_repo.setdefault(row["repo"], []).append(difference)
    return comparison
