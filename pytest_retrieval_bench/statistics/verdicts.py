"""What an interval of a mean difference says, in a word."""

from __future__ import annotations

from typing import Literal

from pytest_retrieval_bench.statistics.bootstrap import Interval

Verdict = Literal["better", "worse", "equivalent", "not worse than the margin", "indistinguishable", "underpowered"]

# Five signs that agree have a two-sided p value of 2 / 2^5 = 0.0625: no exact test reaches 5% below six.
MIN_DIFFERING = 6


def verdict(interval: Interval, margin: float, differing: int) -> Verdict:
    """The first of these that the interval allows; `differing` is the number of samples with a difference.

    - better, worse: it lies on one side of 0, and six samples or more differ (where fewer do and all agree, the
      interval leaves 0 out before an exact test would);
    - equivalent: it lies within the margin on both sides;
    - not worse than the margin: it lies above minus the margin;
    - underpowered: it is twice the margin wide or wider, so that the margin could not be ruled out wherever it lay;
    - indistinguishable: it is narrow enough, and holds both 0 and a loss of the margin.
    """
    low, high = interval
    if differing >= MIN_DIFFERING and low > 0:
        return "better"
    if differing >= MIN_DIFFERING and high < 0:
        return "worse"
    if equivalent(interval, margin):
        return "equivalent"
    if not_inferior(interval, margin):
        return "not worse than the margin"
    return "underpowered" if high - low >= 2 * margin else "indistinguishable"


def not_inferior(interval: Interval, margin: float) -> bool:
    """Whether a loss of the margin or more is ruled out: the lower end decides."""
    return interval[0] > -margin


def equivalent(interval: Interval, margin: float) -> bool:
    """Whether a difference of the margin or more is ruled out in either direction: both ends decide."""
    return -margin < interval[0] and interval[1] < margin
