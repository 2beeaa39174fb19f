"""Selective retrieval: an arm keeps silent where its confidence is below a threshold (Agent Retrieval Bench)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

OPERATING_POINTS: Final = (
    "no_abstain", "best_selective_accuracy", "best_balanced_accuracy", "best_selective_success@20",
    "target_no_gold_abstain_80", "target_positive_pass_90",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cases:
    """What one arm is judged by, an entry a sample.

    `confidence` is minus infinity where the arm was silent of its own accord, which no threshold changes, and plus
    infinity where it answers whatever the threshold. `recall` is that of the gold files among the first 20, 0 where
    `positive` says that there is no gold.
    """

    confidence: Doubles
    positive: Flags
    recall: Doubles
    repos: tuple[str, ...]

    def part(self, chosen: Flags) -> Cases:
        """The chosen samples alone."""
        repos = tuple(repo for repo, kept in zip(self.repos, chosen.tolist(), strict=True) if kept)
        return Cases(self.confidence[chosen], self.positive[chosen], self.recall[chosen], repos)

    def silent(self, threshold: float) -> Flags:
        """Where the arm keeps silent: its confidence is below the threshold, or it says nothing anyway."""
        below: Flags = (self.confidence < threshold) | np.isneginf(self.confidence)
        return below


@dataclass(frozen=True, slots=True)
class Sweep:
    """Every threshold that makes a difference, ascending, and what comes of it, an entry a threshold."""

    thresholds: Doubles
    pass_rate: Doubles
    abstain_rate: Doubles
    accuracy: Doubles
    balanced: Doubles
    success: Doubles


def sweep(cases: Cases) -> Sweep:
    """The thresholds minus infinity, halfway between neighbouring confidences, and just above the highest."""
    values = np.unique(cases.confidence[np.isfinite(cases.confidence)])
    above = values[-1:] + np.maximum(1e-9, np.abs(values[-1:]) * 1e-9)
    thresholds = np.concatenate([[-math.inf], (values[:-1] + values[1:]) / 2, above])
    positives, others = int(cases.positive.sum()), int((~cases.positive).sum())
    kept_back = _silent(cases, cases.positive, thresholds)
    rightly = _silent(cases, ~cases.positive, thresholds)
    found = cases.positive & (cases.recall > 0)
    hits = int(found.sum()) - _silent(cases, found, thresholds)
    total = max(positives + others, 1)
    accuracy = (rightly + positives - kept_back) / total
    pass_rate, abstain_rate = (positives - kept_back) / max(positives, 1), rightly / max(others, 1)
    balanced = (pass_rate + abstain_rate) / 2 if positives and others else accuracy
    return Sweep(thresholds, pass_rate, abstain_rate, accuracy, balanced, (rightly + hits) / total)


def balanced_threshold(cases: Cases) -> float:
    """The threshold of the best balanced accuracy; ties by selective accuracy, then success, then the lowest."""
    found = sweep(cases)
    return float(found.thresholds[_best(found.balanced, found.accuracy, found.success)])


def operating_points(cases: Cases) -> dict[str, dict[str, Any] | None]:
    """What comes of the threshold of each of `OPERATING_POINTS`; None for a target that no threshold reaches.

    The targets are: silent on 80% of the samples without gold, answering 90% of those with gold, and as much of the
    other as possible.
    """
    found = sweep(cases)
    chosen = {
        "no_abstain": 0,
        "best_selective_accuracy": _best(found.accuracy, found.balanced, found.success),
        "best_balanced_accuracy": _best(found.balanced, found.accuracy, found.success),
        "best_selective_success@20": _best(found.success, found.balanced, found.accuracy),
        "target_no_gold_abstain_80": _best(
            found.pass_rate, found.balanced, found.accuracy, among=found.abstain_rate >= 0.8
        ),
        "target_positive_pass_90": _best(
            found.abstain_rate, found.balanced, found.accuracy, among=found.pass_rate >= 0.9
        ),
    }
    return {
        name: None if place is None else at_threshold(cases, float(found.thresholds[place]))
        for name, place in chosen.items()
    }


def at_threshold(cases: Cases, threshold: float) -> dict[str, Any]:
    """What comes of a threshold (see `decided`), and the threshold, None for minus infinity."""
    return {"threshold": None if math.isinf(threshold) else threshold} | decided(cases, cases.silent(threshold))


def decided(cases: Cases, silent: Flags) -> dict[str, Any]:
    """What comes of keeping silent on these samples; a rate of nothing is left out.

    `coverage` is the share that is answered, `selective_accuracy` that of right decisions, `balanced_accuracy` the mean
    of `positive_pass_rate` and `no_gold_abstain_rate` (the selective one where a class is missing),
    `selective_success@20` the share of silence without gold and answers with a gold file among the first 20.
    """
    positive, hit = cases.positive, cases.recall > 0
    confusion = {
        "no_gold_abstained": int((~positive & silent).sum()),
        "no_gold_returned": int((~positive & ~silent).sum()),
        "positive_abstained": int((positive & silent).sum()),
        "positive_returned": int((positive & ~silent).sum()),
    }
    rightly, wrongly, kept_back, returned = confusion.values()
    total, positives, others = len(cases.confidence), kept_back + returned, rightly + wrongly
    accepted = cases.recall[positive & ~silent].tolist()
    hits = int((positive & ~silent & hit).sum())
    rates = {
        "coverage": (returned + wrongly, total),
        "positive_pass_rate": (returned, positives),
        "no_gold_abstain_rate": (rightly, others),
        "abstain_precision": (rightly, rightly + kept_back),
        "abstain_f1": (2 * rightly, 2 * rightly + kept_back + wrongly),
        "selective_accuracy": (rightly + returned, total),
        "selective_success@20": (rightly + hits, total),
        "accepted_positive_recall@20": (math.fsum(accepted), returned),
        "accepted_positive_hit@20": (hits, returned),
    }
    values = {name: part / whole for name, (part, whole) in rates.items() if whole}
    if total:
        both = positives and others
        values["balanced_accuracy"] = (
            (returned / positives + rightly / others) / 2 if both else (values["selective_accuracy"])
        )
    return {"n": total, "positives": positives, "no_gold": others} | values | {"confusion": confusion}


def confidence_summary(values: Doubles) -> dict[str, float]:
    """n, min, p10, median, p90 and max of the finite confidences, linear between neighbours; n alone where none is."""
    finite = values[np.isfinite(values)]
    names, shares = ("min", "p10", "median", "p90", "max"), (0, 0.1, 0.5, 0.9, 1)
    quantiles = np.quantile(finite, shares).tolist() if len(finite) else []
    return {"n": len(finite)} | dict(zip(names, quantiles, strict=False))


def _silent(cases: Cases, among: Flags, thresholds: Doubles) -> npt.NDArray[np.int64]:
    """At each threshold: how many of these samples are left without an answer."""
    confidences = np.sort(cases.confidence[among])
    found: npt.NDArray[np.int64] = np.maximum(
        np.searchsorted(confidences, thresholds), np.searchsorted(confidences, -math.inf, "right")
    )
    return found


def _best(*keys: Doubles, among: Flags | None = None) -> int | None:
    """The place of the greatest first key, ties by the further ones, then by place; None where none is among."""
    places: Sequence[int] = range(len(keys[0])) if among is None else np.flatnonzero(among).tolist()
    columns = [key.tolist() for key in keys]
    return max(places, key=lambda place: [column[place] for column in columns], default=None)
