"""What a noise floor says of the differences between two reports."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.noise.index_kind import index_kind
from pytest_retrieval_bench.reporting.noise.stored_floor import Floor
from pytest_retrieval_bench.statistics.rounding import rounded


def with_noise(comparison: Mapping[str, Any], floor: Floor, old: Report, new: Report) -> dict[str, Any]:
    """The comparison, with the smallest difference worth believing beside each difference that the floor is about.

    Raises ReportError where the floor is about other samples, gold or another limit.
    """
    for report in (old, new):
        data = report.data
        why = floor.why_other_benchmark(data["samples_sha256"], data["limit"], data["details"])
        if why is not None:
            raise ReportError(f"--rb-noise: {floor.path} says nothing of {report.path}: {why}")
    arms, unknown = {}, {}
    for arm, section in comparison["arms"].items():
        kinds = sorted({index_kind(report.data["details"], arm) for report in (old, new)})
        if any(kind not in floor.arms.get(arm, {}) for kind in kinds):
            unknown[arm] = ", ".join(kinds)
        groups = {
            group: block | {"metrics": _held(floor, arm, kinds, group, block["metrics"])}
            for group, block in section["groups"].items()
        }
        arms[arm] = section | {"groups": groups}
    return {**comparison, "arms": arms, "noise": {"sha256": floor.sha256, "unknown": unknown}}


def _held(floor: Floor, arm: str, kinds: Collection[str], group: str, metrics: Mapping[str, Any]) -> dict[str, Any]:
    held = {}
    for metric, figures in metrics.items():
        smallest = floor.between_runs(arm, kinds, (group, metric))
        held[metric] = dict(figures)
        if smallest is not None:
            within = abs(figures["mean_diff"]) < smallest
            held[metric]["noise"] = {"smallest": rounded(smallest), "within": within}
    return held
