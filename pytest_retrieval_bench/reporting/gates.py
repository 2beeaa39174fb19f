"""Gates: what a report must show for its run to end green, as values (docs/gates.md says it in words).

A gate that cannot fail would be green whatever happens; `gate_reading` refuses it with everything else that has no
sense.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.reporting.details import Row, sample_row
from pytest_retrieval_bench.reporting.sections import groups_of
from pytest_retrieval_bench.scoring.lines import LINE_METRICS
from pytest_retrieval_bench.scoring.score import plain_metric_names

ERRORS: Final = "errors"
COMPLETION: Final = "completion"
COUNTED: Final = (ERRORS, COMPLETION)
LATENCIES: Final = ("min_ms", "p50_ms", "p95_ms", "max_ms", "mad_ms")


@dataclass(frozen=True, slots=True)
class Threshold:
    """`ARM METRIC[@GROUP] OP VALUE`. Without an arm (errors and completion only) it is about all of them together.

    The group of a latency is a label of the section `latency`, such as PRIMED_SHARED; None where there is only one.
    """

    arm: str | None
    metric: str
    group: str | None
    operator: str
    value: float

    def __str__(self) -> str:
        words = [self.arm, _measure(self.metric, self.group), self.operator, digits(self.value)]
        return " ".join(word for word in words if word is not None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """An arm against a baseline on the same samples: the lower end of the paired interval must lie above `-margin`.

    `baseline` None is the arm itself in an older report. A margin of 0 is `ARM beats BASELINE`.
    """

    arm: str
    baseline: str | None
    metric: str
    group: str | None
    margin: float

    def __str__(self) -> str:
        measure = _measure(self.metric, self.group)
        if self.baseline is None:
            return f"{self.arm} no-regression {measure} by {digits(self.margin)}"
        if self.margin == 0:
            return f"{self.arm} beats {self.baseline} {measure}"
        return f"{self.arm} not-worse-than {self.baseline} {measure} by {digits(self.margin)}"


Gate = Threshold | Comparison
Outcome = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What the gates of a run can be about.

    `groups` are those of the selected samples, each with the metrics that its members will have; `parallel` says that
    workers run side by side, `old_report` that there is a report to compare with.
    """

    arms: Sequence[str]
    limit: int
    groups: Mapping[str, frozenset[str]]
    parallel: bool = False
    old_report: bool = False


def planned_groups(samples: Iterable[Sample], limit: int) -> dict[str, frozenset[str]]:
    """The groups of samples, as the report will have them, each with the metrics that its members will have."""
    groups: dict[str, frozenset[str]] = {}
    for sample in samples:
        metrics = {*plain_metric_names(sample, limit), *(LINE_METRICS if sample.gold_spans is not None else ())}
        for group in groups_of(sample_row(sample)):
            groups[group] = groups.get(group, frozenset()) | metrics
    return groups


def reported_groups(rows: Iterable[Row]) -> dict[str, frozenset[str]]:
    """The groups of the rows of a report, each with the metrics that its members have."""
    groups: dict[str, frozenset[str]] = {}
    for row in rows:
        metrics = frozenset(name for scored in row["metrics"].values() for name in scored)
        for group in groups_of(row):
            groups[group] = groups.get(group, frozenset()) | metrics
    return groups


def tolerated_arms(gates: Iterable[Gate], arms: Iterable[str]) -> frozenset[str]:
    """The arms whose errors a gate counts, so that a single one of them fails no item."""
    covered = {gate.arm for gate in gates if isinstance(gate, Threshold) and gate.metric in COUNTED and not gate.group}
    return frozenset(arm for arm in arms if not covered.isdisjoint((arm, None)))


def _measure(metric: str, group: str | None) -> str:
    return metric if group is None else f"{metric}@{group}"


def digits(value: float) -> str:
    """The shortest digits that read back as the same number."""
    return str(int(value)) if value == int(value) else repr(float(value))
