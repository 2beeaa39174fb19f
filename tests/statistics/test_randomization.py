"""The paired randomization test, against scipy."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pytest_retrieval_bench.statistics.mcnemar import mcnemar
from pytest_retrieval_bench.statistics.randomization import DRAWS, Probability, sign_flips

DIFFERENCES = st.sampled_from([-1, -2 / 3, -0.5, -1 / 3, 0, 0, 1 / 3, 0.5, 2 / 3, 1])


def of_scipy(values: list[float], resamples: int = 2**11) -> float:
    found = stats.permutation_test(
        (np.array(values),),
        lambda sample, axis: sample.mean(axis=axis),
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=True,
        random_state=np.random.default_rng(11),
    )
    return float(found.pvalue)


@given(st.lists(DIFFERENCES, min_size=2, max_size=11))
@settings(deadline=None, max_examples=60)
def test_small_samples_have_the_exact_value_of_scipy(values: list[float]) -> None:
    # Ties of thirds: scipy compares sums within rounding as well, but relative to the mean; whole numbers have none.
    whole = [round(6 * value) for value in values]
    (found,) = sign_flips([values])
    assert found.exact
    assert found.p == pytest.approx(of_scipy([float(value) for value in whole]), abs=1e-9)


@pytest.mark.parametrize(("n", "shift"), [(30, 0.0), (30, 0.2), (120, 0.1), (345, 0.02)])
def test_large_samples_have_the_value_of_scipy_within_the_error_of_the_draws(n: int, shift: float) -> None:
    values = (np.random.RandomState(n).choice([-1, -0.5, -1 / 3, 0, 0, 0, 1 / 3, 0.5, 1], n) + shift).tolist()
    (found,) = sign_flips([values])
    right = of_scipy(values, 20_000)
    error = math.sqrt(right * (1 - right) * (1 / DRAWS + 1 / 20_000))
    assert not found.exact
    assert abs(found.p - right) < 4 * error


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=13))
def test_of_hits_it_is_mcnemars_test(values: list[float]) -> None:
    counts = Counter(values)
    assert sign_flips([values])[0].p == pytest.approx(mcnemar(counts[1], counts[-1]), abs=1e-9)


def test_the_drawn_value_counts_the_observation_itself() -> None:
    assert sign_flips([[1.0] * 200]) == [Probability(1 / (DRAWS + 1), exact=False)]


def test_the_digits_are_the_same_on_every_machine_and_numpy() -> None:
    assert sign_flips([[0.25, 1 / 3, -0.5, 1, 0.1] * 4]) == [Probability(0.0413, exact=False)]


@given(st.lists(DIFFERENCES, min_size=1, max_size=40), st.randoms())
@settings(deadline=None, max_examples=20)
def test_order_company_and_sign_do_not_matter(values: list[float], source: random.Random) -> None:
    shuffled = source.sample(values, len(values))
    found = sign_flips([[1.0] * len(values), shuffled, [0.0, *values]])
    assert found[1] == sign_flips([values])[0]
    assert sign_flips([[-value for value in values]])[0].p == pytest.approx(found[1].p, abs=0.03)


def test_without_a_difference_there_is_nothing_to_see() -> None:
    assert sign_flips([[0.0] * 50, []]) == [Probability(1, exact=True)] * 2
