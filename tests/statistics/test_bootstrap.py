from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pytest_retrieval_bench.statistics.bootstrap import bootstrap_means

DIFFERENCES = st.floats(-1, 1, allow_subnormal=False)


def restated(values: list[float]) -> tuple[float, float]:
    """The protocol in plain Python: resample n values 4,000 times, sort the means, take those at 100 and 3,899."""
    ordered = sorted(values)
    stream = np.random.RandomState(1)
    sums = [0.0] * 4000
    for _ in ordered:
        for resample, drawn in enumerate(stream.randint(0, len(ordered), 4000, np.int32).tolist()):
            sums[resample] += ordered[drawn]
    means = sorted(total / len(ordered) for total in sums)
    return means[100], means[3899]


@given(st.lists(st.lists(DIFFERENCES, min_size=1, max_size=8), max_size=4))
@settings(deadline=None, max_examples=15)
def test_each_interval_is_that_of_the_protocol(samples: list[list[float]]) -> None:
    assert bootstrap_means(samples) == [restated(sample) for sample in samples]


@given(st.lists(DIFFERENCES, min_size=1, max_size=20), st.randoms(), st.integers(0, 70))
@settings(deadline=None, max_examples=20)
def test_an_interval_depends_neither_on_the_order_nor_on_other_intervals(
    values: list[float], source: random.Random, others: int
) -> None:
    shuffled = source.sample(values, len(values))
    among = [[float(number)] * len(values) for number in range(others)]
    assert bootstrap_means([*among, shuffled])[-1] == bootstrap_means([values])[0]


def test_the_digits_are_the_same_on_every_machine_and_numpy() -> None:
    assert bootstrap_means([[0.0, 0.25, 1 / 3, -0.5, 1.0, 0.1, 0.7]]) == [(-0.06666666666666668, 0.5952380952380952)]


def test_equal_differences_leave_no_doubt() -> None:
    assert bootstrap_means([[0.25] * 40, [0.0]]) == [(0.25, 0.25), (0.0, 0.0)]


@pytest.mark.parametrize("n", [30, 345])
def test_intervals_are_those_of_scipy_but_for_the_draws(n: int) -> None:
    values = np.random.RandomState(7).choice([-1, -0.5, 0, 0, 0, 1 / 3, 1], n)
    ((low, high),) = bootstrap_means([values.tolist()])
    right = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=20_000, random_state=np.random.default_rng(3)
    )
    spread = right.confidence_interval.high - right.confidence_interval.low
    assert low == pytest.approx(right.confidence_interval.low, abs=spread / 20)
    assert high == pytest.approx(right.confidence_interval.high, abs=spread / 20)
