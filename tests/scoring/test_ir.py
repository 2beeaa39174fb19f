"""The measures at fixed depths are those of ir_measures and ranx, on any ranking; the others by hand."""

from __future__ import annotations

from typing import Any

import ir_measures
import pytest
import ranx
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, RR, R, nDCG

from pytest_retrieval_bench.scoring.functions import FUNCTION_MEASURES
from pytest_retrieval_bench.scoring.ir import IR_MEASURES, ir_names
from pytest_retrieval_bench.scoring.ir import ir_measures as measures_of

PATHS = [f"{number}.py" for number in range(40)]
RANKED = st.lists(st.sampled_from(PATHS), max_size=40, unique=True)
GOLD = st.sets(st.sampled_from(PATHS), min_size=1, max_size=30)
THEIRS = {
    "ndcg@10": nDCG @ 10, "mrr@10": RR @ 10, "map_trec@20": AP @ 20,
    **{f"recall@{depth}": R @ depth for depth in (1, 5, 10, 20)},
}  # fmt: skip


@given(RANKED, GOLD)
@settings(deadline=None, max_examples=60)
def test_they_are_those_of_ir_measures(ranked: list[str], gold: set[str]) -> None:
    judged = {"q": dict.fromkeys(gold, 1)}
    run: dict[str, Any] = {"q": {path: -rank for rank, path in enumerate(ranked)} or {"none": 0}}
    found = ir_measures.calc_aggregate(list(THEIRS.values()), judged, run)
    ours = measures_of(ranked, gold)
    assert {name: ours[name] for name in THEIRS} == pytest.approx(
        {name: found[measure] for name, measure in THEIRS.items()}, abs=1e-12
    )


@pytest.mark.filterwarnings("ignore:unsafe cast from uint64")
@pytest.mark.parametrize(
    ("ranked", "gold"),
    [(PATHS[:12], {"0.py", "11.py"}), (PATHS[:30], {"9.py", "19.py", "25.py"}), (PATHS[::-1], set(PATHS[:25]))],
)
def test_they_are_those_of_ranx(ranked: list[str], gold: set[str]) -> None:
    names = {"ndcg@10": "ndcg@10", "mrr@10": "mrr@10", "map_trec@20": "map@20", "recall@5": "recall@5"}
    judged, run = (
        ranx.Qrels({"q": dict.fromkeys(gold, 1)}),
        ranx.Run({"q": {path: -1.0 - rank for rank, path in enumerate(ranked)}}),
    )
    found = ranx.evaluate(judged, run, list(names.values()))
    ours = measures_of(ranked, gold)
    assert {name: ours[name] for name in names} == pytest.approx({name: found[its] for name, its in names.items()})


def test_map_divides_by_what_the_depth_allows_and_by_all_gold_for_trec() -> None:
    found = measures_of(PATHS[:20], set(PATHS[:25]))
    assert (found["map@20"], found["map_trec@20"]) == (1.0, 0.8)


@given(RANKED, GOLD)
def test_accuracy_is_one_exactly_where_recall_is(ranked: list[str], gold: set[str]) -> None:
    found = measures_of(ranked, gold)
    for depth in (1, 5, 10, 20):
        assert found[f"acc@{depth}"] == (found[f"recall@{depth}"] == 1)


def test_a_hit_below_the_depth_does_not_count() -> None:
    found = measures_of(PATHS[:20], {"10.py"})
    assert (found["mrr@10"], found["ndcg@10"], found["recall@10"], found["acc@20"]) == (0, 0, 0, 1)


def test_measures_deeper_than_the_limit_are_left_out() -> None:
    files = [name for name in ir_names(5) if name not in FUNCTION_MEASURES]
    assert files == ["recall@1", "recall@5", "acc@1", "acc@5"]
    assert ir_names(20) == list(IR_MEASURES)
