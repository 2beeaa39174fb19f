"""`rrf(A,B,…)` and `weighted:FILE`: other arms fused by the ranks of their files (ARB 3.6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.composed import Composed
from pytest_retrieval_bench.arms.weights import Weights
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

K: Final = 60
DEPTH: Final = 20


def reciprocal_rank_fusion(
    rankings: Iterable[Iterable[str]], weights: Iterable[float] | None = None
) -> list[tuple[str, float]]:
    """The paths of the rankings by the sum of 1 / (60 + rank), best first, ties by path.

    As in the benchmark's toolkit, the first 20 distinct paths of each ranking count, and 20 are kept. With `weights`,
    one a ranking, each part is multiplied by that of its ranking.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    listed = list(rankings)
    for ranking, weight in zip(listed, [1.0] * len(listed) if weights is None else weights, strict=True):
        for rank, path in enumerate(islice(dict.fromkeys(ranking), DEPTH), start=1):
            scores[path] += weight / (K + rank)
    return sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))[:DEPTH]


class Fusion(Composed):
    """Asks its arms and fuses their rankings, given files included; an arm that abstains ranks nothing."""

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        names: list[Json] = [arm.name for arm in self.arms]
        return {"kind": "rrf", "k": K, "depth": DEPTH, "arms": names, "bound_to": self.bound_arms()}

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The fused ranking, 20 paths at most, or what is wrong with the answer of one of the arms."""
        return fused(self.answers(query, snapshot, limit))


class WeightedFusion(Composed):
    """A fusion in which each arm has a weight that was fitted on other repositories."""

    def __init__(self, name: str, arms: Sequence[Arm], weights: Weights) -> None:
        super().__init__(name, arms)
        self.weights = weights

    def made_of(self, arms: Sequence[Arm]) -> WeightedFusion:
        """The same fusion of other arms."""
        return WeightedFusion(self.name, arms, self.weights)

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        return {"kind": "weighted", "k": K, "depth": DEPTH, **self.weights.as_json(), "bound_to": self.bound_arms()}

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The fused ranking, 20 paths at most, or what is wrong with the answer of one of the arms."""
        return fused(self.answers(query, snapshot, limit), [self.weights.by_arm[arm.name] for arm in self.arms])


def fused(answers: Sequence[Answer] | Answer, weights: Sequence[float] | None = None) -> Answer:
    """The fusion of answers; what is an error already stays one."""
    if isinstance(answers, Answer):
        return answers
    found = reciprocal_rank_fusion((() if answer.abstained else answer.ranking for answer in answers), weights)
    return Answer([path for path, _ in found], [score for _, score in found])
