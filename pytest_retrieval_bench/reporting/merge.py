"""Merging reports over the same samples into the report that one run would have given (PROTOCOL 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from pytest_retrieval_bench.benchmarks.folds import fold_map_sha256
from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import BUILT_IN_ARMS, LEXICAL_ARMS, arm_rank
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.registration import NOT_RUN, corvint
from pytest_retrieval_bench.reporting.report import Missing, report_of
from pytest_retrieval_bench.reporting.sections import arm_names
from pytest_retrieval_bench.text.visible import visible

_OF_SAMPLE = ("task_type", "repo", "base_commit", "stratum", "partition", "gold", "given")


def merge(reports: Sequence[Report]) -> dict[str, Any]:
    """The report over all samples of one or more reports, in order of first appearance.

    A later report's arm replaces an earlier one's, sample by sample. Everything but the rows is rebuilt from them. What
    a report lacks stays missing unless another one has it.

    Raises ReportError, naming both files, for reports that do not belong together.
    """
    # The same file again changes nothing.
    kept = [report for report, before in zip(reports, [None, *reports], strict=False) if not _is_same(report, before)]
    for report in kept:
        _check_arms(report)
    for earlier, later in combinations(kept, 2):
        _check_likeness(earlier, later)
    rows = _rows(kept)
    registrations = [report.data["registration"] for report in kept]
    unlabelled = _union(registration.get("unlabelled_ids", ()) for registration in registrations)
    counted = (report.data["skipped"]["no_gold_unlabeled"] for report in kept)
    return report_of(
        _registration(kept, list(rows), unlabelled),
        list(rows.values()),
        # Reports that do not name them are taken to have skipped the same ones.
        skipped_unlabelled=max(len(unlabelled), *counted),
        missing=_missing(kept, rows),
    )


def retrievers(report: Report) -> dict[str, dict[str, Any]]:
    """What the arms of a report are bound to, by arm; the reference tool names its one executable apart."""
    registration = report.data["registration"]
    if "retrievers" in registration:
        found: dict[str, dict[str, Any]] = registration["retrievers"]
        return found
    measured = report.data.get("corvint", {"sha256": NOT_RUN})
    if measured["sha256"] == NOT_RUN:
        return {}
    corvint_arms = (arm for arm in report.arms if arm in BUILT_IN_ARMS and arm not in LEXICAL_ARMS)
    return {arm: {"kind": "corvint", **measured} for arm in corvint_arms}


def _is_same(report: Report, before: Report | None) -> bool:
    return before is not None and report.sha256 == before.sha256


def _check_arms(report: Report) -> None:
    known = {*BUILT_IN_ARMS, *report.data["registration"].get("arms", ())}
    for arm in arm_names(report.data["details"]):
        if arm not in known:
            raise ReportError(
                f"{report.path}: the arm {visible(arm)!r} is neither built in nor named in the report's registration"
            )


def _check_likeness(earlier: Report, later: Report) -> None:
    for member, words in (("samples_sha256", "different samples"), ("limit", "different limits")):
        values = (earlier.data[member], later.data[member])
        if values[0] != values[1]:
            raise _unlike(earlier, later, f"they are over {words}, {values[0]} and {values[1]}")
    before, after = retrievers(earlier), retrievers(later)
    executables = corvint(before)["sha256"], corvint(after)["sha256"]
    if executables[0] != executables[1] and NOT_RUN not in executables:
        raise _unlike(earlier, later, f"they measured different corvints, {executables[0]} and {executables[1]}")
    for arm in before.keys() & after.keys():
        if before[arm] != after[arm] and "corvint" not in (before[arm].get("kind"), after[arm].get("kind")):
            members = {*before[arm], *after[arm]}
            differing = sorted(name for name in members if before[arm].get(name) != after[arm].get(name))
            what = f"{visible(arm)!r} is another retriever in each, by its {', '.join(map(visible, differing))}"
            raise _unlike(earlier, later, f"{what}; give the arm another name and measure it again")


def _rows(reports: Iterable[Report]) -> dict[str, Row]:
    """The rows by sample id; what only a later report knows of a sample is taken from it."""
    rows: dict[str, Row] = {}
    first: dict[str, Report] = {}
    for report in reports:
        for row in report.data["details"]:
            identity = row["id"]
            if identity not in rows:
                rows[identity], first[identity] = row, report
                continue
            earlier = rows[identity]
            for member in _OF_SAMPLE:
                if earlier[member] != row[member]:
                    what = f"the sample {visible(identity)!r} has another {member} in each"
                    raise _unlike(first[identity], report, what)
            answered = {name: earlier[name] | row[name] for name in ("arms", "metrics")}
            rows[identity] = row | earlier | answered
    return rows


def _missing(reports: Iterable[Report], rows: Mapping[str, Row]) -> list[Missing]:
    listed = {
        (pair["id"], pair["arm"]): pair["why"] for report in reports for pair in report.data.get("incomplete", ())
    }
    return [Missing(sample, arm, why) for (sample, arm), why in listed.items() if arm not in rows[sample]["metrics"]]


def _registration(reports: Sequence[Report], sample_ids: list[str], unlabelled: list[str]) -> dict[str, Any]:
    """What all sources say alike, as they say it, and what follows from them together."""
    first, *others = (report.data["registration"] for report in reports)
    alike = {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}
    bound: dict[str, Any] = {}
    for report in reports:
        bound |= retrievers(report)
    everywhere = [first, *others]
    arms = sorted(_union(report.arms for report in reports), key=arm_rank)
    baselines = _union(
        report.data["registration"].get("baseline_arms", [arm for arm in report.arms if arm in LEXICAL_ARMS])
        for report in reports
    )
    return alike | {
        "samples_sha256": reports[0].data["samples_sha256"],
        "corvint_sha256": corvint(bound)["sha256"],
        "fold_map_sha256": fold_map_sha256(),
        "arms": arms,
        "baseline_arms": sorted(baselines, key=arm_rank),
        "limit": reports[0].data["limit"],
        "sample_ids": sample_ids,
        **({"unlabelled_ids": unlabelled} if unlabelled else {}),
        "environment": sorted(_union(registration.get("environment", ()) for registration in everywhere)),
        "snapshot_latency": any(registration.get("snapshot_latency", False) for registration in everywhere),
        "retrievers": bound,
        "source_reports_sha256": [digest for report in reports for digest in _sources(report)],
    }


def _sources(report: Report) -> list[str]:
    """The digests of the reports that a report was made from: a merged one stands for its own sources."""
    sources: list[str] = report.data["registration"].get("source_reports_sha256", [report.sha256])
    return sources


def _union(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(item for listed in lists for item in listed))


def _unlike(earlier: Report, later: Report, what: str) -> ReportError:
    return ReportError(f"{earlier.path} and {later.path} cannot be merged: {what}")
