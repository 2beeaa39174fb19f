"""The views of the metric set `arb` as rows of one long table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pytest_retrieval_bench.reporting.long_row import LongRow
from pytest_retrieval_bench.scoring.arb.names import BLOCK_MEASURES, LINE_MEASURES

Section = Mapping[str, Any]

# What counts samples and is no measure of its own.
_COUNTS: Final = ("n", "positives", "no_gold", "line_samples", "block_samples", "tasks", "repositories", "ranked")


def long_rows(section: Section) -> Iterator[LongRow]:
    """Each figure on a row with its arm, view and group, and `n`, how many samples it is from.

    The view `selective` has the mix of samples as its group, and the measure as POINT.FIGURE.
    """
    for arm, views in section["views"].items():
        for view, means in views.items():
            yield from _means(arm, view, "all", means)
    for arm, groups in section["groups"].items():
        for group, means in groups.items():
            yield from _means(arm, "group", group, means)
    for arm, groups in section["rank_depth"].items():
        for group, found in groups.items():
            yield from _depth(arm, group, found)
    for arm, mixes in section["selective"].items():
        for mix, found in mixes.items() if "why" not in mixes else ():
            yield from _selective(arm, mix, found)


def _means(arm: str, view: str, group: str, means: Section) -> Iterator[LongRow]:
    for name, value in means.items():
        if name not in _COUNTS:
            counted = "line_samples" if name in LINE_MEASURES else "block_samples" if name in BLOCK_MEASURES else "n"
            yield arm, view, group, name, means.get(counted, means["n"]), value


def _depth(arm: str, group: str, found: Section) -> Iterator[LongRow]:
    for name in ("median", "p90"):
        if name in found:
            yield arm, "rank_depth", group, name, found["ranked"], found[name]
    for what in ("any", "recall"):
        for depth, share in found[what].items():
            yield arm, "rank_depth", group, f"{what}@{depth}", found["n"], share


def _selective(arm: str, mix: str, found: Section) -> Iterator[LongRow]:
    if "why" in found:
        return
    points = found["operating_points"] | {name: found[name] for name in ("out_of_fold", "frozen") if name in found}
    for name, point in points.items():
        for rate, value in (point or {}).items():
            if rate not in _COUNTS and isinstance(value, int | float):
                yield arm, "selective", mix, f"{name}.{rate}", point["n"], value
    areas = found["risk_coverage"]
    for name in ("risk", "aurc", "e_aurc"):
        if name in areas:
            yield arm, "selective", mix, name, areas["n"], areas[name]
    if "auroc" in found["auroc"]:
        yield arm, "selective", mix, "auroc", found["n"], found["auroc"]["auroc"]
