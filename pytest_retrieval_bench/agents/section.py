"""All that can be said of agents, from their logs and a report: the document that the command writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_retrieval_bench.agents.calibration import calibration
from pytest_retrieval_bench.agents.cost import budget_curve, cost, tool_figures, trajectory_means
from pytest_retrieval_bench.agents.figures import filled
from pytest_retrieval_bench.agents.packets import Prediction
from pytest_retrieval_bench.agents.retrievers import Rankings, depths_of, joined, retriever, saving
from pytest_retrieval_bench.agents.runs import Run, groups
from pytest_retrieval_bench.agents.seeds import intervention, pairs_of

PROFILE = "pytest-retrieval-bench-agents/1"
PACKETS = "packets"
_PREDICTED_DEPTH = 20


def agents_section(
    runs: Mapping[str, Run], arms: Mapping[str, Rankings], control: str | None, packets: Mapping[str, Prediction] | None
) -> dict[str, Any]:
    """By agent its cost and context, by arm what it ranks, for each two what only one finds.

    With a `control`, an agent that was handed nothing, what the seeds of the others brought, and how well that was
    predicted: by stored `packets`, or else by each arm.
    """
    section: dict[str, Any] = {
        "profile": PROFILE,
        "agents": {name: _agent(run) for name, run in runs.items()},
        "retrievers": {arm: retriever(found) for arm, found in arms.items()},
        "joins": {
            name: {arm: joined(run.attempts, found) for arm, found in arms.items()} for name, run in runs.items()
        },
    }
    if control is not None:
        section["seed_intervention"] = intervention(runs, control)
        section["calibration"] = {
            name: _calibrations(runs[control], run, arms, packets) for name, run in runs.items() if name != control
        }
    whole: dict[str, Any] = filled(section)
    return whole


def _agent(run: Run) -> dict[str, Any]:
    parts = groups(run.attempts.values())
    found: dict[str, Any] = {
        "n": len(run.attempts),
        "left_out": {why: list(identities) for why, identities in run.left_out.items()},
        "cost": {name: cost(part) for name, part in parts.items()},
        "trajectory": {name: trajectory_means(part) for name, part in parts.items()},
    }
    with_tools = {name: part for name, part in parts.items() if any(one.tools for one in part)}
    if with_tools:
        found["closed_tool"] = {name: tool_figures(part) for name, part in with_tools.items()}
        found["budget_prefixes"] = {name: budget_curve(part) for name, part in with_tools.items()}
    return found


def _calibrations(
    control: Run, seeded: Run, arms: Mapping[str, Rankings], packets: Mapping[str, Prediction] | None
) -> dict[str, Any]:
    common = control.attempts.keys() & seeded.attempts.keys()
    pairs = pairs_of(control.only(common), seeded.only(common))
    predictions = _predictions(control, arms) if packets is None else {PACKETS: packets}
    return {name: calibration(pairs, predicted) for name, predicted in predictions.items()}


def _predictions(control: Run, arms: Mapping[str, Rankings]) -> dict[str, dict[str, Prediction]]:
    """What each arm could save the control, where its ranks are known deep enough."""
    return {
        arm: {
            identity: Prediction(saving(one, found[identity], _PREDICTED_DEPTH))
            for identity, one in control.attempts.items()
            if identity in found
        }
        for arm, found in arms.items()
        if _PREDICTED_DEPTH in depths_of(found)
    }
