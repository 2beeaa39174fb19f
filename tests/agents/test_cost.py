"""What agents spend, worked by hand: steps, first sights of gold, calls of closed tools and prefixes of these."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.agents.cost import budget_curve, cost, tool_figures, trajectory_means
from pytest_retrieval_bench.agents.facts import Facts
from pytest_retrieval_bench.agents.figures import filled
from pytest_retrieval_bench.agents.logs import Step, Trajectory
from pytest_retrieval_bench.agents.runs import EMPTY, NO_GOLD, UNKNOWN, attempt, groups, run_of
from pytest_retrieval_bench.agents.tools import Call, ToolUse
from pytest_retrieval_bench.errors import LogError
from pytest_retrieval_bench.model import Annotations, Span
from tests.agents.made import attempted, facts, handed, steps

FOUR = [
    attempted("early", "gold.py", "x.py", final=["gold.py"]),
    attempted("third", "x.py", "y.py", "gold.py"),
    attempted("late", "a.py", "b.py", "c.py", "gold.py", "d.py"),
    attempted("never", "x.py"),
]


def test_a_late_sight_of_gold_comes_after_the_third_step() -> None:
    found = filled(cost(FOUR))
    assert (found["events"]["n"], found["events"]["mean"], found["events"]["median"]) == (4, 2.75, 2.5)
    assert [found[name]["count"] for name in ("any_gold", "miss", "late")] == [3, 1, 1]
    assert (found["late"]["n"], found["late"]["rate"]) == (4, 0.25)
    assert (found["first_gold"]["n"], found["first_gold"]["mean"], found["first_gold"]["median"]) == (3, 2.666667, 3)
    assert [found[name]["count"] for name in ("final_gold", "utilized_gold")] == [1, 0]
    assert found["tools"] == {"read": 11}


def test_the_first_sight_is_the_first_in_the_log_and_the_earliest_the_least_number() -> None:
    one = attempt("one", facts(), (Step("gold.py", 9), Step("gold.py", 2), Step("x.py", 1)), None)
    assert (one.first_listed, one.earliest, one.late) == (9, 2, True)
    assert attempt("two", facts(), (Step("gold.py", None),), None).first_listed is None


def test_a_measure_that_some_samples_lack_counts_as_0_and_says_how_many_have_it() -> None:
    marked = facts(marked=Annotations(spans=(Span("gold.py", 1, 10),)))
    with_lines = attempt("lines", marked, (Step("gold.py", 1, start=1, end=10),), None)
    found = filled(trajectory_means([with_lines, attempted("none", "x.py")]))
    assert found["line_recall@trajectory"] == {"n": 2, "mean": 0.5, "measured": 1}
    assert found["retrieved_file_recall"] == {"n": 2, "mean": 0.5}
    assert not any("supporting" in name or "block" in name for name in found)


def used(*tools: str, submitted: tuple[str, ...] = ()) -> ToolUse:
    calls = tuple(Call(tool, 100 if tool == "read_file" else 0) for tool in tools)
    whole = ToolUse({}, submitted, calls)
    return ToolUse(whole.until(len(calls)), submitted, calls)


def test_tools_are_counted_over_the_logs_that_tell_of_them() -> None:
    with_tools = attempted("one", "x.py", "gold.py", tools=used("grep", "read_file", submitted=("gold.py",)))
    found = filled(tool_figures([with_tools, *FOUR]))
    assert (found["any_gold"]["n"], found["any_gold"]["count"], found["final_any_gold"]["count"]) == (1, 1, 1)
    assert found["first_gold"] == {"n": 1, "median": 2}
    assert {name: found[name]["mean"] for name in ("tool_calls", "grep_calls", "read_calls", "read_tokens")} == {
        "tool_calls": 2, "grep_calls": 1, "read_calls": 1, "read_tokens": 100,
    }  # fmt: skip


def test_what_an_agent_was_handed_is_seen_at_step_0() -> None:
    one = handed(attempted("one", "x.py", tools=used("read_file")), "gold.py")
    assert (one.earliest, tool_figures([one])["first_gold"]) == (0, {"n": 1, "median": 0})


def test_a_prefix_keeps_all_that_was_read_by_then() -> None:
    use = used("grep", "read_file", "read_file", "submit", "read_file")
    one = attempt("one", facts(), (Step("x.py", 2, final=True), Step("gold.py", 3)), use)
    found = filled(budget_curve([one, *FOUR]))
    assert found["2"]["trajectory"]["final_file_f1"] == {"n": 1, "mean": 0}
    assert found["2"]["closed_tool"]["final_any_gold"]["count"] == 0
    assert found["4"]["trajectory"]["final_file_f1"]["mean"] == pytest.approx(2 / 3, abs=1e-6)
    assert found["4"]["closed_tool"]["final_any_gold"]["count"] == 1
    assert {budget: figures["closed_tool"]["tool_calls"]["mean"] for budget, figures in found.items()} == {
        "2": 2, "4": 4, "6": 4, "8": 4,
    }  # fmt: skip
    assert [found[budget]["closed_tool"]["read_tokens"]["mean"] for budget in found] == [100, 200, 200, 200]


def test_a_prefix_without_a_step_scores_0() -> None:
    one = attempt("one", facts(), (Step("gold.py", 5),), used("grep"))
    found = filled(budget_curve([one]))["4"]["trajectory"]
    assert {figure["mean"] for figure in found.values()} == {0}


def test_the_benchmark_is_asked_first_then_the_log_then_the_report() -> None:
    listed = {name: Trajectory(name, steps("a.py"), facts("log.py") if name == "both" else None) for name in "ab"}
    listed["both"] = Trajectory("both", steps("a.py"), facts("log.py"))
    known = {"a": facts("known.py"), "both": facts("known.py")}
    measured = {"b": facts("report.py")}
    found = run_of(listed, known, measured).attempts
    assert {name: one.facts.gold for name, one in found.items()} == {
        "a": ("known.py",), "b": ("report.py",), "both": ("known.py",),
    }  # fmt: skip
    assert run_of(listed, {}, measured).attempts["both"].facts.gold == ("log.py",)


def test_what_cannot_be_judged_is_left_out_with_its_reason() -> None:
    listed = {
        "stranger": Trajectory("stranger", steps("a.py")),
        "silent": Trajectory("silent", ()),
        "none": Trajectory("none", steps("a.py")),
        "stored": Trajectory("stored", (), facts()),
    }
    found = run_of(listed, {"silent": facts(), "none": Facts("abstention", "acme/shop", (), Annotations())}, {})
    assert found.left_out == {UNKNOWN: ("stranger",), NO_GOLD: ("none",), EMPTY: ("silent",)}
    assert list(found.attempts) == ["stored"]


def test_another_gold_in_the_report_is_refused() -> None:
    with pytest.raises(LogError, match=r"'one': its gold is .*'a.py'.* here, but .*'b.py'.* in the report"):
        run_of({"one": Trajectory("one", steps("a.py"), facts("a.py"))}, {}, {"one": facts("b.py")})


def test_groups_are_all_samples_and_those_of_each_task() -> None:
    listed = [attempted("one", known=facts(task="b")), attempted("two", known=facts(task="a"))]
    found = groups(listed)
    assert {name: [one.sample_id for one in part] for name, part in found.items()} == {
        "all": ["one", "two"], "task:b": ["one"], "task:a": ["two"],
    }  # fmt: skip
