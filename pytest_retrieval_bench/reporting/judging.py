"""Whether a report holds what a gate asks (docs/gates.md). A value that is not there fails; it never passes."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.gates import (
    COMPLETION,
    COUNTED,
    ERRORS,
    LATENCIES,
    Comparison,
    Gate,
    Outcome,
    Threshold,
    digits,
)
from pytest_retrieval_bench.reporting.sections import UNRECORDED, groups_of
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.statistics.bootstrap import bootstrap_means
from pytest_retrieval_bench.statistics.intervals import wilson
from pytest_retrieval_bench.statistics.rounding import mean, rounded
from pytest_retrieval_bench.text.visible import visible

if TYPE_CHECKING:
    from pytest_retrieval_bench.reporting.noise.stored_floor import Floor

_COMPARE: Final = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
_LONGEST: Final = 1000
_RATES: Final = ("hit@k", "abstained", "selective_success")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a gate; the message says in one line what was found, over how many, and what was asked."""

    gate: Gate
    outcome: Outcome
    message: str


@dataclass(frozen=True, slots=True)
class _Found:
    """The number that decides, and the finding in words; no number where there is nothing to judge.

    `difference` is the mean one of a comparison.
    """

    decides: float | None
    words: str
    difference: float | None = None


def judge(
    gate: Gate, report: Mapping[str, Any], old: Mapping[str, Any] | None = None, floor: Floor | None = None
) -> Verdict:
    """The verdict of a report on a gate; `old` is the report that a no-regression gate compares with.

    A gate that compares is held against the noise floor, where there is one.
    """
    found = _found(gate, report, old)
    if isinstance(gate, Threshold):
        bound, holds, asked = gate.value, _COMPARE[gate.operator], f"must be {gate.operator} {digits(gate.value)}"
    else:
        bound, holds = 0 - gate.margin, operator.gt
        asked = f"the lower end must be > {digits(bound)}"
    passed = found.decides is not None and math.isfinite(found.decides) and holds(found.decides, bound)
    outcome: Outcome = "passed" if passed else "failed"
    words = found.words
    if floor is not None and isinstance(gate, Comparison) and found.difference is not None:
        from pytest_retrieval_bench.reporting.noise.against_gates import held_against  # heavy, and seldom wanted

        outcome, noise = held_against(floor, gate, outcome, found.difference, report, old)
        words = f"{words}; {noise}"
    return Verdict(gate, outcome, _message(gate, f"{words}; {asked}"))


def not_judged(gate: Gate, outcome: Literal["failed", "skipped"], why: str) -> Verdict:
    """The verdict where there is no report that could be judged."""
    return Verdict(gate, outcome, _message(gate, f"not judged: {why}"))


def why_no_baseline(old: Mapping[str, Any], samples_sha256: str, limit: int, ids: Collection[str]) -> str | None:
    """Why a report cannot be what a run is compared with; None where it can."""
    if old["samples_sha256"] != samples_sha256:
        return f"it is about other samples: samples_sha256 is {old['samples_sha256']}, of this run {samples_sha256}"
    if old["limit"] != limit:
        return f"its limit is {old['limit']}, that of this run {limit}"
    if "incomplete" in old:
        return f"it is incomplete: {counted(len(old['incomplete']), 'result')} missing"
    absent = len(set(ids) - {row["id"] for row in old["details"]})
    return f"it lacks {absent} of the {len(ids)} samples of this run" if absent else None


def _message(gate: Gate, words: str) -> str:
    return visible(f"{gate}: {words}", _LONGEST)


def _found(gate: Gate, report: Mapping[str, Any], old: Mapping[str, Any] | None) -> _Found:
    missing = report.get("incomplete", [])
    if missing and not (isinstance(gate, Threshold) and gate.metric == COMPLETION):
        return _Found(None, f"the run is incomplete: {counted(len(missing), 'result')} missing")
    rows = [row for row in report["details"] if (gate.group or "all") in groups_of(row)]
    if isinstance(gate, Comparison):
        return _compared(gate, rows, rows if old is None or gate.baseline is not None else old["details"])
    if gate.metric in COUNTED:
        return _answered(gate, rows, report)
    if gate.metric in LATENCIES:
        return _timed(gate, report)
    values = [row["metrics"][gate.arm][gate.metric] for row in rows if gate.metric in _metrics(row, gate.arm)]
    return _mean_of(values, rate=gate.metric in _RATES)


