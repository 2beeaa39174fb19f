"""The BCa interval, against scipy with the same resamples."""

from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pytest_retrieval_bench.statistics.bca import bca_means, bca_probability
from pytest_retrieval_bench.statistics.bootstrap import bootstrap_means, resampled_means

# Sums of quarters are exact, so that scipy's comparisons of means with ties are as well.
QUARTERS = st.integers(-4, 4).map(lambda quarters: quarters / 4)


def of_scipy(values: list[float]) -> tuple[float, float]:
    """scipy's ends for our resamples: it draws none of its own."""
    drawn = SimpleNamespace(bootstrap_distribution=resampled_means(np.sort(np.array([values]).T, axis=0))[:, 0])
    found = stats.bootstrap((values,), np.mean, method="BCa", n_resamples=0, bootstrap_result=drawn)  # type: ignore[call-overload]
    return found.confidence_interval.low, found.confidence_interval.high


@given(st.lists(QUARTERS, min_size=2, max_size=40).filter(lambda values: len(set(values)) > 1))
@settings(deadline=None, max_examples=40)
def test_the_ends_are_those_of_scipy_for_the_same_resamples(values: list[float]) -> None:
    assert bca_means([values])[0] == pytest.approx(of_scipy(values), abs=1e-9)


@pytest.mark.parametrize("n", [58, 345])
def test_the_ends_are_those_of_scipy_for_values_without_ties(n: int) -> None:
    values = np.random.RandomState(n).beta(0.5, 2, n).tolist()
    assert bca_means([values])[0] == pytest.approx(of_scipy(values), abs=1e-9)


@pytest.mark.parametrize("n", [30, 345])
def test_other_draws_move_the_ends_by_chance_alone(n: int) -> None:
    values = np.random.RandomState(7).choice([-1, -0.5, 0, 0, 0, 1 / 3, 1], n)
    ((low, high),) = bca_means([values.tolist()])
    right = stats.bootstrap((values,), np.mean, method="BCa", n_resamples=20_000, random_state=np.random.default_rng(3))
    spread = right.confidence_interval.high - right.confidence_interval.low
    assert (low, high) == pytest.approx(tuple(right.confidence_interval), abs=spread / 20)


def test_thirds_that_do_not_add_up_exactly_tie_as_they_should() -> None:
    thirds = [0, 1 / 3, 2 / 3, 1, -1 / 3, -2 / 3] * 5
    whole = [round(3 * value) for value in thirds]
    assert bca_means([thirds])[0] == pytest.approx([end / 3 for end in bca_means([whole])[0]], abs=1e-12)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=20), st.randoms())
@settings(deadline=None, max_examples=20)
def test_neither_order_nor_company_matters(values: list[float], source: random.Random) -> None:
    shuffled = source.sample(values, len(values))
    assert bca_means([[0.5] * len(values), shuffled])[1] == bca_means([values])[0]


def test_equal_differences_leave_no_doubt() -> None:
    assert bca_means([[0.25] * 40, [-1.0]]) == [(0.25, 0.25), (-1.0, -1.0)]


def test_skewed_differences_move_both_ends_towards_the_long_tail() -> None:
    values = np.random.RandomState(5).beta(0.3, 3, 60).tolist()
    ((low, high),), ((plain_low, plain_high),) = bca_means([values]), bootstrap_means([values])
    assert plain_low < low
    assert plain_high < high


def test_differences_too_small_for_a_third_power_have_an_interval() -> None:
    ((low, high),) = bca_means([[0.0, 1e-120, 2e-120, 5e-120]])
    assert 0 <= low <= high <= 5e-120


@given(st.lists(QUARTERS, min_size=6, max_size=60), QUARTERS)
@settings(deadline=None, max_examples=60)
def test_a_p_value_below_5_percent_says_that_the_bound_is_outside_of_the_interval(
    values: list[float], bound: float
) -> None:
    p, (low, high) = bca_probability(values, bound), bca_means([values])[0]
    assert 0 < p <= 1
    assert p > 0.045 or not low <= bound <= high
    assert p < 0.055 or low <= bound <= high


def test_a_bound_that_lies_further_off_has_a_smaller_p_value() -> None:
    values = [1.0] * 12 + [0.0] * 40 + [-1.0] * 3
    found = [bca_probability(values, bound) for bound in (0.15, 0.05, 0.0, -0.1, -0.3, -5)]
    assert found == sorted(found, reverse=True)
    assert found[-2] == found[-1] > 0
