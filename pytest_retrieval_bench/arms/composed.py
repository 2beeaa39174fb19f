"""Arms that ask other arms, and make one answer of theirs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Self

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.describe import described_arms
from pytest_retrieval_bench.arms.preparing import PREPARE_TIMEOUT_S
from pytest_retrieval_bench.arms.replay import Replay
from pytest_retrieval_bench.arms.returned import as_answer, plain
from pytest_retrieval_bench.arms.run import TIMEOUT_S, described
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


class Composed:
    """An arm made of `arms`.

    It fails where one of them fails, and does not apply where one does not: what the others make together would be
    another retriever. It may take as long as all of them together.
    """

    def __init__(self, name: str, arms: Sequence[Arm]) -> None:
        self.name = name
        self.arms = arms
        self.timeout_s = _sum(getattr(arm, "timeout_s", TIMEOUT_S) for arm in arms)
        prepared = [arm for arm in arms if hasattr(arm, "prepare")]
        if prepared:
            self.prepare = self._prepare  # an arm without it has no time to show for preparing
            self.prepare_timeout_s = _sum(getattr(arm, "prepare_timeout_s", PREPARE_TIMEOUT_S) for arm in prepared)

    def bound_arms(self) -> dict[str, Json]:
        """What its arms say that they are bound to.

        Raises SettingsError for one of them that cannot be described.
        """
        return dict(described_arms({arm.name: arm for arm in self.arms}))

    def of(self, sample_id: str) -> Self:
        """The arm that answers one sample, where stored answers are among its arms."""
        return self.made_of([arm.of(sample_id) if isinstance(arm, Replay | Composed) else arm for arm in self.arms])

    def made_of(self, arms: Sequence[Arm]) -> Self:
        """The same arm, made of others."""
        return type(self)(self.name, arms)

    def answers(self, query: Query, snapshot: Snapshot, limit: int) -> list[Answer] | Answer:
        """What each of the arms answers, or what is wrong with the answer of one of them."""
        found = []
        for arm in self.arms:
            # An arm may do with the fields what it likes; the next one gets them as they were.
            answer = _asked(arm, replace(query, fields=deepcopy(query.fields)), snapshot, limit)
            if answer.error is not None or not answer.applicable:
                words = answer.error or "the arm does not apply to this sample"
                return replace(answer, error=f"{arm.name}: {words}", ranking=(), scores=None, lines=None, wall_ms=None)
            found.append(answer)
        return found

    def _prepare(self, snapshot: Snapshot) -> None:
        for arm in self.arms:
            if hasattr(arm, "prepare"):
                arm.prepare(snapshot)


def with_components(arms: Iterable[Arm]) -> list[Arm]:
    """The arms and those that composed ones among them are made of, each once."""
    found: dict[int, Arm] = {}
    for arm in arms:
        parts = with_components(arm.arms) if isinstance(arm, Composed) else []
        found |= {id(one): one for one in (arm, *parts)}
    return list(found.values())


def _sum(bounds: Iterable[float | None]) -> float | None:
    """The seconds that all of them may take; None where one has no bound."""
    found = list(bounds)
    return None if None in found else math.fsum(bound for bound in found if bound is not None)


def _asked(arm: Arm, query: Query, snapshot: Snapshot, limit: int) -> Answer:
    try:
        return plain(as_answer(arm.answer(query, snapshot, limit)))
    except Exception as error:  # noqa: BLE001 - an arm may fail in any way, and which one did must be said
        return Answer(error=described(error))
