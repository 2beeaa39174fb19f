"""`rerank:MODEL(FIRST)`: a cross-encoder over the first files of another arm."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.arms.rerank import DEPTH, Reranker
from pytest_retrieval_bench.arms.run import Asker
from pytest_retrieval_bench.model import Answer, Query
from tests.arms.cross_encoder import cross_encoder
from tests.memory_snapshot import MemorySnapshot

SNAPSHOT = MemorySnapshot({"a.py": b"zz", "b.py": b"z", "c.py": b"zzz", "d.py": b""})


class First:
    name = "first"

    def __init__(self, answer: Answer | Exception) -> None:
        self._answer = answer

    def answer(self, query: Query, snapshot: Any, limit: int) -> Answer:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


class Counting(Reranker):
    """Scores a file by the number of z in it."""

    seen: list[str]

    def _scores(self, question: str, texts: Sequence[str]) -> list[float]:
        self.seen = list(texts)
        return [float(text.count("z")) for text in texts]


def asked(first: Answer | Exception) -> tuple[Answer, Counting]:
    arm = Counting("rerank", [First(first)], Path("model"))
    return Asker().ask(arm, Query({}, "", "how many"), SNAPSHOT, 20).answer, arm


def test_files_are_sorted_by_the_model_with_their_path_before_their_text() -> None:
    answer, arm = asked(Answer(["d.py", "b.py", "a.py", "c.py"]))
    assert list(answer.ranking) == ["c.py", "a.py", "b.py", "d.py"]
    assert arm.seen[1] == "b.py\nz"


def test_what_comes_after_the_depth_and_what_the_snapshot_lacks_keeps_its_place_behind() -> None:
    many = [f"gone_{number}.py" for number in range(DEPTH - 2)]
    answer, _ = asked(Answer([*many, "b.py", "a.py", "c.py"]))
    assert list(answer.ranking) == ["a.py", "b.py", *many, "c.py"]


def test_it_keeps_silent_where_its_first_stage_does_and_fails_where_that_fails() -> None:
    assert not asked(Answer())[0].ranking
    assert not asked(Answer(["a.py"], abstained=True))[0].ranking
    assert asked(OSError("no index"))[0].error == "first: OSError: no index"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cross_encoder(tmp_path_factory.mktemp("cross-encoder"))


def test_a_real_model_gives_the_same_order_each_time_and_is_bound_by_its_digest(model: Path) -> None:
    arm = Reranker("rerank", [First(Answer(["d.py", "b.py", "a.py"]))], model)
    rankings = [Asker().ask(arm, Query({}, "", "how many"), SNAPSHOT, 20).answer for _ in range(2)]
    assert rankings[0].error is None
    assert sorted(rankings[0].ranking) == ["a.py", "b.py", "d.py"]
    assert rankings[0].ranking == rankings[1].ranking
    described = arm.describe()
    assert len(str(described["model_sha256"])) == 64
    assert described["arms"] == ["first"]
