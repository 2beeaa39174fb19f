"""The estimate of what is left of a run, on simulated runs whose end is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.time_left import Task, in_words, seconds_left

BIG, SMALL = 10_000_000, 100_000
Done = list[tuple[Task, float]]


def test_a_cost_that_is_the_same_for_all_is_counted() -> None:
    done: Done = [(Task("a", BIG), 2.0), (Task("a", SMALL), 2.0)]
    assert seconds_left(done, [Task("a", SMALL)] * 10, 4.0) == pytest.approx(20)


def test_a_cost_that_grows_with_the_snapshot_is_scaled() -> None:
    done: Done = [(Task("a", BIG), 10.0), (Task("a", BIG // 2), 5.0)]
    assert seconds_left(done, [Task("a", SMALL)] * 10, 15.0) == pytest.approx(1)


def test_cheap_arms_that_wait_are_not_taken_for_dear_ones() -> None:
    done: Done = [(Task("slow", BIG), 9.9), (Task("fast", BIG), 0.1)] * 2
    assert seconds_left(done, [Task("fast", BIG)] * 10, 20.0) == pytest.approx(1)


def test_what_runs_side_by_side_ends_so_much_sooner() -> None:
    done: Done = [(Task("a", BIG), 2.0)] * 10
    assert seconds_left(done, [Task("a", BIG)] * 10, 20.0 / 4) == pytest.approx(5)


def test_time_between_items_is_expected_to_go_on() -> None:
    done: Done = [(Task("a", BIG), 1.0)] * 10
    assert seconds_left(done, [Task("a", BIG)] * 10, 15.0) == pytest.approx(15)


def test_nothing_is_said_without_evidence() -> None:
    assert seconds_left([], [Task("a", BIG)], 1.0) is None
    assert seconds_left([(Task("a", BIG), 1.0)], [Task("b", BIG)], 1.0) is None
    assert seconds_left([(Task("a", BIG), 60.0)], [Task("a", SMALL)], 60.0) is None
    assert seconds_left([(Task("a", BIG), 0.0)], [Task("a", BIG)], 1.0) is None


def test_a_cost_that_falls_with_size_is_taken_for_one_without_size() -> None:
    done: Done = [(Task("a", BIG), 1.0), (Task("a", SMALL), 3.0)]
    assert seconds_left(done, [Task("a", 10 * BIG)], 4.0) == pytest.approx(2)


TASKS = st.builds(Task, st.sampled_from("ab"), st.integers(0, 10**12))


@given(
    done=st.lists(st.tuples(TASKS, st.floats(0, 1e6)), max_size=20),
    waiting=st.lists(TASKS, max_size=20),
    elapsed=st.floats(0, 1e6),
)
def test_an_estimate_is_a_time(done: Done, waiting: list[Task], elapsed: float) -> None:
    left = seconds_left(done, waiting, elapsed)
    assert left is None or 0 <= left < float("inf")


@given(costs=st.lists(st.floats(0.01, 100), min_size=1, max_size=20), sizes=st.integers(1, 5))
def test_the_same_again_takes_the_same_again(costs: list[float], sizes: int) -> None:
    done: Done = [(Task("a", number % sizes), cost) for number, cost in enumerate(costs)]
    assert seconds_left(done, [task for task, _ in done], 7.0) == pytest.approx(7)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "under 10 s"), (10, "about 10 s"), (44, "about 40 s"), (89.9, "about 90 s"), (90, "about 2 min"),
     (179, "about 3 min"), (5369, "about 89 min"), (5370, "about 1 h 30 min"), (7200, "about 2 h"),
     (9000, "about 2 h 30 min"), (360_000, "about 100 h")],
)  # fmt: skip
def test_an_estimate_is_told_no_more_exactly_than_it_is(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
