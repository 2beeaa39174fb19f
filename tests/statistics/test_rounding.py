"""PROTOCOL 6: six decimals, half away from zero, no negative zero."""

from __future__ import annotations

import math
import random
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_retrieval_bench.statistics.rounding import mean, rounded

NUMBERS = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    ("value", "right"),
    [
        # Multiples of 1/128 are halves that a double holds exactly.
        (1 / 128, 0.007813),
        (-1 / 128, -0.007813),
        (3 / 128, 0.023438),
        (5 / 128, 0.039063),
        (-5 / 128, -0.039063),
        (1000 + 1 / 128, 1000.007813),
        (2 / 3, 0.666667),
        (-1 / 3, -0.333333),
        (0.0000004, 0),
        (0.0000006, 0.000001),
        (0.9999996, 1),
        (12.5, 12.5),
        (7, 7),
        (0, 0),
    ],
)
def test_a_half_goes_away_from_zero(value: float, right: float) -> None:
    assert rounded(value) == right


@pytest.mark.parametrize("value", [-0.0, -1e-9, -0.00000049, 0.0])
def test_negative_zero_becomes_zero(value: float) -> None:
    assert rounded(value) == 0
    assert math.copysign(1, rounded(value)) == 1


@given(NUMBERS)
def test_a_value_moves_to_the_nearest_six_decimals(value: float) -> None:
    assume(abs(abs(value) * 10**6 % 1 - 0.5) > 1e-3)  # whether that is a half hangs on the last bit
    assert rounded(value) == float(Decimal(value).quantize(Decimal("0.000001"), ROUND_HALF_UP))


@given(st.integers(-(10**9), 10**9))
def test_each_exact_half_goes_away_from_zero(number: int) -> None:
    half = Fraction(2 * number + 1, 128)
    right = Decimal(half.numerator) / Decimal(128)
    assert rounded(float(half)) == float(right.quantize(Decimal("0.000001"), ROUND_HALF_UP))


@given(NUMBERS)
def test_rounding_twice_changes_nothing_and_the_sign_does_not_matter(value: float) -> None:
    assert rounded(rounded(value)) == rounded(value)
    assert rounded(-value) == -rounded(value)


@pytest.mark.parametrize(
    ("values", "right"),
    [([1.0], 1), ([0.0, 1.0], 0.5), ([1.0, 1.0, 0.0], 0.666667), ([1 / 64, 0.0], 0.007813), ([-0.0], 0)],
)
def test_a_mean_is_rounded_the_same_way(values: list[float], right: float) -> None:
    assert mean(values) == right


@given(st.lists(NUMBERS, min_size=1, max_size=30), st.randoms())
def test_a_mean_does_not_depend_on_the_order_of_its_values(values: list[float], chance: random.Random) -> None:
    shuffled = list(values)
    chance.shuffle(shuffled)
    assert mean(shuffled) == mean(values)


def test_a_mean_loses_nothing_to_cancellation() -> None:
    assert mean([1e16, 1.0, -1e16, 1.0]) == 0.5
