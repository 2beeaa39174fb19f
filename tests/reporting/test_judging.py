"""Verdicts of gates: from the report alone, and nothing that is missing passes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_retrieval_bench.model import LEXICAL_ARMS
from pytest_retrieval_bench.reporting.gates import Comparison, Gate, Threshold
from pytest_retrieval_bench.reporting.judging import Verdict, judge, why_no_baseline
from pytest_retrieval_bench.reporting.paired import paired_section
from pytest_retrieval_bench.reporting.sections import arms_section, latency_section

Scores = dict[str, float]


def _row(number: int, arms: dict[str, dict[str, Any]], **members: str) -> dict[str, Any]:
    """A row of `arm: metrics`; a text in the place of a number is an error, and `not applicable` its outcome."""
    sample = {"id": str(number), "task_type": "t", "repo": "o/r", "stratum": "positive", "partition": "A"}
    answers = {
        arm: {"outcome": "not applicable" if "na" in scores else "error" if "error" in scores else "answered"}
        | ({"error": "x"} if {"na", "error"} & set(scores) else {})
        | ({"wall_ms": scores["wall_ms"]} if "wall_ms" in scores else {})
        | ({"cache_state": scores["label"]} if "label" in scores else {})
        for arm, scores in arms.items()
    }
    beside = ("na", "error", "wall_ms", "label")
    metrics = {
        arm: {"hit@k": 0, "selective_success": 0}
        | {name: value for name, value in scores.items() if name not in beside}
        for arm, scores in arms.items()
    }
    return {**sample, **members, "arms": answers, "metrics": metrics}


def _report(rows: Sequence[dict[str, Any]], **members: Any) -> dict[str, Any]:
    arms = sorted({arm for row in rows for arm in row["arms"]})
    sections = {"arms": arms_section(rows, arms, 10), "latency": latency_section(rows, arms, {})}
    return {"samples_sha256": "0" * 64, "limit": 10, "details": list(rows), **sections, **members}


def _values(*values: float, metric: str = "mrr@k") -> dict[str, Any]:
    return _report([_row(number, {"mine": {metric: value}}) for number, value in enumerate(values)])


def _pairs(*differences: float) -> dict[str, Any]:
    rows = [
        _row(number, {"mine": {"mrr@k": 0.5 + value}, "grep": {"mrr@k": 0.5}})
        for number, value in enumerate(differences)
    ]
    return _report(rows)


def _threshold(operator: str, value: float, metric: str = "mrr@k", group: str | None = None) -> Gate:
    return Threshold("mine", metric, group, operator, value)


def _failed(verdict: Verdict, words: str) -> None:
    assert verdict.outcome == "failed"
    assert words in verdict.message


@pytest.mark.parametrize(
    ("operator", "value", "outcome"),
    [
        (">=", 0.666667, "passed"), (">=", 0.666668, "failed"), (">", 0.666666, "passed"), (">", 0.666667, "failed"),
        ("<=", 0.666667, "passed"), ("<=", 0.666666, "failed"), ("<", 0.666668, "passed"), ("<", 0.666667, "failed"),
    ],
)  # fmt: skip
def test_a_value_is_judged_as_the_report_states_it(operator: str, value: float, outcome: str) -> None:
    report = _values(1, 1, 0, metric="hit@k")
    assert report["arms"]["mine"]["all"]["hit@k"] == 0.666667
    verdict = judge(_threshold(operator, value, "hit@k"), report)
    interval = binomtest(2, 3).proportion_ci(method="wilson")
    assert verdict.outcome == outcome
    assert verdict.message == (
        f"mine hit@k {operator} {value}: 0.666667, 95% interval [{interval.low:g}, {interval.high:g}] (Wilson), n=3; "
        f"must be {operator} {value}"
    )


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8), st.floats(0.01, 0.99))
def test_a_threshold_agrees_with_the_section_of_the_report(values: list[float], bound: float) -> None:
    report = _values(*values)
    stated = report["arms"]["mine"]["all"]["mrr@k"]
    verdict = judge(_threshold(">=", bound), report)
    assert (verdict.outcome == "passed") == (stated >= bound)
    assert f"n={len(values)}" in verdict.message


def test_a_group_is_judged_over_its_own_members() -> None:
    rows = [_row(0, {"mine": {"hit@k": 1}}), _row(1, {"mine": {"hit@k": 0}}, task_type="u", partition="B")]
    for group, value in (("task:t", 1), ("task:u", 0), ("fold:B", 0), ("stratum:positive", 0.5)):
        verdict = judge(_threshold(">=", 0.5, "hit@k", group), _report(rows))
        assert (verdict.outcome == "passed") == (value >= 0.5)
        assert f": {value:g}, 95% interval" in verdict.message


@pytest.mark.parametrize(
    "gate", [_threshold(">=", 0.1), _threshold("<=", 0.9), Comparison("mine", "grep", "mrr@k", None, 0.5)]
)
def test_what_is_missing_never_passes(gate: Gate) -> None:
    _failed(judge(gate, _report([_row(0, {"other": {"mrr@k": 1}})])), "n=0")
    _failed(judge(gate, _report([])), "n=0")
    _failed(judge(gate, _values(1, 1, metric="f1@k")), "n=0")
    incomplete = _pairs(0.1, 0.1) | {"incomplete": [{"id": "9", "arm": "other", "why": "crash"}]}
    _failed(judge(gate, incomplete), "the run is incomplete: 1 result missing")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    "gate", [_threshold(">=", 0.1), _threshold("<", 0.9), Comparison("mine", "grep", "mrr@k", None, 0.5)]
)
def test_what_is_no_number_never_passes(gate: Gate, value: float) -> None:
    sound = [_row(number, {"mine": {"mrr@k": 0.5}, "grep": {"mrr@k": 0.5}}) for number in range(50)]
    spoilt = _row(50, {"mine": {"mrr@k": value}, "grep": {"mrr@k": 0.5}})
    report = _report(sound) | {"details": [*sound, spoilt]}
    _failed(judge(gate, report), "a value is no number, n=51")


@given(st.lists(st.integers(-2, 2), min_size=2, max_size=12))
def test_a_comparison_agrees_with_the_paired_block(quarters: list[int]) -> None:
    report = _pairs(*(quarter / 4 for quarter in quarters))
    for row in report["details"]:
        for metrics in row["metrics"].values():
            metrics |= dict.fromkeys(("recall@5", "recall@10"), 0)
    block = paired_section(report["details"], ["grep", "mine"], LEXICAL_ARMS, 10)["all"]["mine"]["grep"]["mrr@k"]
    beats = judge(Comparison("mine", "grep", "mrr@k", None, 0), report)
    close = judge(Comparison("mine", "grep", "mrr@k", None, 0.125), report)
    assert (beats.outcome == "passed") == (block["low"] > 0)
    assert (close.outcome == "passed") == (block["low"] > -0.125)
    assert f"[{block['low']:g}, {block['high']:g}] (bootstrap), n={block['n']}" in beats.message


def test_a_better_mean_alone_beats_nothing() -> None:
    verdict = judge(Comparison("mine", "grep", "mrr@k", None, 0), _pairs(0.5, 0.5, -0.25, -0.25, 0.25))
    _failed(verdict, "difference +0.15, 95% interval [-0.15")
    assert verdict.message.endswith("n=5; the lower end must be > 0")
    assert judge(Comparison("mine", "grep", "mrr@k", None, 0), _pairs(0.5, 0.25, 0.25)).outcome == "passed"


def test_the_margin_itself_is_worse_by_the_margin() -> None:
    verdict = judge(Comparison("mine", "grep", "mrr@k", None, 0.25), _pairs(-0.25, -0.25))
    _failed(verdict, "the lower end must be > -0.25")
    assert judge(Comparison("mine", "grep", "mrr@k", None, 0.26), _pairs(-0.25, -0.25)).outcome == "passed"


def test_one_sample_is_no_comparison_and_has_no_interval() -> None:
    _failed(judge(Comparison("mine", "grep", "mrr@k", None, 0), _pairs(0.5)), "too few samples have it, n=1")
    assert "0.5, no interval, n=1" in judge(_threshold(">=", 0.4), _values(0.5)).message


def test_a_sample_that_one_side_alone_has_spoils_the_comparison() -> None:
    rows = _pairs(0.5, 0.25, 0.25)["details"]
    del rows[1]["metrics"]["grep"]["mrr@k"]
    _failed(judge(Comparison("mine", "grep", "mrr@k", None, 0), _report(rows)), "1 sample of 3 cannot be paired")


def test_a_regression_is_paired_by_sample_whatever_the_order() -> None:
    rng = np.random.default_rng(1)
    values = rng.random(40).tolist()
    old = _values(*values)
    old["details"].reverse()
    gate = Comparison("mine", None, "mrr@k", None, 0.02)
    assert judge(gate, _values(*values), old).outcome == "passed"
    assert judge(gate, _values(*(value - 0.01 for value in values)), old).outcome == "passed"
    _failed(judge(gate, _values(*(value - 0.03 for value in values)), old), "difference -0.03")
    old["details"].pop()
    _failed(judge(gate, _values(*values), old), "1 sample of 40 cannot be paired")


def test_errors_are_counted_without_what_does_not_apply() -> None:
    rows = [
        _row(0, {"mine": {"mrr@k": 1}, "grep": {}}),
        _row(1, {"mine": {"error": 1}, "grep": {"error": 1}}),
        _row(2, {"mine": {"na": 1}, "grep": {}}, task_type="u"),
    ]
    mine = judge(Threshold("mine", "errors", None, "<=", 0), _report(rows))
    _failed(mine, "1 error, rate 0.5 [0.094531, 0.905469] (Wilson), n=2, 1 more not applicable; must be <= 0")
    assert judge(Threshold("mine", "errors", None, "<=", 1), _report(rows)).outcome == "passed"
    assert judge(Threshold("mine", "errors", "task:u", "<=", 1), _report(rows)).message.count("nothing was asked, n=0")
    _failed(judge(Threshold(None, "errors", None, "<", 2), _report(rows)), "2 errors, rate 0.4")


def test_completion_is_the_share_of_results_that_are_answers() -> None:
    rows = [_row(number, {"mine": {"mrr@k": 1}}) for number in range(7)]
    rows += [_row(7, {"mine": {"error": 1}}), _row(8, {"mine": {"na": 1}}), _row(9, {})]
    report = _report(rows, incomplete=[{"id": "9", "arm": "mine", "why": "crash"}])
    gate = Threshold("mine", "completion", None, ">=", 0.777777)
    verdict = judge(gate, report)
    assert verdict.outcome == "passed"
    assert "completion >= 0.777777: 0.777778, 95% interval [" in verdict.message
    assert "n=9 (1 error, 1 missing), 1 more not applicable" in verdict.message
    assert judge(Threshold("mine", "completion", None, ">", 0.777778), report).outcome == "failed"
    everything = judge(Threshold(None, "completion", None, ">=", 0.1), report)
    assert "n=9 (1 error, 1 missing)" in everything.message


def _timed(times: Sequence[float], labels: Sequence[str] = ()) -> dict[str, Any]:
    rows = [
        _row(number, {"mine": {"wall_ms": time} | ({"label": labels[number % len(labels)]} if labels else {})})
        for number, time in enumerate(times)
    ]
    return _report(rows)


def test_a_time_is_judged_by_the_distribution_of_the_report() -> None:
    report = _timed(range(1, 101))
    assert judge(Threshold("mine", "p95_ms", None, "<=", 95), report).outcome == "passed"
    _failed(judge(Threshold("mine", "p95_ms", None, "<", 95), report), "95 ms (median 50 ms, deviation 25 ms), n=100")
    _failed(
        judge(Threshold("mine", "p50_ms", None, "<=", 95), _timed(range(29))), "too few times for a distribution, n=29"
    )
    _failed(judge(Threshold("other", "p50_ms", None, "<=", 95), report), "these: none")


def test_of_several_kinds_of_times_the_gate_names_one() -> None:
    report = _timed(range(80), ["COLD_UNIQUE", "PRIMED_SHARED"])
    _failed(
        judge(Threshold("mine", "max_ms", None, "<=", 100), report), "these: COLD_UNIQUE, PRIMED_SHARED; name one as"
    )
    assert judge(Threshold("mine", "max_ms", "COLD_UNIQUE", "<=", 78), report).outcome == "passed"
    assert judge(Threshold("mine", "max_ms", "PRIMED_SHARED", "<=", 78), report).outcome == "failed"


def test_an_older_report_must_be_about_the_same() -> None:
    old = _values(1, 0)
    assert why_no_baseline(old, "0" * 64, 10, ["0", "1"]) is None
    assert why_no_baseline(old, "0" * 64, 10, ["1"]) is None
    assert "it is about other samples: samples_sha256 is 00" in str(why_no_baseline(old, "1" * 64, 10, ["0", "1"]))
    assert why_no_baseline(old, "0" * 64, 20, ["0"]) == "its limit is 10, that of this run 20"
    assert why_no_baseline(old, "0" * 64, 10, ["0", "7", "8"]) == "it lacks 2 of the 3 samples of this run"
    assert why_no_baseline(old | {"incomplete": [{}]}, "0" * 64, 10, ["0"]) == "it is incomplete: 1 result missing"
