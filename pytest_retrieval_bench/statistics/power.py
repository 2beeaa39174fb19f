"""What a benchmark of this size can see at all."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scipy.special import stdtrit

from pytest_retrieval_bench.statistics.clustered import MIN_CLUSTERS, Clusters

_LEVEL, _POWER = 0.975, 0.8


def detectable_by_sample(differences: Sequence[float]) -> float:
    """The true mean difference that a two-sided 5% test of these independent samples, two or more, sees in 80% of runs.

    Source: H. S. Bloom, Minimum detectable effects, Evaluation Review 19 (1995).
    """
    n = len(differences)
    mean = math.fsum(differences) / n
    variance = math.fsum((difference - mean) ** 2 for difference in differences) / (n - 1)
    return _multiplier(n - 1) * math.sqrt(variance / n)


def detectable_by_cluster(clusters: Clusters) -> float | None:
    """The same for samples in clusters, with the degrees of freedom of the clustered interval; None below six."""
    if len(clusters.sizes) < MIN_CLUSTERS:
        return None
    return _multiplier(clusters.effective - 1) * clusters.standard_error


def _multiplier(degrees: float) -> float:
    return float(stdtrit(degrees, _LEVEL) + stdtrit(degrees, _POWER))
