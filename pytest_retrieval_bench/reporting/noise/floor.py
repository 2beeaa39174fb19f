"""The noise floor of identical runs, as data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import arm_rank
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.merged_registration import retrievers
from pytest_retrieval_bench.reporting.noise.identical import check_identical, rows_sha256
from pytest_retrieval_bench.reporting.noise.index_kind import index_kind
from pytest_retrieval_bench.reporting.sections import groups_of
from pytest_retrieval_bench.statistics.noise import MIN_RUNS, noise_of
from pytest_retrieval_bench.statistics.rounding import rounded

PROFILE: Final = "pytest-retrieval-bench-noise/1"
_STORED = "stored answers: to read them again is no further run"


def noise_floor(reports: Sequence[Report], margin: float) -> dict[str, Any]:
    """By arm, by what its answers tell of its index, by group and metric: how far the means of the runs lie apart.

    Raises ReportError for reports that are not of identical runs, and where no arm has three runs of one kind.
    """
    check_identical(reports)
    first = reports[0]
    stored = {arm for arm, bound in retrievers(first).items() if bound.get("kind") == "replay"}
    arms = [arm for arm in first.arms if arm not in stored]
    kinds = {arm: [index_kind(report.data["details"], arm) for report in reports] for arm in arms}
    few = [
        {"arm": arm, "index": kind, "runs": told.count(kind)}
        for arm, told in kinds.items()
        for kind in dict.fromkeys(told)
        if told.count(kind) < MIN_RUNS
    ]
    found = {arm: _by_kind(reports, told, arm, margin) for arm, told in kinds.items()}
    if not any(found.values()):
        raise ReportError(_too_few(reports, few))
    return {
        "profile": PROFILE,
        "samples_sha256": first.data["samples_sha256"],
        "rows_sha256": rows_sha256(first.data["details"]),
        "samples": len(first.data["details"]),
        "limit": first.data["limit"],
        "margin": margin,
        "retrievers": {arm: bound for arm, bound in retrievers(first).items() if arm in arms},
        "reports": [
            {"name": report.path.name, "sha256": report.sha256, "index": {arm: kinds[arm][number] for arm in arms}}
            for number, report in enumerate(reports)
        ],
        "arms": {arm: blocks for arm, blocks in found.items() if blocks},
        "not_enough": few,
        "left_out": dict.fromkeys(sorted(stored, key=arm_rank), _STORED),
    }


def _by_kind(reports: Sequence[Report], kinds: Sequence[str], arm: str, margin: float) -> dict[str, Any]:
    of_kind: dict[str, list[Sequence[Row]]] = {}
    for report, kind in zip(reports, kinds, strict=True):
        of_kind.setdefault(kind, []).append(report.data["details"])
    return {kind: _block(runs, arm, margin) for kind, runs in of_kind.items() if len(runs) >= MIN_RUNS}


def _block(runs: Sequence[Sequence[Row]], arm: str, margin: float) -> dict[str, Any]:
    means = [_means(rows, arm) for rows in runs]
    groups: dict[str, Any] = {}
    for (group, metric), (_, n) in means[0].items():
        measured = [found.get((group, metric), (0, 0)) for found in means]
        if all(count == n for _, count in measured):
            groups.setdefault(group, {})[metric] = _figures([value for value, _ in measured], n, margin)
    answers = [{row["id"]: _answer(row, arm) for row in rows} for rows in runs]
    deterministic = all(answered == answers[0] for answered in answers)
    return {"runs": len(runs), "deterministic": deterministic, "groups": groups}


def _means(rows: Iterable[Row], arm: str) -> dict[tuple[str, str], tuple[float, int]]:
    """By group and metric the mean of a run, not rounded, and over how many samples."""
    values: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        for group in groups_of(row):
            for metric, value in row["metrics"][arm].items():
                values.setdefault((group, metric), []).append(value)
    return {place: (math.fsum(found) / len(found), len(found)) for place, found in values.items()}


def _answer(row: Row, arm: str) -> tuple[Any, ...]:
    answer = row["arms"][arm]
    return answer["ranked"], answer["abstained"], "error" in answer


def _figures(means: Sequence[float], n: int, margin: float) -> dict[str, Any]:
    """One metric; what hangs on an SD above 0 is absent where no run moved the mean."""
    noise = noise_of(means)
    centre = math.fsum(means) / len(means)
    found: dict[str, Any] = {"n": n, "mean": rounded(centre), "sd": noise.sd, "smallest": rounded(noise.smallest)}
    if not noise.sd:
        return found
    low, high = noise.interval
    return found | {
        "low": rounded(low),
        "high": rounded(high),
        "detectable": rounded(noise.detectable),
        "power": rounded(noise.power(margin)),
        "samples_needed": noise.samples_needed(n, margin),
    }


def _too_few(reports: Sequence[Report], few: Sequence[Mapping[str, Any]]) -> str:
    counts = "; ".join(f"{one['arm']}: {one['runs']} with {one['index']}" for one in few) or "every arm is stored"
    return (
        f"{', '.join(str(report.path) for report in reports)}: no arm has {MIN_RUNS} runs of one kind ({counts}); "
        f"the SD of fewer than {MIN_RUNS} says next to nothing, measure again"
    )
