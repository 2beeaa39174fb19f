"""Figures: each has its n, and intervals where there are enough values."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pytest_retrieval_bench.agents.figures import (
    Column,
    Figure,
    Value,
    correlation,
    described,
    filled,
    means,
    middle,
    shares,
)
from pytest_retrieval_bench.statistics.bootstrap import bootstrap_means
from pytest_retrieval_bench.statistics.intervals import wilson


def mean_of(values: Sequence[Value]) -> Figure:
    found: Figure = filled(Column(values))
    return found


def share_of(values: Sequence[Value]) -> Figure:
    found: Figure = filled(Column(values, is_share=True))
    return found


def test_nothing_has_n_0_and_no_value() -> None:
    assert mean_of([]) == share_of([]) == middle([]) == correlation([]) == filled(described([])) == {"n": 0}


def test_a_mean_has_an_interval_from_six_values_on() -> None:
    values = [("acme/shop", float(value)) for value in range(6)]
    assert mean_of(values[:5]) == {"n": 5, "mean": 2}
    found = mean_of(values)
    low, high = bootstrap_means([[value for _, value in values]])[0]
    assert found == {"n": 6, "mean": 2.5, "low": pytest.approx(low, abs=1e-6), "high": pytest.approx(high, abs=1e-6)}


def test_six_repositories_have_an_interval_of_repositories_as_well() -> None:
    values = [(f"acme/{repo}", float(repo % 2)) for repo in range(6) for _ in range(5)]
    of_means, of_shares = mean_of(values), share_of(values)
    assert of_means["clustered"] == of_shares["clustered"]
    assert of_means["clustered"]["high"] - of_means["clustered"]["low"] > of_means["high"] - of_means["low"]
    assert "clustered" not in mean_of([value for value in values if value[0] != "acme/0"])


def test_a_share_has_its_count_and_wilsons_interval() -> None:
    values = [("acme/shop", True), ("acme/shop", False), ("acme/shop", False)]
    assert share_of(values) == wilson(1, 3) | {"count": 1}


def test_columns_of_a_tree_do_not_disturb_each_other() -> None:
    columns = {str(n): [("acme/shop", float(value % 2)) for value in range(n)] for n in range(300)}
    found = filled({"means": means(columns), "n": 7, "inner": {"shares": shares(columns), "why": "none"}})
    assert found["means"] == {name: mean_of(column) for name, column in columns.items()}
    assert found["inner"]["shares"] == {name: share_of(column) for name, column in columns.items()}
    assert (found["n"], found["inner"]["why"], list(found)) == (7, "none", ["means", "n", "inner"])


def test_a_column_may_have_its_median_beside_its_mean() -> None:
    values = [("acme/shop", 1), ("acme/shop", 2), ("acme/shop", 6)]
    assert filled(described(values)) == {"n": 3, "mean": 3, "median": 2}


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=12))
def test_correlations_are_those_of_scipy(pairs: list[tuple[int, int]]) -> None:
    found = correlation(pairs)
    first, second = zip(*pairs, strict=True)
    if len(set(first)) < 2 or len(set(second)) < 2:
        assert found == {"n": len(pairs)}
        return
    assert found["pearson"] == pytest.approx(stats.pearsonr(first, second).statistic, abs=1e-6)
    assert found["spearman"] == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-6)
    assert middle(first) == {"n": len(pairs), "median": statistics.median(first)}
