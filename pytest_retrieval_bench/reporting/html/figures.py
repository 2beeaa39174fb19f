"""The numbers that the page shows, as rows of cells; what is drawn stands in a table as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.sections import UNLABELLED, groups_of
from pytest_retrieval_bench.statistics.rounding import mean

LATENCY_FIGURES = ("min_ms", "p50_ms", "p95_ms", "max_ms", "mad_ms")
_NONE = "-"
_OUTCOMES = ("answered", "abstained", "failed")
_KINDS = ("task", "stratum", "fold", "repository", "language")


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its head and its rows; the first `names` columns hold names, the others figures."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1


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


def hit_rates(report: Mapping[str, Any]) -> list[Estimate]:
    """The rate of samples with a hit by arm, with its Wilson interval; arms without a positive sample are left out."""
    found = []
    for arm, section in report["arms"].items():
        interval = section["intervals"][f"hit@{report['limit']}"]
        if interval["n"]:
            found.append(Estimate(arm, interval["rate"], interval["low"], interval["high"], interval["n"]))
    return found


def recall_by_depth(report: Mapping[str, Any]) -> dict[str, list[float]]:
    """By arm: mean recall at each depth from 1 to the limit, over the positive samples that it scored."""
    curves = {}
    for arm in report["arms"]:
        rows = [row for row in report["details"] if row["stratum"] == "positive" and arm in row["arms"]]
        shares = [_shares(row["arms"][arm]["ranked"], row["gold"], report["limit"]) for row in rows]
        if shares:
            curves[arm] = [mean(list(column)) for column in zip(*shares, strict=True)]
    return curves


def _shares(ranked: Sequence[str], gold: Sequence[str], limit: int) -> list[float]:
    wanted = set(gold)
    return [len(wanted.intersection(ranked[:depth])) / len(wanted) for depth in range(1, limit + 1)]


def recall_table(report: Mapping[str, Any]) -> Table:
    """The curves at depths that are read off them."""
    curves = recall_by_depth(report)
    depths = [depth for depth in (1, 2, 3, 5, 10, 20, 30, 50) if depth <= report["limit"]]
    counts = {arm: report["arms"][arm]["all"]["positives"] for arm in curves}
    rows = [[arm, str(counts[arm]), *(number(curve[depth - 1]) for depth in depths)] for arm, curve in curves.items()]
    return Table(["arm", "n", *(f"recall@{depth}" for depth in depths)], rows)


def slices(report: Mapping[str, Any]) -> Table:
    """Each arm in each task, stratum, fold, repository and language of the gold files."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in report["details"]:
        for group in _slices_of(row):
            groups.setdefault(group, []).append(row)
    ordered = sorted(groups, key=lambda group: (_KINDS.index(group[0]), group[1]))
    recall = f"recall@{min(20, report['limit'])}"
    rows = [
        [
            kind,
            name,
            arm,
            *_slice_cells([row["metrics"][arm] for row in groups[kind, name] if arm in row["arms"]], recall),
        ]
        for kind, name in ordered
        for arm in report["arms"]
    ]
    head = ["slice", "name", "arm", "n", "positives", f"hit@{report['limit']}", "mrr", recall, "selective success"]
    return Table(head, rows, 3)


def _slices_of(row: Row) -> Iterator[tuple[str, str]]:
    for group in groups_of(row):
        kind, _, name = group.partition(":")
        if name:
            yield kind, name
    yield "repository", row["repo"]
    for language in dict.fromkeys(PurePosixPath(path).suffix for path in row["gold"]):
        yield "language", language or "no suffix"


def _slice_cells(scored: Sequence[Mapping[str, float]], recall: str) -> list[str]:
    positives = [metrics for metrics in scored if "hit@k" in metrics]
    means = [_mean(positives, name) for name in ("hit@k", "mrr@k", recall)]
    return [str(len(scored)), str(len(positives)), *means, _mean(scored, "selective_success")]


def _mean(scored: Iterable[Mapping[str, float]], name: str) -> str:
    values = [metrics[name] for metrics in scored if name in metrics]
    return number(mean(values) if values else None)


def paired_differences(report: Mapping[str, Any]) -> dict[str, list[Estimate]]:
    """By metric: every retriever against every baseline over all samples."""
    found: dict[str, list[Estimate]] = {}
    for arm, baselines in report["paired"].get("all", {}).items():
        for baseline, metrics in baselines.items():
            for metric, block in metrics.items():
                ends = block["low"], block["high"]
                found.setdefault(metric, []).append(
                    Estimate(f"{arm} against {baseline}", block["mean_diff"], *ends, block["n"])
                )
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
    return Table(head, rows, 3)


def latencies(report: Mapping[str, Any]) -> dict[str, Mapping[str, float]]:
    """By arm, and label where it is one: the distributions of wall times that there are."""
    return {
        arm if label == UNLABELLED else f"{arm}, {label}": block
        for arm, labels in report["latency"].items()
        for label, block in labels.items()
        if "p50_ms" in block
    }


def latency_table(report: Mapping[str, Any]) -> Table:
    """Every distribution in milliseconds, those too small to be one with their n alone."""
    rows = [
        [arm, label, str(block["n"]), *(number(block.get(name), 2) for name in LATENCY_FIGURES),
         str(block.get("workers", 1))]
        for arm, labels in report["latency"].items()
        for label, block in labels.items()
    ]  # fmt: skip
    return Table(["arm", "cache", "n", *(name.replace("_", " ") for name in LATENCY_FIGURES), "side by side"], rows, 2)


def abstentions(report: Mapping[str, Any]) -> Table:
    """By arm and stratum: how often it answered, kept silent and failed; silence is right where there is no gold."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in report["details"]:
        for arm, answer in row["arms"].items():
            of = counts.setdefault((arm, row["stratum"]), dict.fromkeys(_OUTCOMES, 0))
            of["failed" if "error" in answer else "abstained" if answer["abstained"] else "answered"] += 1
    rows = []
    for (arm, stratum), of in sorted(counts.items(), key=lambda item: list(report["arms"]).index(item[0][0])):
        right = of["answered"] if stratum == "positive" else of["abstained"]
        n = sum(of.values())
        rows.append([arm, stratum.replace("_", " "), str(n), *(str(of[name]) for name in _OUTCOMES), number(right / n)])
    head = ["arm", "stratum", "n", "answered", "kept silent", "failed", "share that did the right one of both"]
    return Table(head, rows, 2)


def missing(report: Mapping[str, Any]) -> Table:
    """What never arrived."""
    rows = [[pair["id"], pair["arm"], pair["why"]] for pair in report.get("incomplete", [])]
    return Table(["sample", "arm", "why"], rows, 3)


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
        *([f"retriever {arm}", str(bound)] for arm, bound in sorted(told.get("retrievers", {}).items())),
        *(["merged from", digest] for digest in told.get("source_reports_sha256", ())),
    ]
    return Table(["what", "value"], rows, 2)
