"""The views of the metric set `arb` as tables of text: what the terminal shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pytest_retrieval_bench.reporting.arb.depth import DEPTHS
from pytest_retrieval_bench.scoring.arb.names import BUDGETS, MEASURES, TAUS, yield_name

Section = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the head first, under a title; `notes` say why some are not there."""

    title: str
    rows: list[list[str]]
    notes: tuple[str, ...] = ()


_HEADLINE: Final = ("MRR", "Recall@5", "Recall@10", "Recall@20", "nDCG@20", "BCY@8k")
_SHOWN: Final = 6
_WEIGHTINGS: Final = {
    "weighted": ("sample", "each sample weighs the same"),
    "task-macro": ("task_macro", "each task type weighs the same"),
    "repository-macro": ("repository_macro", "each repository weighs the same"),
}
_RELATIONS: Final = {"D": "direct", "S": "structural", "W": "workflow", "C": "causal"}
_RATES: Final = {
    "coverage": "coverage",
    "positive_pass_rate": "passed",
    "no_gold_abstain_rate": "silent",
    "balanced_accuracy": "balanced",
    "selective_success@20": "success@20",
}


def tables(section: Section, views: Sequence[str]) -> Iterator[Table]:
    """A table for each view; the leaderboard where none is named."""
    for view in views or ("weighted",):
        if view in _WEIGHTINGS:
            yield _leaderboard(section, *_WEIGHTINGS[view])
        elif view == "relevance":
            yield _relevance(section)
        elif view == "depth":
            yield _depth(section)
        elif view == "budget":
            yield _budget(section)
        else:
            yield _selective(section)


def _leaderboard(section: Section, weighting: str, words: str) -> Table:
    means = {arm: views[weighting] for arm, views in section["views"].items()}
    columns = _columns(means.values(), _HEADLINE)
    counted = [name for name in ("tasks", "repositories") if any(name in row for row in means.values())]

    def place(arm: str) -> tuple[float, float, str]:
        return -means[arm].get("MRR", 0), -means[arm].get("Recall@20", 0), arm

    rows = [
        [arm, str(means[arm]["n"]), *(str(means[arm][name]) for name in counted), *_cells(means[arm], columns)]
        for arm in sorted(means, key=place)
    ]
    return Table(f"whole rankings, {words}:", [["arm", "n", *counted, *columns], *rows])


def _relevance(section: Section) -> Table:
    columns = _columns([groups["all"] for groups in section["groups"].values()], ("MRR", "Recall@20", "BCY@8k"))
    rows = [
        [arm, words, str(groups[f"relevance:{label}"]["n"]), *_cells(groups[f"relevance:{label}"], columns)]
        for label, words in _RELATIONS.items()
        for arm, groups in section["groups"].items()
        if f"relevance:{label}" in groups
    ]
    return Table("by how the gold relates to the question:", [["arm", "relation", "n", *columns], *rows])


def _depth(section: Section) -> Table:
    found = {arm: groups["all"] for arm, groups in section["rank_depth"].items()}
    rows = [
        [arm, str(row["n"]), str(row["ranked"]), str(row.get("median", "-")), str(row.get("p90", "-"))]
        + [_number(row["any"][str(depth)]) for depth in DEPTHS]
        for arm, row in found.items()
    ]
    head = ["arm", "n", "ranked", "median", "p90", *(f"any@{depth}" for depth in DEPTHS)]
    return Table("rank of the first gold file, and how often there is one that high:", [head, *rows])


def _budget(section: Section) -> Table:
    names = [*(yield_name(budget) for budget in BUDGETS), *(yield_name(8000, tau) for tau in TAUS[1:])]
    means = {arm: groups["all"] for arm, groups in section["groups"].items()}
    columns = [name for name in names if any(name in row for row in means.values())]
    rows = [[arm, str(row["n"]), *_cells(row, columns)] for arm, row in means.items()]
    title = "share of gold files in a context of so many tokens (/16: 16 tokens of one at least):"
    return Table(title, [["arm", "n", *columns], *rows])


def _selective(section: Section) -> Table:
    rows = [["arm", "samples", "point", "n", "pos.", "threshold", *_RATES.values(), "auroc [95%]", "aurc [95%]"]]
    notes = []
    for arm, mixes in section["selective"].items():
        if "why" in mixes:
            notes.append(f"{arm}: {mixes['why']}")
            continue
        for mix, found in mixes.items():
            whole = f"{arm}, {mix}"
            if "why" in found:
                notes.append(f"{whole}: {found['why']}")
                continue
            rows += _points(arm, mix, found)
            if "why" in found["out_of_fold"]:
                notes.append(f"{whole}, out_of_fold: {found['out_of_fold']['why']}")
    return Table("keeping silent below a threshold of confidence:", rows, tuple(notes))


def _points(arm: str, mix: str, found: Section) -> Iterator[list[str]]:
    points = found["operating_points"] | {name: found[name] for name in ("out_of_fold", "frozen") if name in found}
    areas = (found["auroc"], "auroc", "intervals"), (found["risk_coverage"], "aurc", "aurc_intervals")
    for name, point in points.items():
        if point is None:
            counts = [str(found["n"]), str(found["auroc"]["positives"])]
            yield [arm, mix, name, *counts, "not reached", *["-"] * len(_RATES), "", ""]
        elif "why" not in point:
            counts = [str(point["n"]), str(point["positives"])]
            threshold = point.get("threshold")
            shown = "by fold" if "threshold" not in point else "none" if threshold is None else f"{threshold:.6g}"
            cells = [_interval(*area) if name == "no_abstain" else "" for area in areas]
            yield [arm, mix, name, *counts, shown, *_cells(point, list(_RATES)), *cells]


def _interval(found: Section, name: str, intervals: str) -> str:
    """The figure with the interval by repository where there is one, else that by sample."""
    if name not in found:
        return "-"
    ends = found[intervals]["clustered"] or found[intervals]["sample"]
    return _number(found[name]) + (f" [{ends[0]:.3f} {ends[1]:.3f}]" if ends else "")


def _columns(rows: Iterable[Section], headline: Sequence[str]) -> list[str]:
    """The headline measures that were taken, or else the first that were."""
    names = {name for row in rows for name in row}
    return [name for name in headline if name in names] or [name for name in MEASURES if name in names][:_SHOWN]


def _cells(row: Section, names: Sequence[str]) -> list[str]:
    return [_number(row.get(name)) for name in names]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
