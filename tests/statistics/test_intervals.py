"""PROTOCOL 6: Wilson's interval."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_retrieval_bench.statistics.intervals import Z_95, wilson

COUNTS = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_the_quantile_is_the_frozen_one() -> None:
    assert Z_95 == 1.959964


def test_nothing_to_count_has_only_its_number() -> None:
    assert wilson(0, 0) == {"n": 0}


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # With z² = 3.841459: low and high of 0 of n are 0 and z²/(n + z²), and mirrored for n of n.
        (0, 1, 0, 0.793451),
        (1, 1, 0.206549, 1),
        (0, 10, 0, 0.277533),
        (10, 10, 0.722467, 1),
        # 1/2 is its own centre: half the width is z / (2 * sqrt(n + z²)).
        (5, 10, 0.236593, 0.763407),
        (50, 100, 0.403832, 0.596168),
    ],
)
def test_intervals_worked_out_by_hand(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == {"n": n, "rate": successes / n, "low": low, "high": high}


@given(COUNTS)
@settings(deadline=None)
def test_the_interval_is_that_of_scipy(counts: tuple[int, int]) -> None:
    successes, n = counts
    interval = binomtest(successes, n).proportion_ci(confidence_level=0.95, method="wilson")
    found = wilson(successes, n)
    assert found["low"] == pytest.approx(interval.low, abs=1e-6)
    assert found["high"] == pytest.approx(interval.high, abs=1e-6)
    assert found["rate"] == pytest.approx(successes / n, abs=5.1e-7)


@given(COUNTS)
def test_the_interval_holds_its_rate_within_0_and_1(counts: tuple[int, int]) -> None:
    successes, n = counts
    found = wilson(successes, n)
    assert 0 <= found["low"] <= found["rate"] <= found["high"] <= 1
    assert found["n"] == n
    assert math.copysign(1, found["low"]) == 1


@given(COUNTS)
def test_failures_have_the_mirrored_interval(counts: tuple[int, int]) -> None:
    successes, n = counts
    found, mirrored = wilson(successes, n), wilson(n - successes, n)
    assert found["low"] == pytest.approx(1 - mirrored["high"], abs=1.1e-6)
    assert found["high"] == pytest.approx(1 - mirrored["low"], abs=1.1e-6)
