"""What the terminal shows: one line before a run, one table after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_retrieval_bench.reporting.arb.tables import tables
from pytest_retrieval_bench.reporting.extremes_text import shown_extremes
from pytest_retrieval_bench.reporting.inference_text import shown_inference
from pytest_retrieval_bench.reporting.ir.tables import functions_table, ir_table
from pytest_retrieval_bench.reporting.layout import Grid
from pytest_retrieval_bench.reporting.own_measures import shown_own
from pytest_retrieval_bench.reporting.protocol.text import shown_protocol
from pytest_retrieval_bench.reporting.screen import show
from pytest_retrieval_bench.reporting.sections import UNLABELLED, UNRECORDED
from pytest_retrieval_bench.scoring.arb.names import ARB
from pytest_retrieval_bench.scoring.ir import IR
from pytest_retrieval_bench.scoring.own import OWN
from pytest_retrieval_bench.text.visible import visible

if TYPE_CHECKING:
    import pytest

    from pytest_retrieval_bench.plan import Plan
    from pytest_retrieval_bench.reporting.judging import Verdict

_NATURAL = "stratum:natural_no_gold"
_SHOWN_MISSING = 10
_COLOURS = {"passed": {"green": True}, "failed": {"red": True}, "skipped": {"yellow": True}}


def header(plan: Plan, title: str | None, arms: Sequence[str], not_run: Mapping[str, str], *run: str) -> str:
    """The line under pytest's own: samples, arms that run, arms that do not and why, and what else there is to say."""
    suite = f"{title}: " if title else ""
    left_out = f" ({plan.skipped_unlabelled} more have no gold)" if plan.skipped_unlabelled else ""
    reasons = dict.fromkeys(not_run.values())
    others = "; ".join(f"{', '.join(arm for arm in not_run if not_run[arm] == why)} ({why})" for why in reasons)
    parts = [
        f"{suite}{counted(len(plan.samples), 'sample')}{left_out}",
        *unreviewed(len(plan.samples), sum(not sample.reviewed for sample in plan.samples)),
        f"arms {', '.join(arms)}",
        *([f"not run {others}"] if others else []),
        *run,
    ]
    return f"retrieval-bench: {'; '.join(parts)}"


def unreviewed(samples: int, count: int) -> list[str]:
    """The words for samples whose gold nobody has checked; none where there is no such sample."""
    return [f"{count} of {counted(samples, 'sample')} not reviewed"] if count else []


def guesses(report: Mapping[str, Any]) -> list[str]:
    """What a reader of the figures must know where some of the gold is not checked."""
    found = unreviewed(report["samples"], len(report["registration"].get("unreviewed_ids", ())))
    return [f"{words}: their gold is a guess, and so are these figures" for words in found]


def of_suite(suite: Mapping[str, Any]) -> list[str]:
    """Licence and citation of the samples, as far as the suite names them."""
    words = {"licence": "samples under", "citation": "cite"}
    return [f"{word} {visible(suite[name], 1000)}" for name, word in words.items() if name in suite]


def summary(
    reporter: pytest.TerminalReporter,
    report: Mapping[str, Any] | None,
    written: Path | None,
    problems: Sequence[str],
    verdicts: Sequence[Verdict] = (),
    views: Sequence[str] = (),
    top: int = 0,
) -> None:
    """Writes the end of a run: the table (with tasks under -v, not under -qq), what is missing, where the report is.

    `views` are those of further measures, `top` asks for that many of the worst misses and largest disagreements. What
    came of each gate follows; however quiet the run, one that did not hold is named.
    """
    verbosity = reporter.config.get_verbosity()
    missing = report.get("incomplete", []) if report else []
    told = [verdict for verdict in verdicts if verbosity >= -1 or verdict.outcome != "passed"]
    if verbosity < -1 and not missing and not problems and not told:
        return
    reporter.write_sep("=", "retrieval benchmark")
    if report is not None and verbosity >= -1:
        show(reporter, [Grid(leaderboard(report, by_task=verbosity > 0))])
        show(reporter, _shown_measures(report.get("measures", {}), views))
        if "inference" in report:
            show(reporter, shown_inference(report["inference"], every_metric=verbosity > 0))
        if "protocol" in report:
            show(reporter, shown_protocol(report["protocol"]))
        if top:
            show(reporter, shown_extremes(report, top))
    for line in guesses(report) if report else ():
        reporter.write_line(line, yellow=True)
    for line in _missing_lines(missing):
        reporter.write_line(line, red=True)
    for problem in problems:
        reporter.write_line(problem, red=True)
    for verdict in told:
        reporter.write_line(f"gate {verdict.outcome}: {verdict.message}", **_COLOURS[verdict.outcome])
    if written is not None:
        reporter.write_line(f"report{' (incomplete)' if missing else ''}: {written}")