def _mean_of(values: Sequence[float], *, rate: bool) -> _Found:
    if not values or not all(map(math.isfinite, values)):
        return _Found(None, _why_no_value(values))
    value = mean(list(values))
    if rate:
        interval = wilson(int(sum(values)), len(values))
        ends = f", 95% interval [{interval['low']:g}, {interval['high']:g}] (Wilson)"
    else:
        ends = _ends(values)
    return _Found(value, f"{value:g}{ends}, n={len(values)}")


def _compared(gate: Comparison, rows: Sequence[Row], other_rows: Sequence[Row]) -> _Found:
    """The differences of samples that have the metric on both sides; one side's alone is a comparison that failed."""
    other_arm, others = gate.baseline or gate.arm, {row["id"]: row for row in other_rows}
    differences, alone = [], 0
    for row in rows:
        ours, theirs = (_metrics(row, gate.arm), _metrics(others.get(row["id"], {"metrics": {}}), other_arm))
        if (gate.metric in ours) and (gate.metric in theirs):
            differences.append(ours[gate.metric] - theirs[gate.metric])
        alone += (gate.metric in ours) != (gate.metric in theirs)
    if alone:
        return _Found(None, f"{counted(alone, 'sample')} of {len(differences) + alone} cannot be paired")
    if len(differences) < 2 or not all(map(math.isfinite, differences)):
        return _Found(None, _why_no_value(differences))
    low, _ = bootstrap_means([differences])[0]
    words = f"difference {mean(differences):+g}{_ends(differences)}, n={len(differences)}"
    return _Found(rounded(low), words, mean(differences))


def _answered(gate: Threshold, rows: Sequence[Row], report: Mapping[str, Any]) -> _Found:
    """How many answers are errors, or the share of results that are answers; not where an arm does not apply."""
    arms = report["arms"] if gate.arm is None else (gate.arm,)
    ids = {row["id"] for row in rows}
    missing = sum(pair["id"] in ids and pair["arm"] in arms for pair in report.get("incomplete", []))
    answers = [row["arms"][arm] for row in rows for arm in arms if arm in row["arms"]]
    applied = [answer for answer in answers if answer.get("outcome") != "not applicable"]
    erred = sum("error" in answer for answer in applied)
    n = len(applied) + missing
    if not n:
        return _Found(None, "nothing was asked, n=0")
    failures = wilson(erred, n) if gate.metric == ERRORS else wilson(n - missing - erred, n)
    ends = f"[{failures['low']:g}, {failures['high']:g}] (Wilson)"
    beside = f", {len(answers) - len(applied)} more not applicable" if len(answers) > len(applied) else ""
    if gate.metric == ERRORS:
        return _Found(erred, f"{counted(erred, 'error')}, rate {failures['rate']:g} {ends}, n={n}{beside}")
    lost = f"{counted(erred, 'error')}, {missing} missing"
    return _Found(failures["rate"], f"{failures['rate']:g}, 95% interval {ends}, n={n} ({lost}){beside}")


def _timed(gate: Threshold, report: Mapping[str, Any]) -> _Found:
    labels = {label: figures for label, figures in report["latency"].get(gate.arm, {}).items() if label != UNRECORDED}
    label = gate.group or (next(iter(labels)) if len(labels) == 1 else None)
    if label not in labels:
        there = ", ".join(labels) or "none"
        return _Found(None, f"not one distribution of times but these: {there}; name one as {gate.metric}@LABEL")
    figures = labels[label]
    if "workers" in figures:
        return _Found(None, f"{figures['workers']} workers measured side by side, which spoils times, n={figures['n']}")
    if gate.metric not in figures:
        return _Found(None, f"too few times for a distribution, n={figures['n']}")
    spread = f"median {figures['p50_ms']:g} ms, deviation {figures['mad_ms']:g} ms"
    return _Found(figures[gate.metric], f"{figures[gate.metric]:g} ms ({spread}), n={figures['n']}")


def _ends(values: Sequence[float]) -> str:
    """The bootstrap interval of the mean in words; one value has none."""
    if len(values) < 2:
        return ", no interval"
    low, high = bootstrap_means([values])[0]
    return f", 95% interval [{rounded(low):g}, {rounded(high):g}] (bootstrap)"


def _why_no_value(values: Sequence[float]) -> str:
    if not all(map(math.isfinite, values)):
        return f"a value is no number, n={len(values)}"
    return f"no value: too few samples have it, n={len(values)}"


def _metrics(row: Row, arm: str | None) -> Mapping[str, float]:
    metrics: Mapping[str, float] = row["metrics"].get(arm, {})
    return metrics
