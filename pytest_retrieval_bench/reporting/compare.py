"""What changed between two reports over the same samples, as data: the samples that flipped, and how far arms moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.inference_choice import BETWEEN_RUNS, InferenceChoice
from pytest_retrieval_bench.reporting.likeness import differences
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.merged_registration import retrievers
from pytest_retrieval_bench.reporting.paired import difference_block
from pytest_retrieval_bench.reporting.paired_runs import Pairs, Values, differences_of, pairs_of, values_of
from pytest_retrieval_bench.reporting.sections import groups_of
from pytest_retrieval_bench.statistics.bootstrap import Interval, bootstrap_means
from pytest_retrieval_bench.statistics.rounding import mean

PROFILE = "pytest-retrieval-bench-comparison/1"
FLIPPING = ("hit@k", "selective_success")
_LOWER_IS_BETTER = ("hard_negative_hits@k",)
_NEITHER_IS_BETTER = ("abstained",)  # selective_success says whether silence was right


def compare(old: Report, new: Report, choice: InferenceChoice = BETWEEN_RUNS) -> dict[str, Any]:
    """By arm that both reports have: flipped samples, and the paired differences, new minus old, in every group.

    `inference` holds the paired tests between the two runs.

    Raises ReportError, naming both files and all that differs, for reports over unlike inputs.
    """
    unlike = differences(old, new)
    if unlike:
        raise ReportError(f"{old.path} and {new.path} cannot be compared, they differ in {'; '.join(unlike)}")
    pairs = pairs_of(old, new)
    compared = {arm: _pairs_of_arm(pairs, arm) for arm in new.arms}
    arms = {arm: _arm(scored, arm) | _retriever(old, new, arm) for arm, scored in compared.items() if scored}
    if not arms:
        named = f"{', '.join(old.arms) or 'none'}; and {', '.join(new.arms) or 'none'}"
        raise ReportError(f"{old.path} and {new.path} cannot be compared, no sample has an arm in both; arms {named}")
    shared = {row["id"] for _, row in pairs}
    return {
        "profile": PROFILE,
        "samples_sha256": new.data["samples_sha256"],
        "limit": new.data["limit"],
        "samples": len(pairs),
        "old": _side(old, shared, arms),
        "new": _side(new, shared, arms),
        "arms": arms,
        "inference": _inference({arm: compared[arm] for arm in arms}, new.data["limit"], choice),
    }


def _inference(pairs: Mapping[str, Pairs], limit: int, choice: InferenceChoice) -> dict[str, Any]:
    # Its statistics take a second to import, which a merge must not pay.
    from pytest_retrieval_bench.reporting.compare_inference import inference_between

    return inference_between(pairs, limit, choice)


def _side(report: Report, shared: set[str], compared: dict[str, Any]) -> dict[str, Any]:
    """A report, what it misses, and what only it holds."""
    return {
        "sha256": report.sha256,
        "missing": len(report.data.get("incomplete", ())),
        "only_samples": [row["id"] for row in report.data["details"] if row["id"] not in shared],
        "only_arms": [arm for arm in report.arms if arm not in compared],
    }


def _retriever(old: Report, new: Report, arm: str) -> dict[str, Any]:
    """What the arm is bound to in either report, where that differs."""
    before, after = retrievers(old).get(arm), retrievers(new).get(arm)
    known = {name: bound for name, bound in (("old", before), ("new", after)) if bound is not None}
    return {} if before == after else {"retriever": known}


def _pairs_of_arm(pairs: Pairs, arm: str) -> Pairs:
    return [(before, row) for before, row in pairs if arm in before["metrics"] and arm in row["metrics"]]


def _arm(pairs: Pairs, arm: str) -> dict[str, Any]:
    return {
        "newly_errored": [row["id"] for before, row in pairs if _newly_errored(before, row, arm)],
        "newly_answered": [row["id"] for before, row in pairs if _newly_errored(row, before, arm)],
        "flips": {metric: _flips(pairs, arm, metric) for metric in FLIPPING},
        "groups": _groups(pairs, arm),
    }


def _newly_errored(before: Row, row: Row, arm: str) -> bool:
    return "error" not in before["arms"][arm] and "error" in row["arms"][arm]


def _flips(pairs: Pairs, arm: str, metric: str) -> dict[str, list[str]]:
    moved = [
        (row["id"], gain) for before, row in pairs for gain in differences_of(values_of([(before, row)], arm, metric))
    ]
    return {
        "wins": [identity for identity, gain in moved if gain > 0],
        "losses": [identity for identity, gain in moved if gain < 0],
    }


def _groups(pairs: Pairs, arm: str) -> dict[str, Any]:
    members: dict[str, Pairs] = {}
    for before, row in pairs:
        for group in (*groups_of(row), f"repo:{row['repo']}"):
            members.setdefault(group, []).append((before, row))
    groups: dict[str, Any] = {
        group: {
            "n": len(inside),
            "newly_errored": sum(_newly_errored(before, row, arm) for before, row in inside),
            "newly_answered": sum(_newly_errored(row, before, arm) for before, row in inside),
            "metrics": {},
        }
        for group, inside in members.items()
    }
    values = {
        (group, metric): values_of(inside, arm, metric)
        for group, inside in members.items()
        for metric in _metrics(inside, arm)
    }
    intervals = bootstrap_means([differences_of(both) for both in values.values()])
    for ((group, metric), both), interval in zip(values.items(), intervals, strict=True):
        groups[group]["metrics"][metric] = _block(both, metric, interval)
    return groups


def _metrics(pairs: Pairs, arm: str) -> list[str]:
    names = dict.fromkeys(
        name for before, row in pairs for name in row["metrics"][arm] if name in before["metrics"][arm]
    )
    return [name for name in names if name not in _NEITHER_IS_BETTER]


def _block(values: Values, metric: str, interval: Interval) -> dict[str, Any]:
    old, new = zip(*values, strict=True)
    block = {"old": mean(old), "new": mean(new)} | difference_block(differences_of(values), interval)
    return block | {"wins": block["losses"], "losses": block["wins"]} if metric in _LOWER_IS_BETTER else block
