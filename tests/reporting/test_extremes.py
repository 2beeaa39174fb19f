from __future__ import annotations

import random

from pytest_retrieval_bench.reporting.extremes import disagreements, standings, worst_misses
from pytest_retrieval_bench.reporting.extremes_text import shown_extremes
from tests.reporting.plain import plain_lines
from tests.reporting.small_reports import HIT, LIMIT, MISS, SECOND, row

ROWS = [
    row("all-hit", {"a": HIT, "b": HIT}),
    row("b-misses", {"a": HIT, "b": MISS}),
    row("b-second", {"a": HIT, "b": SECOND}),
    row("none-hits", {"a": MISS, "b": None}),
    row("a-misses-b-second", {"a": MISS, "b": SECOND}),
    row("no-gold", {"a": MISS, "b": ()}, stratum="natural_no_gold", gold=[]),
]


def test_the_sample_that_fewest_arms_hit_comes_first_then_the_lowest_mean() -> None:
    assert [one.id for one in worst_misses(standings(ROWS))] == ["none-hits", "a-misses-b-second", "b-misses"]


def test_the_largest_difference_of_reciprocal_ranks_comes_first_then_the_id() -> None:
    found = disagreements(standings(ROWS))
    assert [(one.id, one.spread) for one in found] == [("b-misses", 1), ("a-misses-b-second", 0.5), ("b-second", 0.5)]


def test_the_order_of_rows_changes_nothing() -> None:
    shuffled = random.Random(1).sample(ROWS, len(ROWS))
    assert worst_misses(standings(shuffled)) == worst_misses(standings(ROWS))
    assert disagreements(standings(shuffled)) == disagreements(standings(ROWS))


def test_an_arm_without_a_result_does_not_count() -> None:
    assert worst_misses(standings([row("half", {"a": HIT})])) == []
    assert standings([row("nobody", {})]) == []


def test_each_list_says_how_many_samples_it_is_a_part_of() -> None:
    lines = plain_lines(shown_extremes({"details": ROWS, "limit": LIMIT}, 1))
    assert lines == [
        "worst misses: 1 of 3 samples that an arm misses (n=5)",
        "sample     task        repository  arms with a hit@5",
        "none-hits  trace2code  o/r                    0 of 2",
        "disagreements: 1 of 3 samples on which arms differ (n=5)",
        "sample    task        repository  difference in mrr  best        worst",
        "b-misses  trace2code  o/r                     1.000  a (rank 1)  b (miss)",
    ]


def test_without_gold_there_is_nothing_to_list() -> None:
    assert plain_lines(shown_extremes({"details": ROWS[5:], "limit": LIMIT}, 3)) == [
        "worst misses: 0 of 0 samples that an arm misses (n=0)",
        "disagreements: 0 of 0 samples on which arms differ (n=0)",
    ]


def test_hostile_ids_are_shown_and_not_obeyed() -> None:
    hostile = {"details": [row("\x1b[2J", {"a": MISS})], "limit": LIMIT}
    assert "\x1b" not in "".join(plain_lines(shown_extremes(hostile, 1)))
