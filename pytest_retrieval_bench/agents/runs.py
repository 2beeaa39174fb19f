"""The samples that an agent is judged on: its trajectories, joined with what is known of each sample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_retrieval_bench.agents.facts import Facts
from pytest_retrieval_bench.agents.logs import Step, Trajectory
from pytest_retrieval_bench.agents.measures import trajectory_measures
from pytest_retrieval_bench.agents.tools import ToolUse
from pytest_retrieval_bench.errors import LogError

UNKNOWN, NO_GOLD, EMPTY = "unknown sample", "no gold", "no step names a file"
_LATE = 3


@dataclass(frozen=True, slots=True)
class Attempt:
    """What an agent did for one sample with gold; `measures` are those of its trajectory."""

    sample_id: str
    facts: Facts
    steps: tuple[Step, ...]
    measures: Mapping[str, float]
    tools: ToolUse | None = None

    @property
    def first_listed(self) -> int | None:
        """The number of the step that first shows gold, in the log's order; None where none does (ARB 7.2)."""
        return next(iter(self._gold_steps()), None)

    @property
    def earliest(self) -> int | None:
        """The least number of a step that shows gold; None where none does (ARB 7.3, 7.4)."""
        return min(self._gold_steps(), default=None)

    @property
    def late(self) -> bool:
        """Whether gold is first shown after the third step."""
        return self.first_listed is not None and self.first_listed > _LATE

    def _gold_steps(self) -> list[int]:
        return [step.number for step in self.steps if step.path in self.facts.gold and step.number is not None]


@dataclass(frozen=True, slots=True)
class Run:
    """What one agent did, by sample id, and why some of its samples are left out: reason -> ids."""

    attempts: Mapping[str, Attempt]
    left_out: Mapping[str, tuple[str, ...]]

    def only(self, identities: Iterable[str]) -> list[Attempt]:
        """The attempts at these samples, which it has, by id."""
        return [self.attempts[identity] for identity in sorted(identities)]


def attempt(sample_id: str, facts: Facts, steps: tuple[Step, ...], tools: ToolUse | None) -> Attempt:
    """An attempt with its measures."""
    return Attempt(sample_id, facts, steps, trajectory_measures(steps, facts), tools)


def run_of(listed: Mapping[str, Trajectory], known: Mapping[str, Facts], measured: Mapping[str, Facts]) -> Run:
    """What is judged of an agent's trajectories.

    `known` is what the benchmark says of samples, `measured` what a report says. The benchmark is asked first, then the
    log itself, then the report. A trajectory without a step stays in where the log stored one: it is an agent that
    looked at nothing.

    Raises LogError where the gold of a sample is another one in the report.
    """
    attempts: dict[str, Attempt] = {}
    left_out: dict[str, list[str]] = {}
    for identity, one in sorted(listed.items()):
        facts = known.get(identity) or one.facts or measured.get(identity)
        if facts is None or not facts.gold or (not one.steps and one.facts is None):
            why = UNKNOWN if facts is None else NO_GOLD if not facts.gold else EMPTY
            left_out.setdefault(why, []).append(identity)
            continue
        _check_same_gold(identity, facts, measured.get(identity))
        attempts[identity] = attempt(identity, facts, one.steps, one.tools)
    return Run(attempts, {why: tuple(identities) for why, identities in left_out.items()})


def _check_same_gold(identity: str, facts: Facts, measured: Facts | None) -> None:
    if measured is not None and set(measured.gold) != set(facts.gold):
        raise LogError(
            f"sample {identity[:80]!r}: its gold is {sorted(facts.gold)} here, but {sorted(measured.gold)} in the "
            "report; give a log and a report of the same samples"
        )


def groups(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    """The attempts of `all` samples, and of those of each task."""
    found: dict[str, list[Attempt]] = {"all": []}
    for one in attempts:
        found["all"].append(one)
        found.setdefault(f"task:{one.facts.task_type}", []).append(one)
    return found
