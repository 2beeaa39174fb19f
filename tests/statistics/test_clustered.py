"""Intervals and standard errors of means whose values come in clusters."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pytest_retrieval_bench.statistics.bootstrap import bootstrap_means
from pytest_retrieval_bench.statistics.clustered import (
    MIN_CLUSTERS,
    clustered_means,
    clustered_probability,
    clusters_of,
)

GROUPS = st.lists(st.lists(st.sampled_from([-1, -0.5, 0, 0, 1 / 3, 1]), min_size=1, max_size=6), min_size=6, max_size=9)
SKEWED = (40, 22, 9, 5, 3, 2, 1, 1)


def restated(groups: list[list[float]]) -> tuple[float, float]:
    """In plain Python: draw as many clusters as there are, 4,000 times; cut where t stands on the normal scale."""
    clusters = sorted((len(values), math.fsum(values)) for values in groups)
    stream = np.random.RandomState(1)
    draws = [stream.randint(0, len(clusters), 4000, np.int32).tolist() for _ in clusters]
    means = [
        math.fsum(clusters[place][1] for place in drawn) / sum(clusters[place][0] for place in drawn)
        for drawn in zip(*draws, strict=True)
    ]
    effective = sum(size for size, _ in clusters) ** 2 / sum(size**2 for size, _ in clusters)
    share = stats.norm.cdf(stats.t.ppf(0.025, effective - 1))
    low, high = np.quantile(means, [share, 1 - share]).tolist()
    return low, high


@given(GROUPS)
@settings(deadline=None, max_examples=15)
def test_the_interval_is_the_restated_one(groups: list[list[float]]) -> None:
    assert clustered_means([clusters_of(groups)])[0] == pytest.approx(restated(groups), abs=1e-9)


@given(GROUPS, st.randoms())
@settings(deadline=None, max_examples=15)
def test_neither_order_nor_company_matters(groups: list[list[float]], source: random.Random) -> None:
    shuffled = [source.sample(values, len(values)) for values in source.sample(groups, len(groups))]
    other = [[0.5] * len(values) for values in groups]
    found = clustered_means([clusters_of(other), clusters_of(shuffled)])
    assert found[1] == clustered_means([clusters_of(groups)])[0]


def test_repositories_that_differ_widen_the_interval_beyond_that_of_samples() -> None:
    groups = [[(-1.0) ** place] * size for place, size in enumerate(SKEWED)]
    ((low, high),) = bootstrap_means([[value for values in groups for value in values]])
    clustered = clustered_means([clusters_of(groups)])[0]
    assert clustered is not None
    assert clustered[1] - clustered[0] > 2 * (high - low)


@pytest.mark.parametrize("count", [1, 2, MIN_CLUSTERS - 1])
def test_few_clusters_give_no_interval(count: int) -> None:
    assert clustered_means([clusters_of([[0.0, 1.0]] * count)]) == [None]


def test_equal_differences_leave_no_doubt() -> None:
    assert clustered_means([clusters_of([[0.25] * size for size in SKEWED])])[0] == pytest.approx((0.25, 0.25))


def test_one_giant_among_dwarfs_does_not_break_it() -> None:
    ends = clustered_means([clusters_of([[0.0] * 10_000, *([[1.0]] * 5)])])[0]
    assert ends is not None
    assert 0 <= ends[0] < ends[1] <= 1


def test_clusters_of_one_size_count_in_full_and_a_giant_counts_as_one() -> None:
    assert clusters_of([[0.0] * 4] * 7).effective == pytest.approx(7)
    assert clusters_of([[0.0] * 1000, [0.0], [0.0]]).effective == pytest.approx(1, abs=0.01)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30))
def test_clusters_of_one_sample_have_the_standard_error_of_the_mean(values: list[float]) -> None:
    found = clusters_of([[value] for value in values]).standard_error
    assert found == pytest.approx(float(stats.sem(values)), abs=1e-9)


@given(GROUPS, st.sampled_from([-0.5, -0.1, 0.0, 0.1, 0.5]))
@settings(deadline=None, max_examples=40)
def test_a_p_value_below_5_percent_says_that_the_bound_is_outside_of_the_interval(
    groups: list[list[float]], bound: float
) -> None:
    clusters = clusters_of(groups)
    p, interval = clustered_probability(clusters, bound), clustered_means([clusters])[0]
    assert p is not None
    assert interval is not None
    assert 0 < p <= 1
    assert p > 0.05 or not interval[0] <= bound <= interval[1]


def test_with_many_clusters_a_bound_outside_of_the_interval_has_a_p_value_below_5_percent() -> None:
    clusters = clusters_of([[float(number % 3) - 0.4] * 2 for number in range(30)])
    low, high = clustered_means([clusters])[0] or (0, 0)
    for bound in (low - 0.02, high + 0.02):
        found = clustered_probability(clusters, bound)
        assert found is not None
        assert found < 0.05


def test_few_clusters_have_no_p_value() -> None:
    assert clustered_probability(clusters_of([[1.0]] * (MIN_CLUSTERS - 1)), 0) is None
