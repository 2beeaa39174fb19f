"""The calibration study (tests/studies/calibration.py) simulates what it says, and runs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.studies.calibration import BENCHMARKS, SIZES, measure, simulate, sizes


def test_the_shape_is_that_of_the_benchmark_it_stands_for() -> None:
    assert (len(SIZES), sum(SIZES), sum(SIZES[:4]), SIZES[0]) == (25, 345, 203, 88)
    assert [sum(sizes(n)) for n in BENCHMARKS] == list(BENCHMARKS)
    assert sizes(345) == list(SIZES)
    assert all(sum(sizes(n)[:4]) / n == pytest.approx(0.59, abs=0.01) for n in BENCHMARKS)


@pytest.mark.parametrize("difference", [0, -0.05])
def test_the_true_mean_is_the_one_that_the_study_takes_for_true(difference: float) -> None:
    random = np.random.default_rng(2)
    runs = [simulate(random, 345, 0.15, difference) for _ in range(2000)]
    for values in ([np.mean(run.recall) for run in runs], [np.mean(run.hit) for run in runs]):
        assert float(np.mean(values)) == pytest.approx(difference, abs=4 * float(np.std(values)) / len(runs) ** 0.5)


def test_a_few_replications_give_every_column() -> None:
    found = measure(58, 0.1, 20)
    shares = [*found.coverage.values(), *found.alarms.values()]
    assert all(0 <= share <= 1 for share in shares)
    assert {name: len(cases) for name, cases in found.families.items()} == dict.fromkeys(found.families, 2)
