"""`rrf(A,B)`: an arm that asks other arms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.composed import with_components
from pytest_retrieval_bench.arms.fusion import Fusion, reciprocal_rank_fusion
from pytest_retrieval_bench.arms.preparing import PREPARE_TIMEOUT_S
from pytest_retrieval_bench.arms.run import TIMEOUT_S, Asker
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from tests.memory_snapshot import MemorySnapshot

QUERY = Query({"words": ["a"]}, "", "")
SNAPSHOT = MemorySnapshot({"a.py": b"", "b.py": b"", "c.py": b""})


class Fixed:
    """An arm with one answer, or one error."""

    def __init__(self, name: str, answer: Answer | Iterable[str] | Exception, **members: Any) -> None:
        self.name = name
        self._answer = answer
        self.fields: dict[str, Any] = {}
        vars(self).update(members)

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer | Iterable[str]:
        words: Any = query.fields["words"]
        self.fields = {"words": list(words)}
        words.append(self.name)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def fused(*arms: Arm) -> Answer:
    return Asker().ask(Fusion("rrf", arms), QUERY, SNAPSHOT, 20).answer


def test_paths_that_several_arms_rank_come_first() -> None:
    answer = fused(Fixed("one", ["a.py", "b.py"]), Fixed("two", ["b.py", "c.py"]))
    assert list(answer.ranking) == ["b.py", "a.py", "c.py"]
    assert list(answer.scores or ()) == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])


def test_twenty_paths_of_each_count_and_twenty_are_kept() -> None:
    first, second = [f"a{n:02}" for n in range(30)], [f"b{n:02}" for n in range(30)]
    kept = [path for path, _ in reciprocal_rank_fusion([first, second])]
    assert kept == [path for pair in zip(first, second, strict=True) for path in pair][:20]
    assert reciprocal_rank_fusion([["a", "a", "b"]]) == [("a", 1 / 61), ("b", 1 / 62)]


def test_an_arm_that_abstains_ranks_nothing_and_all_that_abstain_abstain() -> None:
    silent = Fixed("silent", Answer(["c.py"], abstained=True))
    assert list(fused(silent, Fixed("one", ["a.py"])).ranking) == ["a.py"]
    assert not fused(silent, Fixed("none", [])).ranking


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (RuntimeError("no index"), "bad: RuntimeError: no index"),
        (Answer(error="it crashed"), "bad: it crashed"),
        ("text", "bad: TypeError: the arm returned str; return a list of paths, of (path, score) pairs, or a"),
    ],
)
def test_the_failure_of_an_arm_is_that_of_the_fusion_and_names_the_arm(answer: Any, error: str) -> None:
    found = fused(Fixed("one", ["a.py"]), Fixed("bad", answer))
    assert found.error is not None
    assert found.error.startswith(error)
    assert not found.ranking


def test_what_does_not_apply_to_an_arm_does_not_apply_to_the_fusion() -> None:
    found = fused(Fixed("one", ["a.py"]), Fixed("other", Answer(applicable=False)))
    assert not found.applicable
    assert found.error == "other: the arm does not apply to this sample"


def test_each_arm_gets_the_query_as_it_was() -> None:
    one, two = Fixed("one", []), Fixed("two", [])
    fused(one, two)
    assert one.fields == two.fields == {"words": ["a"]}


def test_a_fusion_has_the_time_of_its_arms() -> None:
    timed, free, default = Fixed("a", [], timeout_s=2.5), Fixed("b", [], timeout_s=None), Fixed("c", [])
    assert Fusion("f", [timed, default]).timeout_s == 2.5 + TIMEOUT_S
    assert Fusion("f", [timed, free]).timeout_s is None


def test_arms_are_prepared_where_they_can_be() -> None:
    prepared: list[Snapshot] = []
    ready = Fixed("ready", ["a.py"], prepare=prepared.append)
    fusion = Fusion("f", [ready, Fixed("plain", ["b.py"])])
    assert fusion.prepare_timeout_s == PREPARE_TIMEOUT_S
    answer = Asker().ask(fusion, QUERY, SNAPSHOT, 20).answer
    assert prepared == [SNAPSHOT]
    assert answer.index is not None
    assert not hasattr(Fusion("f", [Fixed("a", []), Fixed("b", [])]), "prepare")


def test_the_arms_of_fusions_are_found_once() -> None:
    one, two, three = Fixed("one", []), Fixed("two", []), Fixed("three", [])
    inner = Fusion("inner", [two, three])
    outer = Fusion("outer", [one, inner])
    assert with_components([one, outer, inner]) == [one, outer, inner, two, three]
