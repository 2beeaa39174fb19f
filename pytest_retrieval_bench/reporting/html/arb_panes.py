"""The panes of the metric set `arb`: whole rankings, how deep gold lies, what a budget shows, and what silence costs.

Each is for the reports that have the set; the figures are those of the terminal's views.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.reporting.arb.depth import DEPTHS
from pytest_retrieval_bench.reporting.arb.selective import MIXES
from pytest_retrieval_bench.reporting.arb.tables import tables
from pytest_retrieval_bench.reporting.html import charts
from pytest_retrieval_bench.reporting.html.figures import Table
from pytest_retrieval_bench.reporting.html.pane import Pane
from pytest_retrieval_bench.scoring.arb.names import BUDGETS, yield_name

_BUDGETS = {yield_name(budget): budget for budget in BUDGETS}


def whole_rankings(report: Mapping[str, Any]) -> Iterator[Pane]:
    """The benchmark's own leaderboard, under each weighting, and by how gold relates to the question."""
    if section := _section(report):
        words = "Measures of Agent Retrieval Bench. They take whole rankings, given files included, at whatever depth."
        shown = _tables(section, ("weighted", "task-macro", "repository-macro", "relevance"))
        yield Pane("whole-rankings", "Whole rankings", words, (), shown, folded=True)


def depth(report: Mapping[str, Any]) -> Iterator[Pane]:
    """How often a gold file is among the first 1 to 200."""
    if section := _section(report):
        caption = "Share of samples with a gold file among the first"
        lines = {
            f"{arm} (n={groups['all']['n']})": [(at, groups["all"]["any"][str(at)]) for at in DEPTHS]
            for arm, groups in section["rank_depth"].items()
        }
        drawn = charts.curves(caption, lines, "files read", {float(at): str(at) for at in DEPTHS})
        words = "How deep in its whole ranking an arm has the first gold file."
        yield Pane("rank-depth", "Rank depth", words, [(caption, drawn)], _tables(section, ["depth"]), folded=True)


def budget(report: Mapping[str, Any]) -> Iterator[Pane]:
    """The share of gold files in a context of so many tokens."""
    section = _section(report)
    means = {arm: groups["all"] for arm, groups in section["groups"].items()} if section else {}
    lines = {
        f"{arm} (n={row['n']})": points
        for arm, row in means.items()
        if (points := [(size, row[name]) for name, size in _BUDGETS.items() if name in row])
    }
    if section and lines:
        caption = "Budgeted Context Yield"
        places = {float(size): name.removeprefix("BCY@") for name, size in _BUDGETS.items()}
        drawn = charts.curves(caption, lines, "tokens", places)
        words = "Mean share of gold files that a context of so many tokens shows, filled from the top of the ranking."
        yield Pane("budgets", "Budgets", words, [(caption, drawn)], _tables(section, ["budget"]), folded=True)


def risk_coverage(report: Mapping[str, Any]) -> Iterator[Pane]:
    """What share of the answers is wrong when an arm answers only where it is sure."""
    section = _section(report)
    if section:
        drawn = [
            (caption := f"Risk by coverage, {mix} samples", charts.curves(caption, lines, "share answered"))
            for mix in MIXES
            if (lines := _risks(section, mix))
        ]
        words = (
            "An arm that answers from its highest confidence down: how many of the samples it answers, and which share "
            "of these answers is wrong. Natural leaves out the made questions. The points in the table were chosen on "
            "the samples that they are judged by, but for those out of fold and frozen."
        )
        yield Pane("risk-coverage", "Risk and coverage", words, drawn, _tables(section, ["selective"]), folded=True)


def _section(report: Mapping[str, Any]) -> Mapping[str, Any] | None:
    section: Mapping[str, Any] | None = report.get("measures", {}).get("arb")
    return section


def _risks(section: Mapping[str, Any], mix: str) -> dict[str, list[tuple[float, float]]]:
    curves = {
        arm: mixes[mix]["risk_coverage"]["curve"]
        for arm, mixes in section["selective"].items()
        if "risk_coverage" in mixes.get(mix, {})
    }
    return {
        f"{arm} (n={section['selective'][arm][mix]['n']})": [(point["coverage"], point["risk"]) for point in curve]
        for arm, curve in curves.items()
        if curve
    }


def _tables(section: Mapping[str, Any], views: Sequence[str]) -> list[Table]:
    """The views as tables; what cannot be had, with the reason, in one of its own."""
    found = []
    for shown in tables(section, views):
        title = shown.title[:1].upper() + shown.title[1:].removesuffix(":")
        head, *rows = shown.rows
        found.append(Table(title, head, rows))
        if shown.notes:
            found.append(Table(f"{title}: not to be had", ["what, and why"], [[note] for note in shown.notes]))
    return found
