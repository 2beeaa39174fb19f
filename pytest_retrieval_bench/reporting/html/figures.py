"""The numbers that the page shows, as rows of cells; what is drawn stands in a table as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.reporting.html.answers import STATES, state_of
from pytest_retrieval_bench.reporting.judging import Verdict
from pytest_retrieval_bench.reporting.sections import UNLABELLED
from pytest_retrieval_bench.scoring.ranking import RECALL_DEPTHS
from pytest_retrieval_bench.statistics.rounding import mean

LATENCY_FIGURES = ("min_ms", "p50_ms", "p95_ms", "max_ms", "mad_ms")
_READ_OFF = (1, 2, 3, 5, 10, 20, 30, 50)
_NONE = "-"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its title, its head and its rows; the columns `names` hold names, the others figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: Sequence[int] = (0,)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the ends of its interval, over `n` samples."""

    name: str
    value: float
    low: float
    high: float
    n: int


def number(value: float | None, digits: int = 3) -> str:
    """A figure, or a dash where there is none."""
    return _NONE if value is None else f"{value:.{digits}f}"


def deepest_recall(limit: int) -> str | None:
    """The name of the recall at the greatest depth within the limit; None where the limit is above none."""
    depths = [depth for depth in RECALL_DEPTHS if depth <= limit]
    return f"recall@{max(depths)}" if depths else None


def hit_rates(report: Mapping[str, Any]) -> list[Estimate]:
    """The rate of samples with a hit by arm, with its Wilson interval; arms without a positive sample are left out."""
    found = []
    for arm, section in report["arms"].items():
        interval = section["intervals"][f"hit@{report['limit']}"]
        if interval["n"]:
            found.append(Estimate(arm, interval["rate"], interval["low"], interval["high"], interval["n"]))
    return found


def recall_by_depth(report: Mapping[str, Any]) -> dict[str, list[float]]:
    """By arm: mean recall at each depth from 1 to the limit, over the positive samples that it has a result for."""
    curves = {}
    for arm in report["arms"]:
        rows = [row for row in report["details"] if row["gold"] and arm in row["arms"]]
        shares = [_recalls(row["arms"][arm]["ranked"], row["gold"], report["limit"]) for row in rows]
        if shares:
            curves[arm] = [mean(column) for column in zip(*shares, strict=True)]
    return curves


def _recalls(ranked: Sequence[str], gold: Sequence[str], limit: int) -> list[float]:
    wanted = set(gold)
    return [len(wanted.intersection(ranked[:depth])) / len(wanted) for depth in range(1, limit + 1)]


def recall_table(report: Mapping[str, Any], curves: Mapping[str, Sequence[float]]) -> Table:
    """The curves of `recall_by_depth` at the depths that are read off them."""
    depths = [depth for depth in _READ_OFF if depth <= report["limit"]]
    counts = {arm: report["arms"][arm]["all"]["positives"] for arm in curves}
    rows = [[arm, str(counts[arm]), *(number(curve[depth - 1]) for depth in depths)] for arm, curve in curves.items()]
    return Table("Recall in figures", ["arm", "n", *(f"recall@{depth}" for depth in depths)], rows)


def paired_differences(report: Mapping[str, Any]) -> dict[str, list[Estimate]]:
    """By metric: every retriever against every baseline over all samples."""
    found: dict[str, list[Estimate]] = {}
    for arm, baselines in report["paired"].get("all", {}).items():
        for baseline, metrics in baselines.items():
            for metric, block in metrics.items():
                ends = block["low"], block["high"]
                estimate = Estimate(f"{arm} against {baseline}", block["mean_diff"], *ends, block["n"])
                found.setdefault(metric, []).append(estimate)
    return found


