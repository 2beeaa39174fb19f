"""The minimum detectable difference, against the power of the t test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from pytest_retrieval_bench.statistics.clustered import clusters_of
from pytest_retrieval_bench.statistics.power import detectable_by_cluster, detectable_by_sample


def power(difference: float, standard_error: float, degrees: float) -> float:
    """Of a two-sided 5% t test, by the noncentral t distribution."""
    bound, shift = stats.t.ppf(0.975, degrees), difference / standard_error
    return float(stats.nct.sf(bound, degrees, shift) + stats.nct.cdf(-bound, degrees, shift))


@pytest.mark.parametrize("n", [20, 58, 120, 345])
def test_a_true_difference_of_this_size_is_seen_in_80_percent_of_runs(n: int) -> None:
    values = np.random.RandomState(n).choice([-1, -0.5, 0, 0, 1 / 3, 1], n).tolist()
    found = detectable_by_sample(values)
    assert found == pytest.approx((stats.t.ppf(0.975, n - 1) + stats.t.ppf(0.8, n - 1)) * stats.sem(values), abs=1e-9)
    assert power(found, float(stats.sem(values)), n - 1) == pytest.approx(0.8, abs=0.005)


def test_four_times_the_samples_see_half_the_difference() -> None:
    ratio = detectable_by_sample([0.0, 1.0, -1.0, 0.5] * 25) / detectable_by_sample([0.0, 1.0, -1.0, 0.5] * 100)
    assert ratio == pytest.approx(2, abs=0.05)


def test_clusters_of_one_sample_each_see_what_samples_see() -> None:
    values = [0.0, 1.0, -0.5, 0.25] * 20
    found = detectable_by_cluster(clusters_of([[value] for value in values]))
    assert found == pytest.approx(detectable_by_sample(values), abs=1e-9)


def test_clusters_that_repeat_their_samples_see_less() -> None:
    values = [0.0, 1.0, -0.5, 0.25] * 3
    found = detectable_by_cluster(clusters_of([[value] * 10 for value in values]))
    assert found is not None
    assert found > 3 * detectable_by_sample(values * 10)


def test_few_clusters_say_nothing_and_a_giant_sees_nothing() -> None:
    assert detectable_by_cluster(clusters_of([[0.0, 1.0]] * 5)) is None
    giant = detectable_by_cluster(clusters_of([[0.0] * 10_000, *([[1.0]] * 5)]))
    assert giant is not None
    assert giant > 1
    assert not math.isnan(giant)
