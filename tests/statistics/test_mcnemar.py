"""McNemar's test, against its sum of binomial terms."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.statistics.mcnemar import mcnemar


@given(st.integers(0, 180), st.integers(0, 180))
def test_it_is_twice_the_smaller_tail_of_a_fair_coin(first: int, second: int) -> None:
    n = first + second
    tail = sum(comb(n, k) for k in range(min(first, second) + 1))
    assert mcnemar(first, second) == pytest.approx(min(1, 2 * tail / 2**n), abs=1e-9)


def test_without_a_differing_pair_there_is_nothing_to_see() -> None:
    assert mcnemar(0, 0) == 1


def test_five_wins_are_not_enough_and_six_are() -> None:
    assert mcnemar(5, 0) > 0.05 > mcnemar(6, 0)
