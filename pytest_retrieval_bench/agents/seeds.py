"""What comes of handing an agent files before it begins: the same samples with a seed and without (ARB 7.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.agents.cost import sights, tool_figures, trajectory_means
from pytest_retrieval_bench.agents.figures import Column, Value, means, shares
from pytest_retrieval_bench.agents.runs import Attempt, Run

# Scores that differ by less differ by rounding alone.
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class Pair:
    """One sample, attempted without a seed (`control`) and with one (`seeded`)."""

    control: Attempt
    seeded: Attempt

    @property
    def repo(self) -> str:
        """The sample's repository."""
        return self.control.facts.repo

    @property
    def f1_gain(self) -> float:
        """By how much the F1 of the final files is higher with the seed."""
        return self.seeded.measures["final_file_f1"] - self.control.measures["final_file_f1"]

    @property
    def steps_gained(self) -> int | None:
        """By how many steps gold is seen earlier with the seed; None where one of both never sees any."""
        before, after = self.control.earliest, self.seeded.earliest
        return None if before is None or after is None else before - after

    @property
    def events_saved(self) -> int:
        """By how many steps the attempt with the seed is shorter."""
        return len(self.control.steps) - len(self.seeded.steps)

    @property
    def rescued(self) -> bool:
        """Whether gold is seen with the seed only."""
        return self.control.earliest is None and self.seeded.earliest is not None

    @property
    def lost(self) -> bool:
        """Whether gold is seen without the seed only."""
        return self.control.earliest is not None and self.seeded.earliest is None


def intervention(runs: Mapping[str, Run], control: str) -> dict[str, Any]:
    """Every agent on the samples that all have, and what each differs in from the `control`."""
    common = set.intersection(*(set(run.attempts) for run in runs.values()))
    without = runs[control].only(common)
    return {
        "control": control,
        "n": len(common),
        "agents": {
            name: {
                **sights(run.only(common)),
                "trajectory": trajectory_means(run.only(common)),
                "closed_tool": tool_figures(run.only(common)),
                "seed": _seed(run.only(common)),
                **({} if name == control else {"paired": paired(pairs_of(without, run.only(common)))}),
            }
            for name, run in runs.items()
        },
    }


def pairs_of(control: Sequence[Attempt], seeded: Sequence[Attempt]) -> list[Pair]:
    """The attempts at the same samples, in the same order, in pairs."""
    return [Pair(before, after) for before, after in zip(control, seeded, strict=True)]


def paired(pairs: Sequence[Pair]) -> dict[str, Column]:
    """What the seed changes; `first_gold_delta` is above 0 where gold is seen later with it."""

    def column(value: Callable[[Pair], float], among: Callable[[Pair], bool] = lambda pair: True) -> list[Value]:
        return [(pair.repo, value(pair)) for pair in pairs if among(pair)]

    return {
        **means(
            {
                "f1_delta": column(lambda pair: pair.f1_gain),
                "f1_delta_seed_has_gold": column(lambda pair: pair.f1_gain, lambda pair: _has_gold(pair.seeded)),
                "f1_delta_seed_lacks_gold": column(lambda pair: pair.f1_gain, lambda pair: not _has_gold(pair.seeded)),
                "first_gold_delta": [(pair.repo, -gain) for pair in pairs if (gain := pair.steps_gained) is not None],
            }
        ),
        **shares(
            {
                "improved": column(lambda pair: pair.f1_gain > _SAME),
                "worsened": column(lambda pair: pair.f1_gain < -_SAME),
                "unchanged": column(lambda pair: abs(pair.f1_gain) <= _SAME),
                "rescued": column(lambda pair: pair.rescued),
                "lost": column(lambda pair: pair.lost),
                "rescued_given_control_miss": column(
                    lambda pair: pair.rescued, lambda pair: pair.control.earliest is None
                ),
            }
        ),
    }


def _seed(attempts: Sequence[Attempt]) -> dict[str, Column]:
    """What the agents were handed, and what they read beyond it, over those whose logs say it."""
    found = [(one.facts.repo, one.tools) for one in attempts if one.tools is not None]
    users = [one for one in attempts if one.tools is not None]
    return {
        **shares({"seed_any_gold": [(one.facts.repo, _has_gold(one)) for one in users]}),
        **means(
            {
                "seed_files": [(repo, len(tools.seed_files)) for repo, tools in found],
                "seed_tokens": [(repo, tools.seed_tokens) for repo, tools in found],
                "post_seed_read_tokens": [
                    (repo, max(0, tools.counts.get("read_tokens", 0) - tools.seed_tokens)) for repo, tools in found
                ],
            }
        ),
    }


def _has_gold(one: Attempt) -> bool:
    """Whether an agent was handed gold: as its log says, or else by the files that it was handed."""
    if one.tools is None:
        return any(step.number == 0 and step.path in one.facts.gold for step in one.steps)
    if one.tools.seed_has_gold is not None:
        return one.tools.seed_has_gold
    return not set(one.facts.gold).isdisjoint(one.tools.seed_files)
