"""What a report says of keeping silent below a threshold of confidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from pytest_retrieval_bench.reporting.arb.positives import kept_of
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.statistics.repository_folds import out_of_fold
from pytest_retrieval_bench.statistics.risk_coverage import auroc, curve, curve_figures
from pytest_retrieval_bench.statistics.rounding import rounded
from pytest_retrieval_bench.statistics.selective import Cases, at_threshold, confidence_summary, operating_points

MIXES: Final = ("mixed", "natural")
_DEPTH: Final = 20
# What decides whether a confidence is high enough must not be rounded.
_EXACT: Final = ("threshold", "thresholds")


def selective_section(rows: Sequence[Row], arm: str, thresholds: Mapping[str, float | None]) -> dict[str, Any]:
    """For all samples (`mixed`) and without the made questions (`natural`), thresholds found anew on each.

    `why` stands in the place of figures that cannot be had. `thresholds` are those that another run found, by arm; what
    comes of them is `frozen`.
    """
    measured = [row for row in rows if kept_of(row, arm) is not None]
    unscored = sum(_confidence(row, arm) is None for row in measured)
    if unscored:
        return {"n": len(measured), "why": f"{unscored} of {len(measured)} answers rank files without a score"}
    natural = [row for row in measured if row["stratum"] != "counterfactual_no_gold"]
    return {
        mix: _mix(cases_of(listed, arm), arm, thresholds)
        for mix, listed in zip(MIXES, (measured, natural), strict=True)
    }


def cases_of(rows: Sequence[Row], arm: str) -> Cases:
    """What the arm is judged by on these rows.

    One that failed is wrong whatever the threshold: silent where there is gold, answering where there is none.
    """
    confidences = [_confidence(row, arm) for row in rows]
    kept = [kept_of(row, arm) or {} for row in rows]
    return Cases(
        np.array([math.nan if value is None else value for value in confidences], np.float64),
        np.array([row["stratum"] == "positive" for row in rows], bool),
        np.array([_recall(one.get("gold_ranks", {})) for one in kept], np.float64),
        tuple(row["repo"] for row in rows),
    )


def _mix(cases: Cases, arm: str, thresholds: Mapping[str, float | None]) -> dict[str, Any]:
    n, positives = len(cases.confidence), int(cases.positive.sum())
    if not 0 < positives < n:
        return {"n": n, "why": f"{positives} of {n} samples have gold; there is nothing to tell apart"}
    found: dict[str, Any] = {
        "n": n,
        "confidence": {
            "positive": confidence_summary(cases.confidence[cases.positive]),
            "no_gold": confidence_summary(cases.confidence[~cases.positive]),
        },
        "operating_points": operating_points(cases),
        "out_of_fold": _out_of_fold(cases),
        "risk_coverage": curve_figures(cases) | {"curve": curve(cases)},
        "auroc": auroc(cases),
    }
    if arm in thresholds:
        frozen = thresholds[arm]
        found["frozen"] = at_threshold(cases, -math.inf if frozen is None else frozen)
    tidy: dict[str, Any] = _tidy(found)
    return tidy


def _out_of_fold(cases: Cases) -> dict[str, Any]:
    try:
        return out_of_fold(cases)
    except ValueError as error:
        return {"n": len(cases.confidence), "why": str(error)}


def _confidence(row: Row, arm: str) -> float | None:
    """None where the answer ranks something and does not say how sure it is."""
    if "error" in row["arms"][arm]:
        return -math.inf if row["stratum"] == "positive" else math.inf
    kept = kept_of(row, arm) or {}
    if "confidence" in kept:
        return float(kept["confidence"])
    return None if row["arms"][arm]["ranked"] or any(kept.get("gold_ranks", {}).values()) else -math.inf


def _recall(ranks: Mapping[str, int | None]) -> float:
    return sum(rank is not None and rank <= _DEPTH for rank in ranks.values()) / len(ranks) if ranks else 0


def _tidy(value: Any) -> Any:
    """At six decimals, but for what decides."""
    if isinstance(value, Mapping):
        return {name: one if name in _EXACT else _tidy(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_tidy(one) for one in value]
    return rounded(value) if isinstance(value, float) else value
