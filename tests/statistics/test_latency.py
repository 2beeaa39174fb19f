"""PROTOCOL 6: distributions of wall times."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.statistics.latency import latency, percentile
from pytest_retrieval_bench.statistics.rounding import rounded

TIMES = st.lists(st.floats(0, 120_000), min_size=30, max_size=120)


@pytest.mark.parametrize("n", [0, 1, 29])
def test_below_30_times_nothing_is_said(n: int) -> None:
    assert latency([1.0] * n) == {"n": n, "state": "NOT_RUN"}


def test_30_times_are_a_distribution() -> None:
    # Ranks: p50 is the 15th, p95 the 29th (28.5 up). Distances from 15: 0, 1 1, ... 14 14, 15; the 15th is 7.
    times = [float(number) for number in range(1, 31)]
    random.Random(0).shuffle(times)
    assert latency(times) == {"n": 30, "min_ms": 1, "p50_ms": 15, "p95_ms": 29, "max_ms": 30, "mad_ms": 7}


def test_one_slow_answer_moves_the_maximum_alone() -> None:
    assert latency([2.0] * 39 + [5_000.0]) == {
        "n": 40,
        "min_ms": 2,
        "p50_ms": 2,
        "p95_ms": 2,
        "max_ms": 5000,
        "mad_ms": 0,
    }


def test_times_are_rounded_to_six_decimals_half_away_from_zero() -> None:
    found = latency([1 / 128] * 30)
    assert [found[name] for name in ("min_ms", "p50_ms", "p95_ms", "max_ms", "mad_ms")] == [0.007813] * 4 + [0]


@pytest.mark.parametrize(
    ("n", "percent", "rank"), [(1, 50, 1), (2, 50, 1), (3, 50, 2), (20, 95, 19), (21, 95, 20), (100, 95, 95), (1, 1, 1)]
)
def test_the_nearest_rank_is_rounded_up(n: int, percent: int, rank: int) -> None:
    assert percentile([float(number) for number in range(n, 0, -1)], percent) == rank


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=200), st.integers(1, 100))
@settings(deadline=None)
def test_a_percentile_is_the_smallest_value_that_enough_values_do_not_exceed(values: list[float], percent: int) -> None:
    right = min(value for value in values if sum(other <= value for other in values) * 100 >= percent * len(values))
    assert percentile(values, percent) == right


@given(TIMES)
@settings(deadline=None)
def test_the_distribution_is_that_of_numpys_inverted_cdf(times: list[float]) -> None:
    median = np.quantile(times, 0.5, method="inverted_cdf")
    assert latency(times) == {
        "n": len(times),
        "min_ms": rounded(min(times)),
        "p50_ms": rounded(float(median)),
        "p95_ms": rounded(float(np.quantile(times, 0.95, method="inverted_cdf"))),
        "max_ms": rounded(max(times)),
        "mad_ms": rounded(float(np.quantile(np.abs(np.array(times) - median), 0.5, method="inverted_cdf"))),
    }


@given(TIMES, st.randoms())
@settings(deadline=None)
def test_the_order_of_the_times_does_not_matter(times: list[float], chance: random.Random) -> None:
    before = latency(times)
    chance.shuffle(times)
    assert latency(times) == before
    assert all(math.isfinite(value) for value in before.values() if not isinstance(value, str))
