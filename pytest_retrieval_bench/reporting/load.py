"""Reading a report back, for notebooks and for the tools that work on reports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import ReportError, reason
from pytest_retrieval_bench.model import arm_rank
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.report import PROFILE
from pytest_retrieval_bench.reporting.sections import arm_names
from pytest_retrieval_bench.reporting.shape import in_shape
from pytest_retrieval_bench.text.strict_json import loads

# None: the reference tool's first reports named none.
_PROFILES = (PROFILE, "corvint-retrieval-bench/0", None)
_SAMPLE_MEMBERS = ("id", "task_type", "repo", "base_commit", "stratum", "partition", "gold", "given")


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A report: its file, the SHA-256 of the file, and in `data` its members.

    `data` is as it was written, except that a report of the reference tool has empty lists where it says null, and what
    its older ones lack: folds, counts.
    """

    path: Path
    sha256: str
    data: Mapping[str, Any]

    def __repr__(self) -> str:
        whole = "" if self.complete else ", incomplete"
        return f"<Report of {self.data['samples']} samples with {', '.join(self.arms)}{whole}>"

    @property
    def arms(self) -> list[str]:
        """The names of the arms."""
        named = self.data["registration"].get("arms", ())
        return sorted({*named, *arm_names(self.data["details"])}, key=arm_rank)

    @property
    def complete(self) -> bool:
        """Whether every selected pair of sample and arm has a result."""
        return "incomplete" not in self.data

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row a sample and arm, for a data frame: the sample's members, `arm`, the answer and the metrics.

        Measures that were asked for beside the protocol's metrics stand among these.
        """
        return flat_rows(self.data["details"])

    def metric(self, arm: str, name: str) -> dict[str, float]:
        """One metric of one arm by sample id, for the samples that have it."""
        values = ((row["id"], _values(row, arm)) for row in self.data["details"])
        return {identity: metrics[name] for identity, metrics in values if name in metrics}


def flat_rows(details: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """The rows of `Report.rows`, of the details of any report."""
    for row in details:
        sample = {member: row[member] for member in _SAMPLE_MEMBERS}
        for arm in sorted(row["arms"], key=arm_rank):
            yield sample | {"arm": arm} | row["arms"][arm] | _values(row, arm)


def _values(row: Row, arm: str) -> dict[str, float]:
    """The metrics of an arm on a sample, and the measures of further sets."""
    found = dict(row["metrics"].get(arm, {}))
    for kept in row.get("measures", {}).get(arm, {}).values():
        found |= kept.get("values", {})
    return found


def load_report(path: str | Path) -> Report:
    """Reads a report that this plugin or the reference tool wrote.

    Raises ReportError, naming the file, when it cannot be read, is no report, holds a NaN or a member twice, or a
    member that is not as it must be.
    """
    try:
        raw = Path(path).read_bytes()
        data = loads(raw.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise ReportError(f"{path}: cannot be read as a report: {reason(error)}") from error
    profile = data.get("profile") if isinstance(data, dict) else None
    if not isinstance(data, dict) or profile not in _PROFILES or (profile is None and "details" not in data):
        raise ReportError(f"{path}: the profile is {profile!r}, not {PROFILE!r}")
    try:
        return Report(Path(path), hashlib.sha256(raw).hexdigest(), in_shape(data))
    except ValueError as error:
        raise ReportError(f"{path}: {error}") from error
