"""Verdicts are read from intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.statistics.verdicts import equivalent, not_inferior, verdict

ENDS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(lambda ends: (min(ends), max(ends)))


@pytest.mark.parametrize(
    ("low", "high", "right"),
    [
        (0.001, 0.2, "better"),
        (-0.2, -0.001, "worse"),
        (-0.03, 0.04, "equivalent"),
        (0, 0, "equivalent"),
        (-0.04, 0.09, "not worse than the margin"),
        (-0.07, 0.02, "indistinguishable"),
        (-0.05, 0.04, "indistinguishable"),
        (-0.06, 0.05, "underpowered"),
        (-0.5, 0.5, "underpowered"),
    ],
)
def test_the_words_for_an_interval_at_a_margin_of_five_points(low: float, high: float, right: str) -> None:
    assert verdict((low, high), 0.05, 100) == right


def test_an_end_at_0_is_no_difference() -> None:
    assert verdict((0, 0.2), 0.05, 100) == "not worse than the margin"


@pytest.mark.parametrize(("differing", "right"), [(5, "not worse than the margin"), (6, "better")])
def test_five_samples_that_differ_are_too_few_for_better(differing: int, right: str) -> None:
    assert verdict((0.01, 0.2), 0.05, differing) == right


@given(ENDS, st.floats(0.01, 0.5), st.integers(0, 100))
def test_words_agree_with_the_ends(ends: tuple[float, float], margin: float, differing: int) -> None:
    low, high = ends
    found = verdict(ends, margin, differing)
    assert not_inferior(ends, margin) is (low > -margin)
    assert equivalent(ends, margin) is (low > -margin and high < margin)
    if found == "better":
        assert low > 0
    if found in ("equivalent", "not worse than the margin"):
        assert low > -margin
    if found in ("indistinguishable", "underpowered"):
        assert low <= -margin
        assert high >= 0 or differing < 6
