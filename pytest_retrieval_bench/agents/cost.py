"""What it costs an agent to find context, and how good the context is (ARB 7.1, 7.2, 7.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from pytest_retrieval_bench.agents.figures import Column, Value, described, means, middle, shares
from pytest_retrieval_bench.agents.measures import MEASURES
from pytest_retrieval_bench.agents.runs import Attempt, attempt
from pytest_retrieval_bench.agents.tools import COUNTS

BUDGETS: Final = (2, 4, 6, 8)


def cost(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """Steps, first sights of gold, and what was kept of it; `first_gold` is over the attempts that saw some."""
    first = [(one.facts.repo, one.first_listed) for one in attempts if one.first_listed is not None]
    return {
        "events": described(_column(attempts, lambda one: len(one.steps))),
        "first_gold": described(first),
        **shares(
            {
                "any_gold": _column(attempts, lambda one: one.first_listed is not None),
                "miss": _column(attempts, lambda one: one.first_listed is None),
                "late": _column(attempts, lambda one: one.late),
                "final_gold": _column(attempts, lambda one: _flagged(one, "final")),
                "utilized_gold": _column(attempts, lambda one: _flagged(one, "utilized")),
            }
        ),
        "tools": dict(sorted(Counter(step.tool for one in attempts for step in one.steps).items())),
    }


def trajectory_means(attempts: Sequence[Attempt]) -> dict[str, Column]:
    """The mean of each measure over all attempts, 0 where a sample does not have it; `measured` counts those that do.

    A measure that no sample has is not there.
    """
    counts = {name: sum(name in one.measures for one in attempts) for name in MEASURES}
    return {
        name: Column(_column(attempts, _measure(name)), further={"measured": count} if count < len(attempts) else {})
        for name, count in counts.items()
        if count
    }


def sights(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """How many attempts see gold, files that were handed to them included, and the median of their earliest steps."""
    return {
        **shares({"any_gold": _column(attempts, lambda one: one.earliest is not None)}),
        "first_gold": middle([one.earliest for one in attempts if one.earliest is not None]),
    }


def tool_figures(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """How closed tools were used, over the attempts whose logs say it."""
    found = [(one, one.tools) for one in attempts if one.tools is not None]
    users = [one for one, _ in found]
    counted = {
        name: [(one.facts.repo, tools.counts[name]) for one, tools in found if name in tools.counts] for name in COUNTS
    }
    submitted: list[Value] = [
        (one.facts.repo, not set(one.facts.gold).isdisjoint(tools.submitted)) for one, tools in found
    ]
    return {
        **sights(users),
        **shares({"final_any_gold": submitted}),
        **means(counted),
    }


def budget_curve(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """What the first 2, 4, 6 and 8 calls would have brought, had all that was read by then been kept."""
    users = [one for one in attempts if one.tools is not None]
    found = {}
    for budget in BUDGETS:
        cut = [_within(one, budget) for one in users]
        found[str(budget)] = {"trajectory": trajectory_means(cut), "closed_tool": tool_figures(cut)}
    return found


def _within(one: Attempt, budget: int) -> Attempt:
    assert one.tools is not None
    steps = tuple(
        replace(step, final=True, utilized=True)
        for step in one.steps
        if step.number is not None and step.number <= budget
    )
    read = tuple(dict.fromkeys(step.path for step in steps))
    tools = replace(one.tools, counts=one.tools.until(budget), submitted=read)
    return attempt(one.sample_id, one.facts, steps, tools)


def _flagged(one: Attempt, flag: str) -> bool:
    return any(getattr(step, flag) and step.path in one.facts.gold for step in one.steps)


def _measure(name: str) -> Callable[[Attempt], float]:
    return lambda one: one.measures.get(name, 0)


def _column(attempts: Sequence[Attempt], value: Callable[[Attempt], float]) -> list[Value]:
    return [(one.facts.repo, value(one)) for one in attempts]
