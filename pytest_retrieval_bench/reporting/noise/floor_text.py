"""What the terminal shows of a noise floor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.reporting.inference_text import headline
from pytest_retrieval_bench.reporting.layout import Grid, Shown
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.statistics.noise import MIN_RUNS
from pytest_retrieval_bench.text.visible import visible

_NAMES = (0, 1, 3)


def shown_floor(floor: Mapping[str, Any], *, every_metric: bool = False) -> Shown:
    """The reports, a row an arm, kind of index and metric over all samples, and what cannot be said."""
    head = ["arm", "index", "runs", "metric", "n", "mean", "SD between runs [95%]", "smallest difference"]
    margin = f"{floor['margin']:g}"
    rows = [[*head, f"power at {margin}", f"n for {margin}"], *_rows(floor, every_metric=every_metric)]
    samples = counted(floor["samples"], "sample")
    return [
        f"{len(floor['reports'])} identical runs over {samples}, limit {floor['limit']}:",
        *(
            f"  {visible(one['name'])}, sha256 {one['sha256'][:12]}: {_indexes(one['index'])}"
            for one in floor["reports"]
        ),
        *([Grid(rows, _NAMES)] if len(rows) > 1 else []),
        *_deterministic(floor),
        *(
            f"not enough: {one['arm']} with {one['index']}, {counted(one['runs'], 'run')} of at least {MIN_RUNS}"
            for one in floor["not_enough"]
        ),
        *(f"left out: {arm}, {why}" for arm, why in floor["left_out"].items()),
    ]


def _indexes(kinds: Mapping[str, str]) -> str:
    """By kind, which arms were of it."""
    arms: dict[str, list[str]] = {}
    for arm, kind in kinds.items():
        arms.setdefault(kind, []).append(arm)
    return "; ".join(f"{kind}: {', '.join(named)}" for kind, named in arms.items())


def _rows(floor: Mapping[str, Any], *, every_metric: bool) -> Iterator[list[str]]:
    for arm, kinds in floor["arms"].items():
        for kind, block in kinds.items():
            metrics = block["groups"]["all"]
            shown = metrics if every_metric else [name for name in ("hit@k", *headline(metrics)) if name in metrics]
            for metric in () if block["deterministic"] else shown:
                yield [
                    arm,
                    kind,
                    str(block["runs"]),
                    metric.replace("@k", f"@{floor['limit']}"),
                    *_cells(metrics[metric]),
                ]


def _cells(figures: Mapping[str, Any]) -> list[str]:
    start = [str(figures["n"]), f"{figures['mean']:.3f}"]
    if not figures["sd"]:
        return [*start, "0: no run moved it", "-", "-", "-"]
    spread = f"{figures['sd']:.4f} [{figures['low']:.4f} {figures['high']:.4f}]"
    return [*start, spread, f"{figures['smallest']:.4f}", f"{figures['power']:.2f}", str(figures["samples_needed"])]


def _deterministic(floor: Mapping[str, Any]) -> Iterator[str]:
    for arm, kinds in floor["arms"].items():
        for kind, block in kinds.items():
            if block["deterministic"]:
                same = f"the same answers in all {block['runs']} runs"
                yield f"{arm}, {kind}: deterministic, {same}; any difference comes of a change"
