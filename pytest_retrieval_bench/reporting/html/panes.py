"""The panes of the page, top to bottom: each is a heading, a few words, a chart where there is one, and tables.

A further figure is one function and one line in `PANES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from pytest_retrieval_bench.reporting.html import charts, figures
from pytest_retrieval_bench.reporting.html.figures import Table
from pytest_retrieval_bench.reporting.inference_text import evidence_cells
from pytest_retrieval_bench.reporting.terminal import leaderboard


@dataclass(frozen=True, slots=True)
class Pane:
    """One section of the page: charts with their captions, and a table; a folded one stands closed at first."""

    identity: str
    heading: str
    words: str
    charts: tuple[tuple[str, Markup], ...] = ()
    table: Table | None = None
    folded: bool = False


def panes(report: Mapping[str, Any]) -> list[Pane]:
    """The panes that the report has something for."""
    return [pane for make in PANES for pane in make(report)]


def _leaderboard(report: Mapping[str, Any]) -> Iterator[Pane]:
    rates = figures.hit_rates(report)
    caption = f"hit@{report['limit']} by arm"
    drawn = ((caption, charts.whiskers(caption, rates, bars=True)),) if rates else ()
    head, *rows = leaderboard(report)
    words = (
        f"The bar is the share of samples with gold for which a gold file is among the first {report['limit']}; the "
        "whisker is its 95% Wilson interval. Arms whose intervals overlap may differ by chance alone."
    )
    yield Pane("leaderboard", "Leaderboard", words, drawn, Table(head, rows))


def _paired(report: Mapping[str, Any]) -> Iterator[Pane]:
    differences = figures.paired_differences(report)
    if differences:
        words = "Differences on the same samples with 95% bootstrap intervals: right of 0, the retriever is ahead."
        drawn = tuple(
            (f"Difference in {metric}", charts.whiskers(f"Difference in {metric}", found, bars=False, zero=True))
            for metric, found in differences.items()
        )
        yield Pane("paired", "Retrievers against baselines", words, drawn, figures.paired_table(report), folded=True)


def _inference(report: Mapping[str, Any]) -> Iterator[Pane]:
    section = report.get("inference")
    if section:
        rows = [
            [group, arm, baseline, metric, *evidence_cells(block)]
            for group, arms in section["groups"].items()
            for arm, baselines in arms.items()
            for baseline, metrics in baselines.items()
            for metric, block in metrics.items()
        ]
        words = f"Verdicts at a margin of {section['margin']:g}. {' '.join(section['words'].values())}"
        head = [
            "group",
            "retriever",
            "baseline",
            "metric",
            "n",
            "repositories",
            "difference",
            "95% interval",
            "verdict",
        ]
        yield Pane("inference", "Evidence", words, (), Table(head, rows, 4), folded=len(rows) > 20)


def _recall(report: Mapping[str, Any]) -> Iterator[Pane]:
    lines = figures.recall_by_depth(report)
    if lines:
        words = "Mean recall among the first files of the ranking, over the samples with gold."
        drawn = (("Mean recall by depth", charts.curves("Mean recall by depth", lines, "files read")),)
        yield Pane("recall", "Recall by depth", words, drawn, figures.recall_table(report), folded=True)


def _abstention(report: Mapping[str, Any]) -> Iterator[Pane]:
    words = "Silence is right where the repository holds no answer, and an answer where it does; failures are neither."
    yield Pane("abstention", "Abstention", words, (), figures.abstentions(report))


def _latency(report: Mapping[str, Any]) -> Iterator[Pane]:
    blocks = figures.latencies(report)
    drawn = (("Wall time of a call", charts.spreads("Wall time of a call", blocks)),) if blocks else ()
    parallel = any("workers" in block for labels in report["latency"].values() for block in labels.values())
    words = "Wall times of a call by what was seen of the arm's cache. Below 30 times there is no distribution."
    if parallel:
        words += " Some were measured side by side: they hold the wait for the processor, and are no honest times."
    yield Pane("latency", "Latency", words, drawn, figures.latency_table(report), folded=True)


def _slices(report: Mapping[str, Any]) -> Iterator[Pane]:
    words = "Every arm in every task, stratum, fold, repository and suffix of gold files. Read n first."
    yield Pane("slices", "Slices", words, (), figures.slices(report), folded=True)


def _registered(report: Mapping[str, Any]) -> Iterator[Pane]:
    words = "What the run bound itself to before it began."
    yield Pane("registration", "Registration", words, (), figures.registered(report), folded=True)


PANES: tuple[Callable[[Mapping[str, Any]], Iterator[Pane]], ...] = (
    _leaderboard, _paired, _inference, _recall, _abstention, _latency, _slices, _registered,
)  # fmt: skip
