"""Measures of a trajectory, worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.agents.logs import Step
from pytest_retrieval_bench.agents.measures import FILE_SHARES, MEASURES, trajectory_measures
from pytest_retrieval_bench.model import Annotations, Chunk, Span
from tests.agents.made import facts, steps


def test_what_was_kept_is_a_part_of_what_was_looked_at() -> None:
    found = trajectory_measures(steps("a.py", "b.py", "c.py", "d.py", final=["b.py", "c.py"]), facts("a.py", "b.py"))
    assert (found["retrieved_file_recall"], found["retrieved_file_precision"]) == (1, 0.5)
    assert (found["final_file_recall"], found["final_file_precision"], found["final_file_f1"]) == (0.5, 0.5, 0.5)
    assert found["retrieved_file_f1"] == pytest.approx(2 / 3)
    assert (found["utilized_file_f1"], found["final_usage_drop"], found["utilization_drop"]) == (0.5, 0.5, 0.5)


def test_without_flags_all_is_kept_and_used() -> None:
    found = trajectory_measures(steps("a.py", "x.py"), facts("a.py"))
    assert found["final_file_recall"] == found["utilized_file_recall"] == found["retrieved_file_recall"] == 1
    assert found["final_usage_drop"] == 0


def test_what_was_used_goes_by_its_own_flags() -> None:
    looked = (Step("a.py", 1, final=True), Step("b.py", 2, utilized=True))
    found = trajectory_measures(looked, facts("a.py"))
    assert (found["final_file_recall"], found["utilized_file_recall"], found["utilization_drop"]) == (1, 0, 1)


def test_redundancy_counts_what_was_seen_before() -> None:
    looked = (Step("a.py", 1, start=1, end=5), Step("a.py", 2, start=1, end=5), Step("a.py", 3), Step("a.py", 4))
    assert trajectory_measures(looked, facts())["trajectory_redundancy"] == 0.5
    other = (Step("a.py", 1, content="x"), Step("a.py", 2, content="y"))
    assert trajectory_measures(other, facts())["trajectory_redundancy"] == 0


def test_supporting_files_are_measured_where_there_are_some_that_are_no_gold() -> None:
    marked = Annotations(supporting=("gold.py", "help.py"))
    found = trajectory_measures(steps("help.py", "x.py"), facts(marked=marked))
    assert found["retrieved_supporting_file_recall"] == 1
    assert found["retrieved_gold_or_supporting_file_recall"] == 0.5
    assert found["retrieved_file_recall"] == 0
    assert not any("supporting" in name for name in trajectory_measures(steps("x.py"), facts()))


def test_lines_and_blocks_are_measured_without_a_budget_where_they_are_marked() -> None:
    marked = Annotations(spans=(Span("gold.py", 11, 20),), blocks=(Chunk("gold.py", (1, 30), id="c1"),))
    looked = (
        Step("gold.py", 1, start=1, end=15), Step("gold.py", 2), Step("x.py", 3, start=1, end=5),
        Step("gold.py", 4, start=40, end=44, kind="file"),
    )  # fmt: skip
    found = trajectory_measures(looked, facts(marked=marked))
    assert (found["line_recall@trajectory"], found["line_precision@trajectory"]) == (0.5, 5 / 25)
    assert (found["block_recall@trajectory"], found["block_precision@trajectory"]) == (1, 0.5)


def test_an_agent_that_looked_at_nothing_has_0_of_everything() -> None:
    marked = Annotations(spans=(Span("gold.py", 1, 2),), blocks=(Chunk("gold.py", (1, 2)),), supporting=("h.py",))
    found = trajectory_measures((), facts(marked=marked))
    assert found == dict.fromkeys(MEASURES, 0)


@given(st.lists(st.sampled_from("abcd"), max_size=6), st.sets(st.sampled_from("abcd")), st.sets(st.sampled_from("ab")))
def test_shares_are_shares_and_nothing_is_gained_by_keeping_less(
    looked: list[str], kept: set[str], gold: set[str]
) -> None:
    found = trajectory_measures(steps(*looked, final=sorted(kept)), facts(*sorted(gold)))
    assert all(0 <= found[name] <= 1 for name in FILE_SHARES if name in found)
    assert found["final_file_recall"] <= found["retrieved_file_recall"]
    assert found["final_usage_drop"] == found["retrieved_file_recall"] - found["final_file_recall"]
