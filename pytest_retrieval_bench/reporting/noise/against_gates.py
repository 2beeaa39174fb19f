"""What a noise floor says of a gate that compares: a claim must not rest on noise, an alarm must not ring on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.reporting.gates import Comparison, Outcome
from pytest_retrieval_bench.reporting.noise.index_kind import index_kind
from pytest_retrieval_bench.reporting.noise.stored_floor import Floor


def why_unusable(floor: Floor, gates: Sequence[Comparison]) -> str | None:
    """Why a gate could not be held against the floor, in words, before anything runs; None where all could."""
    return next(_faults(floor, gates), None)


def held_against(
    floor: Floor, gate: Comparison, outcome: Outcome, difference: float, report: Mapping[str, Any], old: Any
) -> tuple[Outcome, str]:
    """The outcome once noise is taken into account, and the words for it.

    A difference within the noise shows neither a gain nor a loss. A gate on another arm makes a claim, which then is
    not shown and fails; one on an older report is an alarm, which then is skipped. Both still pass where their interval
    holds and their margin is not finer than the noise.
    """
    smallest = _smallest(floor, gate, report, old)
    if smallest is None:
        return "failed", f"{floor.path.name} has no figure of {_runs(gate, report, old)}"
    if not smallest:
        return outcome, "identical runs did not differ"
    if abs(difference) >= smallest:
        return outcome, f"beyond the noise, {smallest:g}"
    words = f"within the noise, {smallest:g}"
    if outcome == "passed" and gate.margin >= smallest:
        return outcome, words
    return ("skipped", f"{words}: undecided") if gate.baseline is None else ("failed", words)


def _faults(floor: Floor, gates: Sequence[Comparison]) -> Iterator[str]:
    for gate in gates:
        place = (gate.group or "all", gate.metric)
        for arm in (gate.arm, *([gate.baseline] if gate.baseline else ())):
            if not any(place in measured for measured in floor.arms.get(arm, {}).values()):
                yield f"it has no figure of {arm} in {gate.metric} over {place[0]}, which {str(gate)!r} needs"
        kinds = floor.arms.get(gate.arm, {})
        finest = min((noise[place].smallest for noise in kinds.values() if place in noise), default=0)
        if gate.baseline is None and gate.margin < finest:
            yield f"{str(gate)!r} asks for less than the noise of {finest:g}; give a larger margin"


def _smallest(floor: Floor, gate: Comparison, report: Mapping[str, Any], old: Any) -> float | None:
    place = (gate.group or "all", gate.metric)
    kinds = _kinds(gate, report, old)
    if gate.baseline is None:
        return floor.between_runs(gate.arm, set(kinds), place)
    return floor.between_arms((gate.arm, kinds[0]), (gate.baseline, kinds[1]), place)


def _kinds(gate: Comparison, report: Mapping[str, Any], old: Any) -> tuple[str, str]:
    """How the index of either side came to be."""
    ours = index_kind(report["details"], gate.arm)
    if gate.baseline is None:
        return ours, index_kind(old["details"], gate.arm)
    return ours, index_kind(report["details"], gate.baseline)


def _runs(gate: Comparison, report: Mapping[str, Any], old: Any) -> str:
    ours, theirs = _kinds(gate, report, old)
    return f"{gate.arm}, {ours}, and {gate.baseline or 'the older run'}, {theirs}"
