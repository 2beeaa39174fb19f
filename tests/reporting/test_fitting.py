"""Weights of a fusion: those that do best on the grid, as fusing under each of them shows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.fusion import reciprocal_rank_fusion
from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.fitting import fit, weight_grid
from tests.reporting.small_reports import GOLD, row

PATHS = [GOLD, "a.py", "b.py", "c.py", "d.py"]
RANKING = st.lists(st.sampled_from(PATHS), max_size=5, unique=True)


def report(rankings: list[tuple[list[str], list[str]]]) -> dict[str, Any]:
    gold = [GOLD, "d.py"]
    rows = [row(str(number), {"x": x, "y": y}, gold=gold) for number, (x, y) in enumerate(rankings)]
    return {"details": rows, "arms": {"x": {}, "y": {}}, "samples_sha256": "0" * 64}


def plainly(rankings: list[tuple[list[str], list[str]]], weights: list[float], metric: str) -> float:
    values = []
    for pair in rankings:
        found = [path for path, score in reciprocal_rank_fusion(pair, weights) if score > 0]
        ranks = [found.index(path) + 1 for path in (GOLD, "d.py") if path in found]
        values.append(max((1 / rank for rank in ranks), default=0) if metric == "mrr@k" else len(ranks) / 2)
    return sum(values) / len(values)


@given(st.lists(st.tuples(RANKING, RANKING), min_size=1, max_size=5), st.sampled_from(["mrr@k", "recall@20"]))
@settings(deadline=None, max_examples=60)
def test_no_weights_of_the_grid_do_better_and_the_value_is_theirs(
    rankings: list[tuple[list[str], list[str]]], metric: str
) -> None:
    found = fit(report(rankings), ["x", "y"], metric)
    values = [plainly(rankings, list(weights), metric) for weights in weight_grid(2)]
    assert found.value == pytest.approx(max(values), abs=1e-6)
    assert plainly(rankings, list(found.by_arm.values()), metric) == pytest.approx(max(values))
    assert found.n == len(rankings)
    assert found.repositories == ("o/r",)


@pytest.mark.parametrize(("arms", "count"), [(2, 21), (3, 231), (4, 1771)])
def test_the_grid_has_every_way_to_share_out_twentieths(arms: int, count: int) -> None:
    grid = weight_grid(arms)
    assert grid.shape == (count, arms)
    assert grid.sum(axis=1) == pytest.approx(1)
    assert len({tuple(way) for way in grid.round(6).tolist()}) == count
    assert grid.min() == 0


def test_of_equal_weights_the_most_even_are_taken() -> None:
    assert fit(report([([GOLD], [GOLD])]), ["x", "y"], "mrr@k").by_arm == {"x": 0.5, "y": 0.5}


@pytest.mark.parametrize(
    ("arms", "metric", "words"),
    [
        (["x", "z"], "mrr@k", "not in the report: unknown arm 'z'"),
        (["x"], "mrr@k", "weights are for two to 4 arms, each once"),
        (["x", "x"], "mrr@k", "weights are for two to 4 arms, each once"),
        (["x", "y"], "mrr", "unknown metric 'mrr'; did you mean 'mrr@k'?"),
    ],
)
def test_what_cannot_be_fitted_is_refused(arms: list[str], metric: str, words: str) -> None:
    with pytest.raises(ReportError) as refused:
        fit(report([([GOLD], [])]), arms, metric)
    assert words in str(refused.value)


def test_samples_without_gold_or_without_an_answer_of_each_are_not_looked_at() -> None:
    rows = [row("a", {"x": [GOLD]}), row("b", {"x": [], "y": []}, stratum="natural_no_gold", gold=[])]
    with pytest.raises(ReportError, match="no sample has gold and an answer of each of x, y"):
        fit({"details": rows, "arms": {"x": {}, "y": {}}, "samples_sha256": ""}, ["x", "y"], "mrr@k")
