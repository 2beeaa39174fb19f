"""From an interval that is cut out of resampled means to the p value that it stands for."""

from __future__ import annotations

from collections.abc import Callable

from scipy.special import ndtri

from pytest_retrieval_bench.statistics.bootstrap import Doubles


def inverted(
    ascending: Doubles, bound: float, moved: Callable[[float], float], distribution: Callable[[float], float]
) -> float:
    """The two-sided p value at which an interval from resampled means just reaches a bound.

    On the side where fewer of the means lie beyond the bound, these and one more are counted; their share, on the
    normal scale, is `moved` as the ends of the interval are moved back, and `distribution` says how likely it is.
    """
    beyond = min(int((ascending <= bound).sum()), int((ascending >= bound).sum()))
    below = int((ascending <= bound).sum()) == beyond
    share = min(0.5, (beyond + 1) / (len(ascending) + 1))
    p = float(distribution(moved(float(ndtri(share if below else 1 - share)))))
    return min(1.0, 2 * (p if below else 1 - p))
