"""PROTOCOL 5: metrics of a ranking."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.scoring.ranking import kept, metric_names, ranking_metrics

PATHS = [f"f{number}" for number in range(30)]
RANKINGS = st.lists(st.sampled_from(PATHS), max_size=40)
SETS = st.frozensets(st.sampled_from([*PATHS, "absent"]), max_size=8)
GOLD = st.frozensets(st.sampled_from([*PATHS, "absent"]), min_size=1, max_size=8)
LIMITS = st.integers(1, 50)


def restated(ranked: list[str], gold: frozenset[str], negatives: frozenset[str], limit: int) -> dict[str, Fraction]:
    """Each metric, counted out in exact fractions."""
    hits = [path for path in ranked if path in gold]
    recall = Fraction(len(hits), len(gold))
    precision = Fraction(len(hits), min(limit, len(ranked))) if ranked else Fraction(0)
    values = {f"recall@{k}": Fraction(len(gold & set(ranked[:k])), len(gold)) for k in (5, 10, 20) if k <= limit}
    return values | {
        "mrr@k": Fraction(1, ranked.index(hits[0]) + 1) if hits else Fraction(0),
        "precision@k": precision,
        "f1@k": 2 * precision * recall / (precision + recall) if hits else Fraction(0),
        "hit@k": Fraction(bool(hits)),
        "hard_negative_hits@k": Fraction(len(negatives & set(ranked))),
    }


@pytest.mark.parametrize(
    ("ranking", "given_files", "limit", "right"),
    [
        (["a", "b", "a", "c", "b"], [], 20, ("a", "b", "c")),
        (["g", "a", "h", "b", "c"], ["g", "h"], 2, ("a", "b")),
        (["a", "a", "b"], [], 2, ("a", "b")),
        (["g"], ["g"], 5, ()),
        (["a", "A", "./a"], [], 5, ("a", "A", "./a")),
        ([], [], 5, ()),
    ],
)
def test_what_is_scored_is_distinct_without_given_files_and_then_cut(
    ranking: list[str], given_files: list[str], limit: int, right: tuple[str, ...]
) -> None:
    assert kept(ranking, given_files, limit) == right


@given(RANKINGS, SETS, LIMITS)
def test_what_is_scored_keeps_the_order_of_first_appearance(
    ranking: list[str], seen: frozenset[str], limit: int
) -> None:
    right: list[str] = []
    for path in ranking:
        if path not in seen and path not in right:
            right.append(path)
    assert kept(ranking, seen, limit) == tuple(right[:limit])


@pytest.mark.parametrize(
    ("limit", "recalls"),
    [(1, []), (4, []), (5, [5]), (9, [5]), (10, [5, 10]), (19, [5, 10]), (20, [5, 10, 20]), (50, [5, 10, 20])],
)
def test_recall_is_named_at_the_depths_that_the_limit_reaches_and_k_is_literal(limit: int, recalls: list[int]) -> None:
    others = ["mrr@k", "precision@k", "f1@k", "hit@k", "hard_negative_hits@k"]
    assert metric_names(limit) == [*(f"recall@{depth}" for depth in recalls), *others]
    assert list(ranking_metrics(["a"], ["a"], [], limit)) == metric_names(limit)


@pytest.mark.parametrize(
    ("ranked", "gold", "negatives", "limit", "right"),
    [
        # Two of four gold files, first at rank 2, three answered: P 2/3, R 1/2, F1 4/7.
        ("x a b", "a b c d", "x y", 20, [0.5, 0.5, 0.5, 0.5, 2 / 3, 4 / 7, 1, 1]),
        # The hit at rank 6 is beyond recall@5; precision divides by the six that were answered.
        ("1 2 3 4 5 a", "a", "", 20, [0, 1, 1, 1 / 6, 1 / 6, 2 / 7, 1, 0]),
        ("a b", "a b", "a b", 10, [1, 1, 1, 1, 1, 1, 2]),
        ("x y", "a", "x y z", 5, [0, 0, 0, 0, 0, 2]),
        ("", "a b", "x", 20, [0, 0, 0, 0, 0, 0, 0, 0]),
        ("a", "a b", "", 1, [1, 1, 2 / 3, 1, 0]),
    ],
    ids=["half", "deep hit", "all", "miss", "nothing answered", "limit 1"],
)
def test_metrics_worked_out_by_hand(ranked: str, gold: str, negatives: str, limit: int, right: list[float]) -> None:
    values = ranking_metrics(ranked.split(), gold.split(), negatives.split(), limit)
    assert list(values.values()) == pytest.approx(right, abs=1e-15)


@given(RANKINGS, GOLD, SETS, LIMITS)
@settings(deadline=None)
def test_metrics_are_those_of_counting(
    ranking: list[str], gold: frozenset[str], negatives: frozenset[str], limit: int
) -> None:
    ranked = list(dict.fromkeys(ranking))[:limit]
    right = {name: float(value) for name, value in restated(ranked, gold, negatives, limit).items()}
    assert ranking_metrics(ranked, gold, negatives, limit) == pytest.approx(right, abs=1e-15)


@given(RANKINGS, GOLD, SETS, LIMITS)
@settings(deadline=None)
def test_each_metric_stays_in_its_range(
    ranking: list[str], gold: frozenset[str], negatives: frozenset[str], limit: int
) -> None:
    values = ranking_metrics(list(dict.fromkeys(ranking))[:limit], gold, negatives, limit)
    assert 0 <= values.pop("hard_negative_hits@k") <= min(limit, len(negatives))
    assert values["hit@k"] in (0, 1)
    assert all(0 <= value <= 1 for value in values.values())
    assert len({value > 0 for name, value in values.items() if "recall" not in name}) == 1


@given(RANKINGS, GOLD)
@settings(deadline=None)
def test_recall_never_falls_with_depth(ranking: list[str], gold: frozenset[str]) -> None:
    values = ranking_metrics(list(dict.fromkeys(ranking))[:20], gold, [], 20)
    assert values["recall@5"] <= values["recall@10"] <= values["recall@20"]


@given(RANKINGS, GOLD, st.integers(1, 49))
@settings(deadline=None)
def test_a_longer_answer_never_loses_a_hit_or_its_rank(ranking: list[str], gold: frozenset[str], limit: int) -> None:
    distinct = list(dict.fromkeys(ranking))
    short = ranking_metrics(distinct[:limit], gold, [], limit)
    long = ranking_metrics(distinct[: limit + 1], gold, [], limit + 1)
    assert long["hit@k"] >= short["hit@k"]
    assert long["mrr@k"] >= short["mrr@k"]
