"""The panes of the page, top to bottom: each is a heading, a few words, charts where there are any, and tables.

A further figure is one function and one line in `PANES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.reporting.html import charts, figures
from pytest_retrieval_bench.reporting.html.arb_panes import budget, depth, risk_coverage, whole_rankings
from pytest_retrieval_bench.reporting.html.figures import Table
from pytest_retrieval_bench.reporting.html.pane import Pane
from pytest_retrieval_bench.reporting.html.slices import slices
from pytest_retrieval_bench.reporting.inference_text import evidence_cells
from pytest_retrieval_bench.reporting.protocol.text import heading, not_registered, protocol_table
from pytest_retrieval_bench.reporting.terminal import leaderboard

_OPEN_ROWS = 20


def panes(report: Mapping[str, Any]) -> list[Pane]:
    """The panes that the report has something for."""
    return [pane for make in PANES for pane in make(report)]


def _leaderboard(report: Mapping[str, Any]) -> Iterator[Pane]:
    rates = figures.hit_rates(report)
    caption = f"hit@{report['limit']} by arm"
    drawn = [(caption, charts.whiskers(caption, rates, bars=True))] if rates else []
    head, *rows = leaderboard(report)
    words = (
        f"The bar is the share of samples with gold for which a gold file is among the first {report['limit']}; the "
        "whisker is its 95% Wilson interval. Arms whose intervals overlap may differ by chance alone."
    )
    yield Pane("leaderboard", "Leaderboard", words, drawn, [Table("Leaderboard in figures", head, rows)])


def _protocol(report: Mapping[str, Any]) -> Iterator[Pane]:
    if "protocol" in report:
        section = report["protocol"]
        words = ". ".join([heading(section), *not_registered(section)])
        head, *rows = protocol_table(section)
        tables = [Table("Hypotheses", head, rows, (0, 1, len(head) - 1))]
        yield Pane("protocol", "What was claimed beforehand", f"{words}.", (), tables)


def _paired(report: Mapping[str, Any]) -> Iterator[Pane]:
    differences = figures.paired_differences(report)
    if differences:
        words = "Differences on the same samples with 95% bootstrap intervals: right of 0, the retriever is ahead."
        drawn = [
            (caption := f"Difference in {metric}", charts.whiskers(caption, found, bars=False, zero=True))
            for metric, found in differences.items()
        ]
        tables = [figures.paired_table(report)]
        yield Pane("paired", "Retrievers against baselines", words, drawn, tables, folded=True)


def _inference(report: Mapping[str, Any]) -> Iterator[Pane]:
    section = report.get("inference", {"groups": {}})
    rows = [
        [group, arm, baseline, metric, *evidence_cells(block)]
        for group, arms in section["groups"].items()
        for arm, baselines in arms.items()
        for baseline, metrics in baselines.items()
        for metric, block in metrics.items()
    ]
    if rows:
        head = ["group", "retriever", "baseline", "metric", "n", "repos", "difference", "95% interval", "verdict"]
        table = Table("Evidence in figures", head, rows, (0, 1, 2, 3, 8))
        words = f"Verdicts at a margin of {section['margin']:g}. {' '.join(section['words'].values())}"
        yield Pane("evidence", "Evidence", words, (), [table], folded=len(rows) > _OPEN_ROWS)


def _recall(report: Mapping[str, Any]) -> Iterator[Pane]:
    curves = figures.recall_by_depth(report)
    if curves:
        words = "Mean recall among the first files of the ranking, over the samples with gold."
        counts = {arm: report["arms"][arm]["all"]["positives"] for arm in curves}
        lines = {f"{arm} (n={counts[arm]})": list(enumerate(curve, start=1)) for arm, curve in curves.items()}
        drawn = [("Mean recall by depth", charts.curves("Mean recall by depth", lines, "files read"))]
        tables = [figures.recall_table(report, curves)]
        yield Pane("recall", "Recall by depth", words, drawn, tables, folded=True)


def _abstention(report: Mapping[str, Any]) -> Iterator[Pane]:
    words = (
        "Silence is right where the repository holds no answer; where it holds one, any answer counts as right here. "
        "What failed or did not apply counts as wrong."
    )
    yield Pane("abstention", "Abstention", words, (), [figures.abstentions(report)])


def _latency(report: Mapping[str, Any]) -> Iterator[Pane]:
    blocks = figures.latencies(report)
    drawn = [("Wall time of a call", charts.spreads("Wall time of a call", blocks))] if blocks else []
    words = (
        "Wall times of a call by what was seen of the arm's cache: a line from the shortest to the longest, a dot at "
        "the median, a bar at the 95th percentile. Below 30 times there is no distribution."
    )
    if any("workers" in block for labels in report["latency"].values() for block in labels.values()):
        words += " Some were measured side by side: they hold the wait for the processor. Compare times of plain runs."
    yield Pane("latency", "Latency", words, drawn, [figures.latency_table(report)], folded=True)


def _slices(report: Mapping[str, Any]) -> Iterator[Pane]:
    words = (
        "Every arm in every part of the samples; a language is a suffix of gold files. Means are over the positives, "
        "success over all. Read n first."
    )
    yield Pane("slices", "Slices", words, (), list(slices(report)), folded=True)


def _registered(report: Mapping[str, Any]) -> Iterator[Pane]:
    words = "What the run bound itself to before it began."
    yield Pane("registration", "Registration", words, (), [figures.registered(report)], folded=True)


PANES: tuple[Callable[[Mapping[str, Any]], Iterator[Pane]], ...] = (
    _leaderboard, _protocol, _paired, _inference, _recall, _abstention, whole_rankings, depth, budget, risk_coverage,
    _latency, _slices, _registered,
)  # fmt: skip
