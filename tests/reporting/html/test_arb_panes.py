"""The panes of the metric set `arb` stand on the page of a report that has it, with its figures and their n."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.reporting.html import arb_panes
from pytest_retrieval_bench.reporting.html.pane import Pane
from pytest_retrieval_bench.reporting.html.panes import panes
from tests.reporting.html.pages import whole
from tests.reporting.small_reports import HIT, row

MAKERS = [arb_panes.whole_rankings, arb_panes.depth, arb_panes.budget, arb_panes.risk_coverage]


@pytest.fixture(scope="module")
def measured(demo: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(demo.with_name("report.json").read_text(encoding="utf-8"))
    return report


def only(make: Callable[..., Any], report: dict[str, Any]) -> Pane:
    (pane,) = make(report)
    assert isinstance(pane, Pane)
    return pane


def test_a_report_without_the_set_has_none_of_them(tmp_path: Path) -> None:
    report = whole(tmp_path, [row("a", {"mine": HIT})])
    assert [pane for make in MAKERS for pane in make(report)] == []
    assert "budgets" not in {pane.identity for pane in panes(report)}


def test_budgets_are_drawn_for_each_arm_with_its_n(measured: dict[str, Any]) -> None:
    pane = only(arb_panes.budget, measured)
    ((_, chart),) = pane.charts
    for arm, groups in measured["measures"]["arb"]["groups"].items():
        assert f"{arm} (n={groups['all']['n']})" in chart
        (shown,) = (line for line in pane.tables[0].rows if line[0] == arm)
        assert shown[1:4] == [
            str(groups["all"]["n"]), f"{groups['all']['BCY@4k']:.3f}", f"{groups['all']['BCY@8k']:.3f}",
        ]  # fmt: skip


def test_a_set_without_yields_has_no_pane_of_budgets(measured: dict[str, Any]) -> None:
    groups = {arm: {"all": {"n": 3, "MRR": 0.5}} for arm in measured["arms"]}
    arb = measured["measures"]["arb"] | {"groups": groups}
    assert list(arb_panes.budget(measured | {"measures": {"arb": arb}})) == []


def test_depths_are_those_of_the_report(measured: dict[str, Any]) -> None:
    shown = {line[0]: line[-1] for line in only(arb_panes.depth, measured).tables[0].rows}
    section = measured["measures"]["arb"]["rank_depth"]
    assert shown == {arm: f"{groups['all']['any']['200']:.3f}" for arm, groups in section.items()}


def test_risk_is_drawn_for_all_samples_and_for_the_natural_ones(measured: dict[str, Any]) -> None:
    pane = only(arb_panes.risk_coverage, measured)
    assert [caption for caption, _ in pane.charts] == [
        "Risk by coverage, mixed samples",
        "Risk by coverage, natural samples",
    ]
    assert [("(n=70)" in chart, "(n=64)" in chart) for _, chart in pane.charts] == [(True, False), (False, True)]


def test_what_cannot_be_had_is_said_with_its_reason(measured: dict[str, Any]) -> None:
    table = only(arb_panes.risk_coverage, measured).tables[1]
    assert "grep, mixed, out_of_fold: 3 repositories make no 5 folds" in [cell for line in table.rows for cell in line]


def test_an_arm_whose_confidence_is_not_known_is_not_drawn_and_named(measured: dict[str, Any]) -> None:
    arb = measured["measures"]["arb"] | {
        "selective": {"mine": {"n": 9, "why": "3 of 9 answers rank files without a score"}}
    }
    pane = only(arb_panes.risk_coverage, measured | {"measures": {"arb": arb}})
    assert pane.charts == []
    assert pane.tables[1].rows == [["mine: 3 of 9 answers rank files without a score"]]
