"""`--rb-top`: the samples that most arms miss, and those on which the arms differ most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.statistics.rounding import mean

_RANK = "mrr@k"


@dataclass(frozen=True, slots=True)
class Standing:
    """How the arms stand on one sample with gold.

    `reciprocal_ranks` maps each arm that has a result to 1 / rank of its first gold file, 0 for a miss and an error.
    """

    id: str
    task_type: str
    repo: str
    reciprocal_ranks: Mapping[str, float]

    @property
    def hits(self) -> int:
        """How many arms ranked a gold file within the limit."""
        return sum(value > 0 for value in self.reciprocal_ranks.values())

    @property
    def spread(self) -> float:
        """The reciprocal rank of the best arm less that of the worst."""
        return max(self.reciprocal_ranks.values()) - min(self.reciprocal_ranks.values())

    def arms_at(self, value: float) -> list[str]:
        """The arms with this reciprocal rank."""
        return [arm for arm, found in self.reciprocal_ranks.items() if found == value]


def standings(rows: Iterable[Row]) -> list[Standing]:
    """The samples with gold to which an arm has a result, in the order of the report."""
    found = []
    for row in rows:
        ranks = {arm: metrics[_RANK] for arm, metrics in row["metrics"].items() if _RANK in metrics}
        if ranks:
            found.append(Standing(row["id"], row["task_type"], row["repo"], ranks))
    return found


def worst_misses(found: Sequence[Standing]) -> list[Standing]:
    """The samples that some arm misses: smallest share of arms with a hit first, then lowest mean, then by id."""
    missed = [standing for standing in found if standing.hits < len(standing.reciprocal_ranks)]
    return sorted(missed, key=lambda one: (one.hits / len(one.reciprocal_ranks), _mean(one), one.id))


def disagreements(found: Sequence[Standing]) -> list[Standing]:
    """The samples on which arms differ: largest difference of reciprocal ranks first, then by id."""
    differing = [standing for standing in found if standing.spread > 0]
    return sorted(differing, key=lambda standing: (-standing.spread, standing.id))


def _mean(standing: Standing) -> float:
    return mean(list(standing.reciprocal_ranks.values()))
