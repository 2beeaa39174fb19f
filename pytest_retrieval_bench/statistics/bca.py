"""The bias-corrected and accelerated bootstrap interval of a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from pytest_retrieval_bench.statistics.bootstrap import Doubles, Interval, of_one_length, quantiles, resampled_means
from pytest_retrieval_bench.statistics.inversion import inverted

_LEVELS = (0.025, 0.975)
_SAME = 1e-12  # of the largest value: means that differ by less differ by rounding alone


def bca_means(samples: Sequence[Sequence[float]]) -> list[Interval]:
    """For each sample, of one value or more: the BCa 95% interval of its mean.

    It moves the ends of the percentile interval where the resampled means lie to one side of the mean or are skewed.
    The resamples are those of `bootstrap_means`; `scipy.stats.bootstrap` gives the same ends from them, but its own
    draws hang on its version.

    Source: B. Efron, Better bootstrap confidence intervals, JASA 82 (1987).
    """
    intervals: list[Interval] = [(0, 0)] * len(samples)
    for places, columns in of_one_length(samples):
        low, high = _ends(columns)
        for column, place in enumerate(places):
            intervals[place] = (float(low[column]), float(high[column]))
    return intervals


def bca_probability(sample: Sequence[float], bound: float) -> float:
    """The two-sided p value of a mean against a bound: the level at which the BCa interval just reaches the bound.

    Never below 2 / 4,001. One of at most 5% says what the 95% interval of `bca_means` says, that the bound is not in
    it.
    """
    ((_, columns),) = of_one_length([sample])
    means = resampled_means(columns)
    bias, acceleration = _bias(columns, means)[0], _acceleration(columns[:, 0].tolist())
    return inverted(means[:, 0], bound, lambda z: (z - bias) / (1 + acceleration * (z - bias)) - bias, ndtr)


def _ends(columns: Doubles) -> tuple[Doubles, Doubles]:
    means = resampled_means(columns)
    bias = _bias(columns, means)
    acceleration = np.array([_acceleration(column) for column in columns.T.tolist()])
    low, high = (_shares(bias, acceleration, float(ndtri(level))) for level in _LEVELS)
    return quantiles(means, low), quantiles(means, high)


def _bias(columns: Doubles, means: Doubles) -> Doubles:
    """How far the resampled means lie to one side of the mean, on the normal scale, by column."""
    mean = np.array([math.fsum(column) / len(column) for column in columns.T.tolist()])
    tolerance = _SAME * np.abs(columns).max(axis=0)
    below = (means < mean - tolerance).mean(axis=0)
    at_most = (means <= mean + tolerance).mean(axis=0)
    bias: Doubles = ndtri((below + at_most) / 2)
    return bias


def _acceleration(values: Sequence[float]) -> float:
    """A sixth of the skewness of the mean, by the jackknife; never above 1/6 in size, so that no share runs away."""
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    spread = 6 * squares**1.5  # of tiny differences the power may be 0 where the sum is not
    return math.fsum((value - mean) ** 3 for value in values) / spread if spread else 0


def _shares(bias: Doubles, acceleration: Doubles, z: float) -> Doubles:
    """At which share of the resampled means an end lies."""
    moved = bias + z
    shares: Doubles = ndtr(bias + moved / (1 - acceleration * moved))
    return shares
