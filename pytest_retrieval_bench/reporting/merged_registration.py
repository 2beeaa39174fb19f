"""The registration of a merged report: what its sources say alike, and what follows from them together (PROTOCOL 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.benchmarks.folds import fold_map_sha256
from pytest_retrieval_bench.model import CORVINT_ARMS, LEXICAL_ARMS, arm_rank
from pytest_retrieval_bench.reporting.inference_choice import InferenceChoice
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.metric_choice import Calibration
from pytest_retrieval_bench.reporting.registration import NOT_RUN, corvint


def merged_registration(
    reports: Sequence[Report],
    sample_ids: list[str],
    inference: InferenceChoice | None,
    calibration: Calibration | None = None,
) -> dict[str, Any]:
    """The registration of reports that belong together, over the samples in this order."""
    registrations = [report.data["registration"] for report in reports]
    alike = _alike(registrations)
    alike.pop("shard", None)
    unlabelled = _union(registration.get("unlabelled_ids", ()) for registration in registrations)
    unreviewed = _union(registration.get("unreviewed_ids", ()) for registration in registrations)
    bound = {arm: described for report in reports for arm, described in retrievers(report).items()}
    baselines = _union(
        report.data["registration"].get("baseline_arms", [arm for arm in report.arms if arm in LEXICAL_ARMS])
        for report in reports
    )
    own_metrics = _union(registration.get("own_metrics", ()) for registration in registrations)
    return alike | {
        "samples_sha256": reports[0].data["samples_sha256"],
        "corvint_sha256": corvint(bound)["sha256"],
        "fold_map_sha256": fold_map_sha256(),
        "arms": sorted(_union(report.arms for report in reports), key=arm_rank),
        "baseline_arms": sorted(baselines, key=arm_rank),
        "limit": reports[0].data["limit"],
        "sample_ids": sample_ids,
        **({"unlabelled_ids": unlabelled} if unlabelled else {}),
        **({"unreviewed_ids": unreviewed} if unreviewed else {}),
        "environment": sorted(_union(registration.get("environment", ()) for registration in registrations)),
        "snapshot_latency": any(registration.get("snapshot_latency", False) for registration in registrations),
        "retrievers": bound,
        "machine": _alike([registration.get("machine", {}) for registration in registrations])
        | {"workers": _workers(reports)},
        **_shards(reports),
        **({} if inference is None else {"inference": inference.as_json()}),
        **_metrics(registrations, calibration),
        **({"own_metrics": sorted(own_metrics)} if own_metrics else {}),
        "source_reports_sha256": [digest for report in reports for digest in _sources(report)],
    }


def retrievers(report: Report) -> dict[str, dict[str, Any]]:
    """What the arms of a report are bound to, by arm; the reference tool names its one executable apart."""
    registration = report.data["registration"]
    if "retrievers" in registration:
        found: dict[str, dict[str, Any]] = registration["retrievers"]
        return found
    measured = report.data.get("corvint", {"sha256": NOT_RUN})
    if measured["sha256"] == NOT_RUN:
        return {}
    return {arm: {"kind": "corvint", **measured} for arm in report.arms if arm in CORVINT_ARMS}


def ordinals(reports: Iterable[Report]) -> dict[str, int]:
    """By sample id its place in the whole run, where all reports are shards of one; else nothing.

    A shard of which only a part was selected does not say which part.
    """
    places: dict[str, int] = {}
    for report in reports:
        registration = report.data["registration"]
        listed = registration.get("shard", {}).get("ordinals", ())
        ids = registration.get("sample_ids", ())
        if not listed or len(listed) != len(ids):
            return {}
        for identity, place in zip(ids, listed, strict=True):
            if places.setdefault(identity, place) != place:
                return {}
    return places if len(set(places.values())) == len(places) else {}


def absent_shards(registration: Mapping[str, Any]) -> list[str]:
    """The shards of the whole run that a merged report lacks, in words."""
    shard = registration.get("shard")
    if shard is None:
        return []
    return [
        f"shard {number} of {shard['of']}" for number in range(1, shard["of"] + 1) if number not in shard["numbers"]
    ]


def _shards(reports: Sequence[Report]) -> dict[str, Any]:
    """The member `shard` of what is not yet the whole run."""
    places = ordinals(reports)
    shards = [report.data["registration"].get("shard", {}) for report in reports]
    if not places or len({shard["of"] for shard in shards}) > 1:
        return {}
    numbers = sorted({number for shard in shards for number in shard.get("numbers", [shard.get("number", 1)])})
    if len(numbers) == shards[0]["of"]:
        return {}
    return {"shard": {"numbers": numbers, "of": shards[0]["of"], "ordinals": sorted(places.values())}}


def _metrics(registrations: Sequence[Mapping[str, Any]], calibration: Calibration | None) -> dict[str, Any]:
    """The member `metrics`: every measure of any report, and the thresholds that are given or common to all."""
    members = [registration["metrics"] for registration in registrations if "metrics" in registration]
    if not members:
        return {}
    common = {name: value for name, value in _alike(members).items() if name == "calibration"}
    given = {} if calibration is None else {"calibration": calibration.as_json()}
    return {"metrics": {"names": _union(member["names"] for member in members)} | common | given}


def _workers(reports: Iterable[Report]) -> dict[str, int]:
    """How many workers measured each arm side by side: the most that any of its answers had beside it."""
    workers: dict[tuple[str, str], int] = {}
    for report in reports:
        told = report.data["registration"].get("machine", {}).get("workers", {})
        for row in report.data["details"]:
            workers |= {(row["id"], arm): told.get(arm, 1) for arm in row["metrics"]}
    most: dict[str, int] = {}
    for (_, arm), count in workers.items():
        most[arm] = max(count, most.get(arm, 1))
    return most


def _alike(members: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first, *others = members
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}


def _sources(report: Report) -> list[str]:
    """The digests of the reports that a report was made from: a merged one stands for its own sources."""
    sources: list[str] = report.data["registration"].get("source_reports_sha256", [report.sha256])
    return sources


def _union(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(item for listed in lists for item in listed))
