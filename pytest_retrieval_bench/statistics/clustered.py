"""What changes when samples of one repository resemble each other: repositories are resampled, not samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from pytest_retrieval_bench.statistics.bootstrap import RESAMPLES, SEED, Doubles, Interval, quantiles
from pytest_retrieval_bench.statistics.inversion import inverted

MIN_CLUSTERS = 6
_UPPER = 0.975


@dataclass(frozen=True, slots=True)
class Clusters:
    """The sizes and the sums of the clusters of one sample, ascending by size, then by sum."""

    sizes: tuple[int, ...]
    sums: tuple[float, ...]

    @property
    def effective(self) -> float:
        """How many clusters of one size would weigh as these do, from 1 to their number.

        Source: L. Kish, Survey Sampling (1965), section 11.7.
        """
        return sum(self.sizes) ** 2 / sum(size**2 for size in self.sizes)

    @property
    def standard_error(self) -> float:
        """Of the mean over all values, linearised, for two clusters or more.

        Source: W. G. Cochran, Sampling Techniques (1977), section 9A.
        """
        n, count = sum(self.sizes), len(self.sizes)
        mean = math.fsum(self.sums) / n
        residuals = (total - mean * size for size, total in zip(self.sizes, self.sums, strict=True))
        return math.sqrt(count / (count - 1) * math.fsum(residual**2 for residual in residuals)) / n


def clusters_of(groups: Sequence[Sequence[float]]) -> Clusters:
    """The clusters of a sample that is given as the values of each cluster; at least one."""
    sizes, sums = zip(*sorted((len(values), math.fsum(values)) for values in groups), strict=True)
    return Clusters(sizes, sums)


def clustered_means(samples: Sequence[Clusters]) -> list[Interval | None]:
    """For each sample: the 95% bootstrap interval of its mean with whole clusters drawn; None below six clusters.

    Below six, even the range of the clusters' own means misses the truth in over 5% of the cases (2 of 2^n). 4,000
    resamples, with as many clusters each as there are, large ones as likely as small ones. The ends are cut where
    Student's t with as many degrees as there are effective clusters, less one, stands on the normal scale: the plain
    2.5% ends are too narrow with few or uneven clusters (measured in docs/evidence.md).

    Sources: A. C. Davison, D. V. Hinkley, Bootstrap Methods and their Application (1997), section 3.8, for drawing
    clusters; T. C. Hesterberg, What teachers should know about the bootstrap, The American Statistician 69 (2015),
    section 5.3, for the wider ends.
    """
    intervals: list[Interval | None] = [None] * len(samples)
    of_sizes: dict[tuple[int, ...], list[int]] = {}
    for place, sample in enumerate(samples):
        if len(sample.sizes) >= MIN_CLUSTERS:
            of_sizes.setdefault(sample.sizes, []).append(place)
    for sizes, places in of_sizes.items():
        means = resampled_cluster_means(sizes, np.array([samples[place].sums for place in places], np.float64).T)
        share = end_share(samples[places[0]].effective)
        ends = (quantiles(means, np.full(len(places), end)).tolist() for end in (share, 1 - share))
        for place, low, high in zip(places, *ends, strict=True):
            intervals[place] = (low, high)
    return intervals


def clustered_probability(sample: Clusters, bound: float) -> float | None:
    """The two-sided p value of a mean against a bound: the level at which the clustered interval just reaches it.

    None below six clusters. Never below what one of 4,001 draws stands for.
    """
    if len(sample.sizes) < MIN_CLUSTERS:
        return None
    means = resampled_cluster_means(sample.sizes, np.array([sample.sums], np.float64).T)
    return inverted(means[:, 0], bound, lambda z: z, lambda z: float(stdtr(sample.effective - 1, z)))


def end_share(effective: float) -> float:
    """The share of draws that a 95% interval leaves out at either end, for so many clusters of one size."""
    return float(ndtr(-stdtrit(effective - 1, _UPPER)))


def resampled_cluster_means(sizes: Sequence[int], sums: Doubles) -> Doubles:
    """The means over 4,000 draws of clusters, ascending, a column for each column of sums; columns share the draws."""
    random = np.random.RandomState(SEED)
    totals, counts = np.zeros((RESAMPLES, sums.shape[1])), np.zeros((RESAMPLES, 1))
    column = np.array(sizes, np.float64)[:, np.newaxis]
    for _ in sizes:
        drawn = random.randint(0, len(sizes), RESAMPLES, np.int32)
        totals += sums[drawn]
        counts += column[drawn]
    means: Doubles = np.sort(totals / counts, axis=0)
    return means
