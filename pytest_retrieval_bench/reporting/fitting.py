"""Which weights of arms would have done best on the rankings of a report: fusion by ranks, over a grid of weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.fusion import DEPTH, K
from pytest_retrieval_bench.arms.weights import Weights
from pytest_retrieval_bench.errors import ReportError, unknown
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.statistics.rounding import rounded

METRICS = ("mrr@k", "recall@20")
STEPS = 20
_MOST_ARMS = 4

Floats = npt.NDArray[np.float64]


def fit(report: Mapping[str, Any], arms: Sequence[str], metric: str) -> Weights:
    """The weights, in steps of a twentieth and with the sum 1, with the greatest mean of the metric.

    Of equal ones the most even are taken. The stored rankings are cut at the report's limit and lack given files.

    Raises ReportError for arms or a metric that cannot be had, and where no sample has gold and an answer of each arm.
    """
    _check(report, arms, metric)
    rows = [row for row in report["details"] if row["gold"] and all(arm in row["arms"] for arm in arms)]
    if not rows:
        raise ReportError(f"no sample has gold and an answer of each of {', '.join(arms)}")
    grid = weight_grid(len(arms))
    means = np.mean([_values(row, arms, grid, metric) for row in rows], axis=0)
    best = np.flatnonzero(np.isclose(means, means.max(), rtol=0, atol=1e-12))
    chosen = min(best.tolist(), key=lambda place: (float((grid[place] ** 2).sum()), place))
    return Weights(
        by_arm={arm: rounded(float(weight)) for arm, weight in zip(arms, grid[chosen], strict=True)},
        metric=metric,
        value=rounded(float(means[chosen])),
        n=len(rows),
        repositories=tuple(sorted({row["repo"] for row in rows})),
        samples_sha256=report["samples_sha256"],
    )


def weight_grid(arms: int) -> Floats:
    """Every way to give so many arms twentieths of 1, a way a row."""
    bars = combinations(range(STEPS + arms - 1), arms - 1)
    edges = np.array([[-1, *way, STEPS + arms - 1] for way in bars])
    return (np.diff(edges, axis=1) - 1) / STEPS


def _check(report: Mapping[str, Any], arms: Sequence[str], metric: str) -> None:
    for arm in arms:
        if arm not in report["arms"]:
            raise ReportError(f"not in the report: {unknown('arm', arm, report['arms'])}")
    if not 2 <= len(set(arms)) == len(arms) <= _MOST_ARMS:
        raise ReportError(f"weights are for two to {_MOST_ARMS} arms, each once")
    if metric not in METRICS:
        raise ReportError(unknown("metric", metric, METRICS))


def _values(row: Row, arms: Sequence[str], grid: Floats, metric: str) -> Floats:
    """The metric of one sample under each row of weights."""
    rankings = [row["arms"][arm]["ranked"][:DEPTH] for arm in arms]
    paths = sorted({path for ranking in rankings for path in ranking})
    places = {path: number for number, path in enumerate(paths)}
    parts = np.zeros((len(paths), len(arms)))
    for column, ranking in enumerate(rankings):
        parts[[places[path] for path in ranking], column] = 1 / (K + np.arange(1, len(ranking) + 1))
    scores = parts @ grid.T
    ranks = [_ranks(scores, places[path]) for path in row["gold"] if path in places]
    if not ranks:
        return np.zeros(len(grid))
    reached = np.stack(ranks)
    if metric == "mrr@k":
        return np.asarray(np.where(reached <= DEPTH, 1 / reached, 0).max(axis=0), np.float64)
    return np.asarray((reached <= DEPTH).sum(axis=0) / len(row["gold"]), np.float64)


def _ranks(scores: Floats, place: int) -> Floats:
    """The rank of one path under each row of weights; ties by path, nowhere where its score is 0."""
    own = scores[place]
    before = (scores > own).sum(axis=0) + (scores[:place] == own).sum(axis=0)
    return np.where(own > 0, before + 1.0, np.inf)
