"""Whether reports are of identical runs, which differ in nothing but chance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.registration import drifted
from pytest_retrieval_bench.reporting.terminal import counted

# What a sample is, and what an answer hangs on.
_OF_SAMPLE = ("id", "task_type", "repo", "base_commit", "stratum", "gold", "given")
_OF_RUN = (
    "samples_sha256", "limit", "arms", "environment", "snapshots", "snapshot_latency", "retrievers", "plugin",
)  # fmt: skip


def check_identical(reports: Sequence[Report]) -> None:
    """Raises ReportError, naming the files and what differs, unless all are whole and of identical runs."""
    for report in reports:
        missing = report.data.get("incomplete", ())
        if missing:
            raise ReportError(f"{report.path}: it is incomplete, {counted(len(missing), 'result')} missing; resume it")
    for first, second in combinations(reports, 2):
        if not _sources(first).isdisjoint(_sources(second)):
            raise ReportError(f"{first.path} and {second.path} hold the same run; give each run once")
    first, *others = reports
    for other in others:
        unlike = list(_differences(first, other))
        if unlike:
            words = f"they differ in {', '.join(unlike)}"
            raise ReportError(f"{first.path} and {other.path} are not of identical runs: {words}")


def rows_sha256(rows: Iterable[Row]) -> str:
    """The digest of the samples that rows of details are about, with their gold, whatever their order."""
    listed = sorted(([row[name] for name in _OF_SAMPLE] for row in rows), key=lambda members: str(members[0]))
    return hashlib.sha256(canonical(listed)).hexdigest()


def _sources(report: Report) -> set[str]:
    """The runs that a report is from: by digest, and by when they were registered."""
    registration = report.data["registration"]
    digests: list[str] = registration.get("source_reports_sha256", [])
    registered = registration.get("registered_at")
    return {report.sha256, *digests, *([registered] if registered else ())}


def _differences(first: Report, other: Report) -> Iterator[str]:
    before, now = ({name: report.data["registration"].get(name) for name in _OF_RUN} for report in (first, other))
    yield from drifted(before, now)
    if rows_sha256(first.data["details"]) != rows_sha256(other.data["details"]):
        yield "the samples or their gold"
    if any(set(report.arms) != set(row["arms"]) for report in (first, other) for row in report.data["details"]):
        yield "the arms that answered"
