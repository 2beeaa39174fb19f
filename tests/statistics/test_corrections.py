"""Corrected p values, against their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.statistics.corrections import benjamini_hochberg, holm

FAMILIES = st.lists(st.sampled_from([0.0001, 0.004, 0.01, 0.01, 0.02, 0.04, 0.05, 0.3, 1]), min_size=1, max_size=30)


@given(FAMILIES)
def test_holm_is_the_largest_bonferroni_step_down_to_a_value(family: list[float]) -> None:
    ordered = sorted(family)
    right = [
        max(min(1, (len(ordered) - rank) * other) for rank, other in enumerate(ordered) if other <= value)
        for value in family
    ]
    assert holm(family) == pytest.approx(right, abs=1e-9)


@given(FAMILIES)
def test_benjamini_hochberg_is_the_smallest_step_up_to_a_value(family: list[float]) -> None:
    ordered = sorted(family)
    right = [
        min(len(ordered) * other / rank for rank, other in enumerate(ordered, 1) if other >= value) for value in family
    ]
    assert benjamini_hochberg(family) == pytest.approx([min(1, value) for value in right], abs=1e-9)


@given(FAMILIES)
def test_corrections_never_help_and_holm_is_the_stricter_one(family: list[float]) -> None:
    for p, by_bh, by_holm in zip(family, benjamini_hochberg(family), holm(family), strict=True):
        assert p <= by_bh + 1e-12
        assert by_bh <= by_holm + 1e-12


def test_worked_out_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
