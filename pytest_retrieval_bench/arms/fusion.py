"""`rrf(A,B,…)`: reciprocal rank fusion of other arms (ARB 3.6)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from typing import Final

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.describe import described_arms
from pytest_retrieval_bench.arms.preparing import PREPARE_TIMEOUT_S
from pytest_retrieval_bench.arms.replay import Replay
from pytest_retrieval_bench.arms.returned import as_answer, plain
from pytest_retrieval_bench.arms.run import TIMEOUT_S, described
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

K: Final = 60
DEPTH: Final = 20


def reciprocal_rank_fusion(rankings: Iterable[Iterable[str]]) -> list[tuple[str, float]]:
    """The paths of the rankings by the sum of 1 / (60 + rank), best first, ties by path.

    As in the benchmark's toolkit, the first 20 distinct paths of each ranking count, and 20 are kept.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, path in enumerate(islice(dict.fromkeys(ranking), DEPTH), start=1):
            scores[path] += 1 / (K + rank)
    return sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))[:DEPTH]


class Fusion:
    """Asks its arms and fuses their rankings, given files included; an arm that abstains ranks nothing.

    It fails where one of its arms fails, and does not apply where one does not: a fusion of the others would be another
    retriever.
    """

    def __init__(self, name: str, arms: Sequence[Arm]) -> None:
        self.name = name
        self.arms = arms
        self.timeout_s = _sum(getattr(arm, "timeout_s", TIMEOUT_S) for arm in arms)
        prepared = [arm for arm in arms if hasattr(arm, "prepare")]
        if prepared:
            self.prepare = self._prepare  # an arm without it has no time to show for preparing
            self.prepare_timeout_s = _sum(getattr(arm, "prepare_timeout_s", PREPARE_TIMEOUT_S) for arm in prepared)

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to.

        Raises SettingsError for one of its arms that cannot be described.
        """
        bound: dict[str, Json] = dict(described_arms({arm.name: arm for arm in self.arms}))
        names: list[Json] = [arm.name for arm in self.arms]
        return {"kind": "rrf", "k": K, "depth": DEPTH, "arms": names, "bound_to": bound}

    def of(self, sample_id: str) -> Fusion:
        """The fusion that answers one sample, where stored answers are among its arms."""
        arms = [arm.of(sample_id) if isinstance(arm, Replay | Fusion) else arm for arm in self.arms]
        return Fusion(self.name, arms)

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The fused ranking, 20 paths at most, or what is wrong with the answer of one of the arms."""
        rankings = []
        for arm in self.arms:
            # An arm may do with the fields what it likes; the next one gets them as they were.
            answer = _asked(arm, replace(query, fields=deepcopy(query.fields)), snapshot, limit)
            if answer.error is not None or not answer.applicable:
                words = answer.error or "the arm does not apply to this sample"
                return replace(answer, error=f"{arm.name}: {words}", ranking=(), scores=None, lines=None, wall_ms=None)
            rankings.append(() if answer.abstained else answer.ranking)
        fused = reciprocal_rank_fusion(rankings)
        return Answer([path for path, _ in fused], [score for _, score in fused])

    def _prepare(self, snapshot: Snapshot) -> None:
        for arm in self.arms:
            if hasattr(arm, "prepare"):
                arm.prepare(snapshot)


def _sum(bounds: Iterable[float | None]) -> float | None:
    """The seconds that all of them may take; None where one has no bound."""
    found = list(bounds)
    return None if None in found else math.fsum(bound for bound in found if bound is not None)


def with_components(arms: Iterable[Arm]) -> list[Arm]:
    """The arms and those that fusions among them are made of, each once."""
    found: dict[int, Arm] = {}
    for arm in arms:
        parts = with_components(arm.arms) if isinstance(arm, Fusion) else []
        found |= {id(one): one for one in (arm, *parts)}
    return list(found.values())


def _asked(arm: Arm, query: Query, snapshot: Snapshot, limit: int) -> Answer:
    try:
        return plain(as_answer(arm.answer(query, snapshot, limit)))
    except Exception as error:  # noqa: BLE001 - an arm may fail in any way, and which one did must be said
        return Answer(error=described(error))
