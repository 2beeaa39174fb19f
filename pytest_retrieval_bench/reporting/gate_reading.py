"""Reads gates, and refuses before anything runs what is no gate, or one without sense (docs/gates.md)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NoReturn

from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.reporting.gates import (
    COMPLETION,
    COUNTED,
    ERRORS,
    LATENCIES,
    Comparison,
    Gate,
    Scope,
    Threshold,
    digits,
)
from pytest_retrieval_bench.reporting.sections import CACHE_STATES
from pytest_retrieval_bench.scoring.ranking import RECALL_DEPTHS

OPERATORS = (">=", ">", "<=", "<")
FORMS = {
    "": "ARM METRIC[@GROUP] >= VALUE",
    "beats": "ARM beats BASELINE METRIC[@GROUP]",
    "not-worse-than": "ARM not-worse-than BASELINE METRIC[@GROUP] by MARGIN",
    "no-regression": "[ARM] no-regression METRIC[@GROUP] by MARGIN",
    ERRORS: "[ARM] errors[@GROUP] <= N",
    COMPLETION: "[ARM] completion[@GROUP] >= SHARE",
}
# More of them is not better, so that an arm cannot win by them.
WITHOUT_WINNER = ("abstained", "hard_negative_hits@k")
_AT_MOST, _AT_LEAST = ("<=", "<"), (">=", ">")

_THRESHOLD = re.compile(r"(.*?)\s*(>=|<=|>|<)\s*([^\s<>=]+)")
_BEATS = re.compile(r"(.+?)\s+beats\s+(.+)")
_NOT_WORSE = re.compile(r"(.+?)\s+not-worse-than\s+(.+)\s+by\s+(\S+)")
_NO_REGRESSION = re.compile(r"(?:(.+?)\s+)?no-regression\s+(.+?)\s+by\s+(\S+)")
_MEASURE = re.compile(r"([^\s@]+(?:@(?:k|\d+))?)(?:@(.+))?")
_DIGITS = re.compile(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def read_gates(given: Iterable[tuple[str, str]], scope: Scope) -> tuple[Gate, ...]:
    """The gates of lines with their sources, each once, in the order in which they were given.

    Raises SettingsError as `read_gate` does.
    """
    return tuple(dict.fromkeys(gate for text, source in given for gate in read_gate(text, source, scope)))


def read_gate(text: str, source: str, scope: Scope) -> list[Gate]:
    """The gate that a line says; several where one line is about every arm of the run.

    Raises SettingsError, naming the source, the line and what would be right.
    """
    return _Reader(text, source, scope).gates()


class _Reader:
    def __init__(self, text: str, source: str, scope: Scope) -> None:
        self._text = text
        self._source = source
        self._scope = scope

    def gates(self) -> list[Gate]:
        text = self._text.strip()
        if not self._scope.groups:
            self._refuse("no sample is selected, so that there is nothing to judge")
        if match := _NO_REGRESSION.fullmatch(text):
            return self._no_regressions(match[1], match[2], match[3])
        if match := _NOT_WORSE.fullmatch(text):
            return [self._comparison(match[1], match[2], self._margin(match[3]))]
        if match := _BEATS.fullmatch(text):
            return [self._comparison(match[1], match[2], 0)]
        match = _THRESHOLD.fullmatch(text)
        if match is None:
            self._refuse(f"this is no gate; write {self._nearest_form()}")
        return [self._threshold(match[1], match[2], match[3])]

    def _threshold(self, subject: str, operator: str, text: str) -> Threshold:
        arm, metric, group = self._subject(subject)
        if arm is None and metric not in COUNTED:
            self._refuse(f"it names no arm; write {FORMS['']}, with one of {', '.join(self._scope.arms)}")
        value = self._number(text)
        if metric == ERRORS and (operator not in _AT_MOST or value != int(value)):
            self._refuse(f"write {FORMS[ERRORS]}, with a whole number")
        if metric == COMPLETION and operator not in _AT_LEAST:
            self._refuse(f"write {FORMS[COMPLETION]}")
        self._check_range(metric, operator, value)
        return Threshold(arm, metric, group, operator, value)

    def _comparison(self, arm: str, rest: str, margin: float) -> Comparison:
        self._check_arm(arm)
        baseline, metric, group = self._subject(rest)
        if baseline is None:
            self._refuse(f"it names no baseline; write {self._nearest_form()}")
        if baseline == arm:
            self._refuse(f"{arm} is held against itself; name another arm as the baseline")
        self._check_has_winner(metric)
        return Comparison(arm, baseline, metric, group, margin)

    def _no_regressions(self, arm: str | None, measure: str, margin: str) -> list[Gate]:
        if arm is not None:
            self._check_arm(arm)
        metric, group = self._measure(measure)
        self._check_has_winner(metric)
        if not self._scope.old_report:
            self._refuse("there is no report to compare with; give --rb-gate-report=OLD.json")
        arms = self._scope.arms if arm is None else (arm,)
        return [Comparison(name, None, metric, group, self._margin(margin)) for name in arms]

    def _subject(self, words: str) -> tuple[str | None, str, str | None]:
        """The arm, the metric and the group of `[ARM] METRIC[@GROUP]`; names of arms may hold spaces and `@`."""
        known = [arm for arm in self._scope.arms if words.startswith(arm) and words[len(arm) : len(arm) + 1].isspace()]
        arm = max(known, key=len, default=None)
        if arm is None and len(parts := words.split()) > 1:
            self._check_arm(parts[0])
        metric, group = self._measure(words[len(arm or "") :].strip())
        return arm, metric, group

    def _measure(self, words: str) -> tuple[str, str | None]:
        match = _MEASURE.fullmatch(words)
        metric, group = (match[1], match[2]) if match else (words, None)
        groups = self._scope.groups
        if metric in LATENCIES:
            self._check_latency(metric, group)
            return metric, group
        if metric not in COUNTED and metric not in groups["all"]:
            self._refuse(self._why_unknown(metric))
        if group is not None and group not in groups:
            self._refuse(unknown("group", group, groups))
        if metric not in COUNTED and metric not in groups[group or "all"]:
            self._refuse(f"no sample of {group} has {metric}, so that there is nothing to judge")
        return metric, None if group == "all" else group

    def _why_unknown(self, metric: str) -> str:
        deeper = [f"recall@{depth}" for depth in RECALL_DEPTHS if depth > self._scope.limit]
        if metric in deeper:
            return f"{metric} is not measured at the limit of {self._scope.limit}; raise --rb-limit"
        if not metric:
            return f"it names no metric; write {self._nearest_form()}"
        return unknown("metric", metric, [*sorted(self._scope.groups["all"]), *COUNTED, *LATENCIES])

    def _check_arm(self, arm: str) -> None:
        if arm not in self._scope.arms:
            self._refuse(f"not in this run: {unknown('arm', arm, self._scope.arms)}")

    def _check_latency(self, metric: str, label: str | None) -> None:
        if self._scope.parallel:
            self._refuse(f"{metric} is not judged with -n: calls side by side spoil times; leave -n out")
        if label is not None and label not in CACHE_STATES:
            self._refuse(unknown("label of a latency", label, CACHE_STATES))

    def _check_has_winner(self, metric: str) -> None:
        if metric in (*WITHOUT_WINNER, *COUNTED, *LATENCIES):
            self._refuse(f"more {metric} is not better, so that no arm can win by it; write {FORMS['']}")

    def _check_range(self, metric: str, operator: str, value: float) -> None:
        low, high = 0, _highest(metric, self._scope.limit)
        if not low <= value <= high:
            self._refuse(f"{metric} is never above {high}; give a value from {low} to {high}")
        if (operator == ">=" and value == low) or (operator == "<=" and value == high):
            self._refuse(f"it cannot fail, {metric} is always {operator} {digits(value)}; give another value")
        if (operator == ">" and value == high) or (operator == "<" and value == low):
            self._refuse(f"it cannot hold, {metric} is never {operator} {digits(value)}; give another value")

    def _margin(self, text: str) -> float:
        margin = self._number(text)
        if not 0 < margin < 1:
            self._refuse(f"MARGIN must lie between 0 and 1, this is {text}")
        return margin

    def _number(self, text: str) -> float:
        value = float(text) if _DIGITS.fullmatch(text) else math.inf
        if not math.isfinite(value):
            self._refuse(f"{text!r} is no number; write one such as 0.7")
        return value

    def _nearest_form(self) -> str:
        words = self._text.split()
        return next((form for word, form in FORMS.items() if word and get_close_matches(word, words, n=1)), FORMS[""])

    def _refuse(self, why: str) -> NoReturn:
        raise SettingsError(f"{self._source}: {self._text!r}: {why}")


def _highest(metric: str, limit: int) -> float:
    if metric == ERRORS or metric in LATENCIES:
        return math.inf
    return limit if metric == "hard_negative_hits@k" else 1
