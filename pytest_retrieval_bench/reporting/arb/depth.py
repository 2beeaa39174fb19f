"""How deep one must look: rank-depth curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from pytest_retrieval_bench.reporting.arb.positives import Positive
from pytest_retrieval_bench.statistics.rounding import mean

DEPTHS: Final = (1, 2, 3, 5, 10, 20, 50, 100, 200)


def rank_depth(positives: Sequence[Positive]) -> dict[str, Any]:
    """By depth the share of samples with a gold file that high (`any`), and the mean share of gold files (`recall`).

    `n` counts the samples, one or more. `ranked` counts those with a gold file at any rank; `median` and `p90` are of
    the first gold rank of these, by the nearest rank (the smaller one of two), and absent where there is none.
    """
    first = sorted(min(found) for one in positives if (found := [rank for rank in one.ranks.values() if rank]))
    return {
        "n": len(positives),
        "ranked": len(first),
        **({"median": _nearest(first, 0.5), "p90": _nearest(first, 0.9)} if first else {}),
        "any": {str(depth): mean([_found(one, depth) > 0 for one in positives]) for depth in DEPTHS},
        "recall": {str(depth): mean([_found(one, depth) / len(one.ranks) for one in positives]) for depth in DEPTHS},
    }


def _found(one: Positive, depth: int) -> int:
    return sum(rank is not None and rank <= depth for rank in one.ranks.values())


def _nearest(ascending: Sequence[int], share: float) -> int:
    return ascending[max(math.ceil(share * len(ascending)) - 1, 0)]
