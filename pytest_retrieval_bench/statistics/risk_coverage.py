"""How well a confidence sorts right answers from wrong ones: risk-coverage curve, AURC, AUROC, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.statistics.bootstrap import RESAMPLES, SEED, quantiles
from pytest_retrieval_bench.statistics.clustered import MIN_CLUSTERS, Clusters, end_share
from pytest_retrieval_bench.statistics.selective import Cases, Doubles

Weights = npt.NDArray[np.int64]
_PLAIN_SHARE = 0.025


def curve(cases: Cases) -> list[dict[str, float]]:
    """For each confidence, highest first, the arm answering from there on: coverage, and the risk of an answer.

    The risk is the share of wrong answers among those given: without a gold file among the first 20, or to a question
    without gold. Samples of one confidence come in together; what has none is never answered.

    Source: R. El-Yaniv, Y. Wiener, On the foundations of noise-free selective classification, JMLR 11 (2010).
    """
    order, ends = _order(cases)
    answered, wrong = _counts(cases, order, ends, np.ones((1, len(cases.confidence)), np.int64))
    confidences = cases.confidence[order][ends].tolist()
    rows = zip(confidences, answered[0].tolist(), wrong[0].tolist(), strict=True)
    total = len(cases.confidence)
    return [
        {"confidence": confidence, "coverage": count / total, "risk": errors / count}
        for confidence, count, errors in rows
    ]


def curve_figures(cases: Cases) -> dict[str, Any]:
    """`n`, `risk` of answering all there is, `aurc` with intervals, and `e_aurc`.

    `aurc` is the mean of the risks over the answers, as they come in; `e_aurc` is how much of it a confidence that puts
    all right answers first would save.

    Source: Y. Geifman, G. Uziel, R. El-Yaniv, Bias-reduced uncertainty estimation for deep neural classifiers, ICLR
    2019.
    """
    points = curve(cases)
    if not points:
        return {"n": 0}
    count = round(points[-1]["coverage"] * len(cases.confidence))
    right = count - round(points[-1]["risk"] * count)
    best = sum(max(0, place - right) / place for place in range(1, count + 1)) / count
    aurc = float(_aurc(cases, np.ones((1, len(cases.confidence)), np.int64))[0])
    return {
        "n": count,
        "risk": points[-1]["risk"],
        "aurc": aurc,
        "e_aurc": aurc - best,
        "aurc_intervals": _intervals(cases, _aurc),
    }


def auroc(cases: Cases) -> dict[str, Any]:
    """How often a sample with gold has the higher confidence than one without, ties half, with intervals.

    `positives` and `no_gold` are counted; nothing else is there where either is none.

    Source: J. A. Hanley, B. J. McNeil, The meaning and use of the area under a ROC curve, Radiology 143 (1982).
    """
    counts = {"positives": int(cases.positive.sum()), "no_gold": int((~cases.positive).sum())}
    if not all(counts.values()):
        return counts
    whole = np.ones((1, len(cases.confidence)), np.int64)
    return counts | {"auroc": float(_auroc(cases, whole)[0]), "intervals": _intervals(cases, _auroc)}


def _order(cases: Cases) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The samples that may be answered, highest confidence first, and where each confidence ends among them."""
    order = np.argsort(-cases.confidence, kind="stable")
    order = order[~np.isneginf(cases.confidence[order])]
    confidences = cases.confidence[order]
    # The next confidence of the last is none.
    return order, np.flatnonzero(confidences != np.append(confidences[1:], np.nan)[: len(confidences)])


def _counts(
    cases: Cases, order: npt.NDArray[np.intp], ends: npt.NDArray[np.intp], weights: Weights
) -> tuple[Weights, Weights]:
    """How many are answered, and how many of these wrongly, down to the end of each confidence; a row a draw."""
    wrong = ~(cases.positive & (cases.recall > 0))
    ordered = weights[:, order]
    return np.cumsum(ordered, axis=1)[:, ends], np.cumsum(ordered * wrong[order], axis=1)[:, ends]


def _aurc(cases: Cases, weights: Weights) -> Doubles:
    answered, wrong = _counts(cases, *_order(cases), weights)
    if not answered.shape[1]:
        return np.full(len(weights), np.nan)
    steps = np.diff(answered, axis=1, prepend=0)
    area: Doubles = (steps * (wrong / np.maximum(answered, 1))).sum(axis=1) / np.maximum(answered[:, -1], 1)
    return area


def _auroc(cases: Cases, weights: Weights) -> Doubles:
    with_gold, without = cases.confidence[cases.positive], cases.confidence[~cases.positive]
    above = (with_gold[:, np.newaxis] > without) + 0.5 * (with_gold[:, np.newaxis] == without)
    left, right = weights[:, cases.positive].astype(np.float64), weights[:, ~cases.positive].astype(np.float64)
    pairs = left.sum(axis=1) * right.sum(axis=1)
    # Sums of halves are exact, in whatever order they are added.
    won = ((left @ above) * right).sum(axis=1)
    share: Doubles = np.divide(won, pairs, out=np.full(len(weights), np.nan), where=pairs > 0)
    return share


def _intervals(cases: Cases, statistic: Callable[[Cases, Weights], Doubles]) -> Mapping[str, list[float] | None]:
    """95% bootstrap intervals from 4,000 draws: of samples with and without gold, and of whole repositories.

    The latter with ends further out, as in `clustered`; None below six repositories, and where a draw of them may have
    no samples of one kind.
    """
    order = np.lexsort((cases.recall, cases.confidence, cases.positive))
    names = sorted(set(cases.repos))
    sizes = tuple(sorted(cases.repos.count(name) for name in names))
    by_repository = None
    if len(names) >= MIN_CLUSTERS:
        place = {name: number for number, name in enumerate(names)}
        drawn = _draws(np.random.RandomState(SEED), len(names))[:, [place[repo] for repo in cases.repos]]
        by_repository = _ends(statistic(cases, drawn), end_share(Clusters(sizes, (0.0,) * len(sizes)).effective))
    random, weights = np.random.RandomState(SEED), np.zeros((RESAMPLES, len(order)), np.int64)
    for kind in (True, False):
        places = order[cases.positive[order] == kind]
        weights[:, places] = _draws(random, len(places))
    return {"sample": _ends(statistic(cases, weights), _PLAIN_SHARE), "clustered": by_repository}


def _draws(random: np.random.RandomState, count: int) -> Weights:
    """How often each of `count` things is drawn, in 4,000 draws of as many."""
    if not count:
        return np.zeros((RESAMPLES, 0), np.int64)
    drawn = random.randint(0, count, (RESAMPLES, count), np.int32) + count * np.arange(RESAMPLES)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=RESAMPLES * count).reshape(RESAMPLES, count)


def _ends(values: Doubles, share: float) -> list[float] | None:
    if np.isnan(values).any():
        return None
    column = np.sort(values)[:, np.newaxis]
    return [float(quantiles(column, np.array([end]))[0]) for end in (share, 1 - share)]