def _shown_measures(measures: Mapping[str, Any], views: Sequence[str]) -> Iterator[str | Grid]:
    """The tables of the further metric sets."""
    for table in tables(measures[ARB], views) if ARB in measures else ():
        yield table.title
        yield Grid(table.rows)
        yield from table.notes
    if IR in measures:
        yield "measures at fixed depths (files: how many are ranked on average):"
        yield Grid(ir_table(measures[IR]), names=(0, 1))
        if found := functions_table(measures[IR]):
            yield "functions, over the samples that mark some:"
            yield Grid(found)
    yield from shown_own(measures.get(OWN, {}))


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 sample`, `2 samples`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def leaderboard(report: Mapping[str, Any], *, by_task: bool = False) -> list[list[str]]:
    """The cells of the table, its head first: a row an arm, or, by task, a row an arm and task as well, indented.

    The metrics are those that the suite of the run chose, or else hits, MRR and recall.
    """
    limit = report["limit"]
    chosen = report["registration"].get("suite", {}).get("metrics") or _usual_metrics(limit)
    rows = [_head(report, chosen)]
    for arm, section in report["arms"].items():
        rows.append([arm, *_cells(section, "all", chosen, limit), *_arm_cells(report, arm, section)])
        if by_task:
            tasks = [group for group in section if group.startswith("task:")]
            rows += [
                [f"  {visible(task.removeprefix('task:'))}", *_cells(section, task, chosen, limit), "", "", ""]
                for task in tasks
            ]
    return rows


def _head(report: Mapping[str, Any], metrics: Sequence[str]) -> list[str]:
    return [
        "arm",
        "n",
        "pos.",
        *(_title(metric, report["limit"]) for metric in metrics),
        "silent, natural no-gold",
        "err.",
        f"p50 ms{_side_by_side(report)}",
    ]


def _title(metric: str, limit: int) -> str:
    """The short name of a metric over its column."""
    short = {"mrr@k": "mrr", "hit@k": f"hit@{limit} [95%]"}
    return short.get(metric) or metric.replace("recall@", "r@").replace("@k", f"@{limit}")


def _side_by_side(report: Mapping[str, Any]) -> str:
    """A word for times that were taken side by side."""
    blocks = [block for labels in report["latency"].values() for block in labels.values()]
    most = max((block.get("workers", 1) for block in blocks), default=1)
    return f" ({most} workers)" if most > 1 else ""


def _cells(section: Mapping[str, Any], group: str, metrics: Sequence[str], limit: int) -> list[str]:
    means = section.get(group, {})
    figures = {metric: _number(means.get(metric)) for metric in metrics}
    interval = section["intervals"][f"hit@{limit}"]
    if group == "all" and interval["n"] and "hit@k" in figures:
        figures["hit@k"] += f" [{interval['low']:.3f} {interval['high']:.3f}]"
    return [str(means.get("n", 0)), str(means.get("positives", 0)), *figures.values()]


def _arm_cells(report: Mapping[str, Any], arm: str, section: Mapping[str, Any]) -> list[str]:
    natural = section.get(_NATURAL)
    silent = f"{natural['selective_success']:.3f} (n={natural['n']})" if natural else "-"
    times = [
        _median(label, figures) for label, figures in report["latency"].get(arm, {}).items() if label != UNRECORDED
    ]
    return [silent, str(section["errors"]), ", ".join(times) or "-"]


def _median(label: str, figures: Mapping[str, Any]) -> str:
    value = f"{figures['p50_ms']:.2f}" if "p50_ms" in figures else f"- (n={figures['n']})"
    return value if label == UNLABELLED else f"{label} {value}"


def _usual_metrics(limit: int) -> list[str]:
    return ["hit@k", "mrr@k", *(f"recall@{depth}" for depth in (5, 10, 20) if depth <= limit)]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _missing_lines(missing: Sequence[Mapping[str, str]]) -> list[str]:
    if not missing:
        return []
    shown = [
        f"  {visible(pair['id'])} with {pair['arm']}: {visible(pair['why'], 500)}" for pair in missing[:_SHOWN_MISSING]
    ]
    more = len(missing) - len(shown)
    return [
        f"incomplete: {counted(len(missing), 'result')} missing",
        *shown,
        *([f"  and {more} more"] if more else []),
    ]