def paired_table(report: Mapping[str, Any]) -> Table:
    """The differences in figures, with wins, losses and ties."""
    head = ["retriever", "baseline", "metric", "n", "difference", "low", "high", "won", "lost", "tied"]
    rows = [
        [arm, baseline, metric, str(block["n"]), *(f"{block[name]:+.3f}" for name in ("mean_diff", "low", "high")),
         *(str(block[name]) for name in ("wins", "losses", "ties"))]
        for arm, baselines in report["paired"].get("all", {}).items()
        for baseline, metrics in baselines.items()
        for metric, block in metrics.items()
    ]  # fmt: skip
    return Table("Differences in figures", head, rows, (0, 1, 2))


def latencies(report: Mapping[str, Any]) -> dict[str, Mapping[str, float]]:
    """By arm, and label where it is one: the distributions of wall times that there are."""
    return {
        arm if label == UNLABELLED else f"{arm}, {label}": block
        for arm in report["arms"]
        for label, block in report["latency"].get(arm, {}).items()
        if "p50_ms" in block
    }


def latency_table(report: Mapping[str, Any]) -> Table:
    """Every distribution in milliseconds, those too small to be one with their n alone."""
    rows = [
        [arm, label, str(block["n"]), *(number(block.get(name), 2) for name in LATENCY_FIGURES),
         str(block.get("workers", 1))]
        for arm in report["arms"]
        for label, block in report["latency"].get(arm, {}).items()
    ]  # fmt: skip
    head = ["arm", "cache", "n", *(name.replace("_", " ") for name in LATENCY_FIGURES), "side by side"]
    return Table("Latency in figures", head, rows, (0, 1))


def abstentions(report: Mapping[str, Any]) -> Table:
    """By arm and stratum: how often it answered, kept silent, failed; silence is right where there is no gold."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in report["details"]:
        for arm, answer in row["arms"].items():
            counts.setdefault((arm, row["stratum"]), dict.fromkeys(STATES, 0))[state_of(answer)] += 1
    rows = []
    arms = list(report["arms"])
    for (arm, stratum), of in sorted(counts.items(), key=lambda item: arms.index(item[0][0])):
        right = of["answered" if stratum == "positive" else "silent"]
        n = sum(of.values())
        rows.append([arm, stratum.replace("_", " "), str(n), *(str(of[state]) for state in STATES), number(right / n)])
    return Table("Abstention in figures", ["arm", "stratum", "n", *STATES, "right of n"], rows, (0, 1))


def missing(report: Mapping[str, Any]) -> Table:
    """What never arrived."""
    rows = [[pair["id"], pair["arm"], pair["why"]] for pair in report.get("incomplete", [])]
    return Table("Missing results", ["sample", "arm", "why"], rows, (0, 1, 2))


def gates(verdicts: Sequence[Verdict]) -> Table:
    """What came of each gate."""
    rows = [[verdict.outcome, verdict.message] for verdict in verdicts]
    return Table("Gates", ["gate", "what was found"], rows, (0, 1))


def registered(report: Mapping[str, Any]) -> Table:
    """What the run was bound to, in short."""
    told = report["registration"]
    machine, plugin = told.get("machine", {}), told.get("plugin", {})
    rows = [
        ["registered at", told.get("registered_at", _NONE)],
        ["samples, SHA-256", report["samples_sha256"]],
        ["snapshots", f"{len(told.get('snapshots', {}))} with digests"],
        ["limit", str(report["limit"])],
        ["plugin", f"{plugin.get('version', _NONE)}, SHA-256 {plugin.get('sha256', _NONE)}"],
        ["machine", f"{machine.get('cores', _NONE)} cores, load {machine.get('load_1m', _NONE)}"],
        *([f"retriever {arm}", _bound(bound)] for arm, bound in sorted(told.get("retrievers", {}).items())),
        *(["merged from", digest] for digest in told.get("source_reports_sha256", ())),
    ]
    return Table("Registration in figures", ["what", "value"], rows, (0, 1))


def _bound(bound: Mapping[str, Any]) -> str:
    return "; ".join(f"{name} {value}" for name, value in sorted(bound.items()))
