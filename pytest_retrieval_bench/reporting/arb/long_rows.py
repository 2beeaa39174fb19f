"""The views of the metric set `arb` as one long table, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pytest_retrieval_bench.scoring.arb.names import BLOCK_MEASURES, LINE_MEASURES

Section = Mapping[str, Any]
Row = tuple[str, str, str, str, int, float]

COLUMNS: Final = ("arm", "view", "group", "measure", "n", "value")
# What counts samples and is no measure of its own.
_COUNTS: Final = ("n", "positives", "no_gold", "line_samples", "block_samples", "tasks", "repositories", "ranked")


def views_csv(section: Section) -> bytes:
    """The rows of `long_rows` as CSV in UTF-8, under their `COLUMNS`."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(long_rows(section))
    return text.getvalue().encode()


def long_rows(section: Section) -> Iterator[Row]:
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


def _means(arm: str, view: str, group: str, means: Section) -> Iterator[Row]:
    for name, value in means.items():
        if name not in _COUNTS:
            counted = "line_samples" if name in LINE_MEASURES else "block_samples" if name in BLOCK_MEASURES else "n"
            yield arm, view, group, name, means.get(counted, means["n"]), value


def _depth(arm: str, group: str, found: Section) -> Iterator[Row]:
    for name in ("median", "p90"):
        if name in found:
            yield arm, "rank_depth", group, name, found["ranked"], found[name]
    for what in ("any", "recall"):
        for depth, share in found[what].items():
            yield arm, "rank_depth", group, f"{what}@{depth}", found["n"], share


def _selective(arm: str, mix: str, found: Section) -> Iterator[Row]:
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
