"""The noise of a mean between runs, against simulation and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from pytest_retrieval_bench.statistics.noise import MIN_RUNS, Noise, noise_of, smallest_between


def test_the_sd_is_that_of_a_sample_and_rounding_is_no_noise() -> None:
    means = [0.81, 0.84, 0.79, 0.8]
    assert noise_of(means).sd == pytest.approx(float(np.std(means, ddof=1)))
    assert noise_of(means).runs == 4
    assert noise_of([0.1 + 0.2, 0.3, 0.3]) == Noise(0, 3)


@pytest.mark.parametrize("runs", [MIN_RUNS, 5, 10, 40])
def test_its_interval_is_by_chi_square(runs: int) -> None:
    low, high = Noise(0.02, runs).interval
    bounds = [float(stats.chi2.ppf(share, runs - 1)) for share in (0.975, 0.025)]
    assert [low, high] == pytest.approx([0.02 * math.sqrt((runs - 1) / bound) for bound in bounds])


@pytest.mark.parametrize("runs", [MIN_RUNS, 5, 10])
def test_one_pair_of_runs_in_twenty_differs_by_more_than_the_smallest_difference(runs: int) -> None:
    random = np.random.RandomState(runs)
    floors = random.normal(0.7, 0.03, (20_000, runs))
    pairs = random.normal(0.7, 0.03, (20_000, 2))
    smallest = np.array([noise_of(means).smallest for means in floors.tolist()])
    assert float((np.abs(pairs[:, 0] - pairs[:, 1]) > smallest).mean()) == pytest.approx(0.05, abs=0.006)


@pytest.mark.parametrize("runs", [MIN_RUNS, 5, 10])
def test_a_detectable_difference_is_seen_with_a_power_of_80_percent(runs: int) -> None:
    noise = Noise(0.02, runs)
    assert noise.power(noise.detectable) == pytest.approx(0.8, abs=0.006)
    assert noise.power(0) == pytest.approx(0.05)
    assert noise.power(1) == pytest.approx(1, abs=0.001)


def test_as_many_samples_as_are_needed_make_a_difference_detectable() -> None:
    noise = Noise(0.02, 5)
    needed = noise.samples_needed(100, 0.03)
    shrunk = Noise(0.02 * math.sqrt(100 / needed), 5)
    assert shrunk.detectable <= 0.03
    assert Noise(0.02 * math.sqrt(100 / (needed - 1)), 5).detectable > 0.03


def test_two_arms_that_are_as_noisy_need_what_welch_says() -> None:
    noise = Noise(0.02, 6)
    bound = float(stats.t.ppf(0.975, 10)) * math.sqrt(2) * 0.02
    assert smallest_between(noise, noise) == pytest.approx(bound)


def test_beside_an_arm_without_noise_that_of_the_other_counts() -> None:
    noise = Noise(0.02, 6)
    assert smallest_between(noise, Noise(0, 3)) == pytest.approx(float(stats.t.ppf(0.975, 5)) * 0.02)
    assert smallest_between(Noise(0, 3), Noise(0, 3)) == 0
