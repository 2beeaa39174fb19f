"""Thresholds for samples of repositories that were not looked at: five folds of whole repositories.

Source: Agent Retrieval Bench, the protocol of its `report-selective-cv`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pytest_retrieval_bench.statistics.selective import Cases, Doubles, balanced_threshold, decided

FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class _Repository:
    name: str
    positives: int
    others: int

    @property
    def size(self) -> int:
        return self.positives + self.others


def folds(cases: Cases) -> dict[str, int]:
    """The fold of each repository, 0 to 4, so that each has about as many samples with gold and without.

    Repositories are dealt out one by one, those that make up most of a fold first, each to where the folds then come
    closest to their fair shares.

    Raises ValueError, saying why, where five folds with samples of both kinds cannot be had.
    """
    listed = _repositories(cases)
    if len(listed) < FOLDS:
        raise ValueError(f"{len(listed)} repositories make no {FOLDS} folds")
    shares = np.array(
        [
            sum(repository.positives for repository in listed),
            sum(repository.others for repository in listed),
            sum(repository.size for repository in listed),
            len(listed),
        ],
        np.float64,
    )
    shares /= FOLDS
    scale = np.maximum(shares, 1)

    def weight(repository: _Repository) -> tuple[float, int, str]:
        most = max(repository.positives / scale[0], repository.others / scale[1])
        return -most, -repository.size, repository.name

    held = np.zeros((FOLDS, 4))
    found = {}
    for repository in sorted(listed, key=weight):
        brought = np.array([repository.positives, repository.others, repository.size, 1], np.float64)
        costs = [(_cost(held, brought, fold, shares, scale), held[fold][2], fold) for fold in range(FOLDS)]
        fold = min(costs)[2]
        found[repository.name] = fold
        held[fold] += brought
    if not held[:, :2].all():
        raise ValueError(f"not each of {FOLDS} folds of repositories has samples with gold and without")
    return found


def out_of_fold(cases: Cases) -> dict[str, Any]:
    """What comes of deciding on each fold by the best balanced threshold of the other four.

    `thresholds` are those of the folds, None for one that keeps nothing back, and mean, population standard deviation,
    min and max of the others. Raises ValueError as `folds` does.
    """
    placed = folds(cases)
    fold_of = np.array([placed[repo] for repo in cases.repos])
    silent = np.zeros(len(fold_of), bool)
    thresholds = []
    for fold in range(FOLDS):
        held_out = fold_of == fold
        thresholds.append(balanced_threshold(cases.part(~held_out)))
        silent |= held_out & cases.silent(thresholds[-1])
    finite = np.array([threshold for threshold in thresholds if math.isfinite(threshold)])
    return decided(cases, silent) | {
        "thresholds": [threshold if math.isfinite(threshold) else None for threshold in thresholds],
        "threshold_summary": _summary(finite),
        "folds": [sorted(repo for repo in placed if placed[repo] == fold) for fold in range(FOLDS)],
    }


def _repositories(cases: Cases) -> list[_Repository]:
    counts: dict[str, list[int]] = {}
    for repo, positive in zip(cases.repos, cases.positive.tolist(), strict=True):
        counts.setdefault(repo, [0, 0])[not positive] += 1
    return [_Repository(repo, *both) for repo, both in counts.items()]


def _cost(held: Doubles, brought: Doubles, fold: int, shares: Doubles, scale: Doubles) -> float:
    """How far the folds are from their fair shares if this one takes a repository."""
    cost = 0.0
    for place, row in enumerate(held):
        off = [float(part) ** 2 for part in ((row + brought * (place == fold)) - shares) / scale]
        cost += off[0] + off[1] + 0.25 * off[2] + 0.01 * off[3]
    return cost


def _summary(values: Sequence[float] | Doubles) -> dict[str, float]:
    if not len(values):
        return {"n": 0}
    return {
        "n": len(values),
        "mean": float(np.mean(values)),
        "std": float(np.std(values)),
        "min": float(np.min(values)),
        "max": float(np.max(values)),
    }
