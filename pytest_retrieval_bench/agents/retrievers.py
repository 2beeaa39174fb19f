"""The arms of a report beside an agent: what only one side finds, and what the agent could save (ARB 7.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pytest_retrieval_bench.agents.figures import Column, Figure, Value, correlation, means, middle, shares
from pytest_retrieval_bench.agents.measures import file_shares
from pytest_retrieval_bench.agents.runs import Attempt
from pytest_retrieval_bench.scoring.arb.names import ARB, yield_name

DEPTHS: Final = (3, 5, 10, 20)
_CONTEXTS: Final = (3, 4)
_YIELD: Final = yield_name(8000)


@dataclass(frozen=True, slots=True)
class Ranking:
    """How one arm ranked one sample: the rank of each gold file, None where it has none.

    `limit` is how deep ranks are known, None for the whole ranking; `answered` how many files were scored; `gain` the
    Budgeted Context Yield at 8,000 tokens, None where it was not measured.
    """

    repo: str
    ranks: Mapping[str, int | None]
    limit: int | None
    answered: int
    gain: float | None = None

    @property
    def first(self) -> int | None:
        """The rank of the first gold file."""
        return min((rank for rank in self.ranks.values() if rank is not None), default=None)

    def hit(self, depth: int) -> bool:
        """Whether a gold file is ranked that high."""
        return self.first is not None and self.first <= depth


Rankings = Mapping[str, Ranking]


def rankings(rows: Iterable[Mapping[str, Any]], arm: str, limit: int) -> dict[str, Ranking]:
    """The rankings of an arm by sample id, of the details of a report with this limit.

    Ranks are of the whole ranking where the report has them (`--rb-metrics=arb`); else of what it scored: without given
    files, cut at the limit. Answers that do not apply are left out, failed ones rank nothing.
    """
    return {
        row["id"]: _ranking(row, arm, limit)
        for row in rows
        if row["gold"] and row["arms"].get(arm, {"outcome": "not applicable"})["outcome"] != "not applicable"
    }


def _ranking(row: Mapping[str, Any], arm: str, limit: int) -> Ranking:
    ranked = row["arms"][arm]["ranked"]
    kept = row.get("measures", {}).get(arm, {}).get(ARB, {})
    if "gold_ranks" in kept:
        return Ranking(row["repo"], kept["gold_ranks"], None, len(ranked), kept["values"].get(_YIELD))
    places = {path: rank for rank, path in enumerate(ranked, start=1)}
    return Ranking(row["repo"], {path: places.get(path) for path in row["gold"]}, limit, len(ranked))


def depths_of(found: Rankings) -> list[int]:
    """The depths that all rankings are known to."""
    limits = [one.limit for one in found.values() if one.limit is not None]
    return [depth for depth in DEPTHS if depth <= min(limits, default=depth)]


def retriever(found: Rankings) -> dict[str, Any]:
    """How high an arm ranks gold, and the mean F1 of its first three or four files taken as an agent's context."""
    ranked = list(found.values())
    contexts = {f"context_f1@{size}": [(one.repo, _context_f1(one, size)) for one in ranked] for size in _CONTEXTS}
    return {
        "ranks": "whole" if all(one.limit is None for one in ranked) else "cut",
        "n": len(ranked),
        "first_gold_rank": middle([one.first for one in ranked if one.first is not None]),
        **_any(ranked, depths_of(found), "any"),
        **means(contexts),
    }


def joined(attempts: Mapping[str, Attempt], found: Rankings) -> dict[str, Any]:
    """An agent and an arm on the samples that both have: subsets of these, and at each depth who finds gold."""
    common = [(attempts[identity], found[identity]) for identity in sorted(attempts.keys() & found.keys())]
    chosen: dict[str, Callable[[Attempt], bool]] = {
        "all": lambda one: True,
        "agent_hit": lambda one: one.first_listed is not None,
        "agent_miss": lambda one: one.first_listed is None,
        "agent_late_hit": lambda one: one.late,
        "agent_early_hit": lambda one: one.first_listed is not None and not one.late,
    }
    depths = depths_of(found)
    return {
        "n": len(common),
        "subsets": {
            name: _subset([pair for pair in common if passes(pair[0])], depths) for name, passes in chosen.items()
        },
        "complementarity": {str(depth): _complementarity(common, depth) for depth in depths},
        "yield": _yield(common),
    }


def saving(one: Attempt, ranking: Ranking, depth: int) -> int:
    """How many steps before its first sight of gold an agent could save, were it handed the ranking that deep."""
    return max(0, one.first_listed - 1) if ranking.hit(depth) and one.first_listed is not None else 0


def _subset(pairs: Sequence[tuple[Attempt, Ranking]], depths: Sequence[int]) -> dict[str, Any]:
    ranked = [ranking for _, ranking in pairs]
    return {
        "events": Column([(one.facts.repo, len(one.steps)) for one, _ in pairs]),
        "first_gold": middle([one.first_listed for one, _ in pairs if one.first_listed is not None]),
        "first_gold_rank": middle([ranking.first for ranking in ranked if ranking.first is not None]),
        **_any(ranked, depths, "retriever_any"),
    }


def _complementarity(pairs: Sequence[tuple[Attempt, Ranking]], depth: int) -> dict[str, Column]:
    sides = [(one.facts.repo, ranking.hit(depth), one.first_listed is not None) for one, ranking in pairs]
    saved: list[Value] = [(one.facts.repo, saving(one, ranking, depth)) for one, ranking in pairs]
    columns: dict[str, list[Value]] = {
        "both_hit": [(repo, retrieved and seen) for repo, retrieved, seen in sides],
        "retriever_only": [(repo, retrieved and not seen) for repo, retrieved, seen in sides],
        "agent_only": [(repo, seen and not retrieved) for repo, retrieved, seen in sides],
        "both_miss": [(repo, not retrieved and not seen) for repo, retrieved, seen in sides],
        "retriever_given_agent_miss": [(repo, retrieved) for repo, retrieved, seen in sides if not seen],
        "agent_given_retriever_miss": [(repo, seen) for repo, retrieved, seen in sides if not retrieved],
    }
    return {**shares(columns), "potential_exploration_savings": Column(saved)}


def _yield(pairs: Sequence[tuple[Attempt, Ranking]]) -> dict[str, Figure]:
    """Whether agents do better where the ranking yields more: correlations over the samples that have a yield."""
    known = [(one, ranking.gain) for one, ranking in pairs if ranking.gain is not None]
    return {
        "any_gold": correlation([(gain, one.first_listed is not None) for one, gain in known]),
        "final_file_f1": correlation([(gain, one.measures["final_file_f1"]) for one, gain in known]),
    }


def _any(ranked: Sequence[Ranking], depths: Sequence[int], name: str) -> dict[str, Column]:
    return shares({f"{name}@{depth}": [(one.repo, one.hit(depth)) for one in ranked] for depth in depths})


def _context_f1(one: Ranking, size: int) -> float:
    """The F1 of so many files, of which those that are no gold need no name."""
    first = [path for path, rank in one.ranks.items() if rank is not None and rank <= size]
    others = [f"\0{place}" for place in range(min(size, one.answered) - len(first))]
    return file_shares(one.ranks, [*first, *others])["f1"]
