"""`random`: every file, in an order of chance that stays, and its figures where chance puts them."""

from __future__ import annotations

import math

from pytest_retrieval_bench.arms.floor.random_order import RandomOrder
from pytest_retrieval_bench.model import Query
from pytest_retrieval_bench.scoring.ranking import ranking_metrics
from tests.memory_snapshot import MemorySnapshot

FILES, LIMIT, SAMPLES = 50, 20, 2_000
SNAPSHOT = MemorySnapshot({f"{number:02}.py": b"" for number in range(FILES)})


def order(text: str, snapshot: MemorySnapshot = SNAPSHOT, seed: int = 0) -> list[str]:
    return list(RandomOrder(seed).answer(Query({}, text, ""), snapshot, LIMIT).ranking)


def test_it_ranks_every_file_once_and_alike_each_time() -> None:
    assert sorted(order("a")) == sorted(SNAPSHOT.paths)
    assert order("a") == order("a")


def test_question_snapshot_and_seed_each_give_another_order() -> None:
    other = MemorySnapshot(dict.fromkeys(SNAPSHOT.paths, b""), repo="acme/other")
    assert len({tuple(found) for found in (order("a"), order("b"), order("a", other), order("a", seed=1))}) == 4


def test_recall_hits_and_reciprocal_ranks_are_where_chance_puts_them() -> None:
    gold = {"03.py", "17.py", "41.py"}
    found = [ranking_metrics(order(str(number))[:LIMIT], gold, (), LIMIT) for number in range(SAMPLES)]
    missed = math.prod((FILES - LIMIT - place) / (FILES - place) for place in range(len(gold)))
    first = [  # the chance that the first of three gold files has this rank
        math.comb(FILES - rank, len(gold) - 1) / math.comb(FILES, len(gold)) for rank in range(1, LIMIT + 1)
    ]
    expected = {
        "recall@5": 5 / FILES, "recall@20": 20 / FILES, "hit@k": 1 - missed,
        "mrr@k": sum(chance / rank for rank, chance in enumerate(first, start=1)),
    }  # fmt: skip
    for name, value in expected.items():
        mean = sum(row[name] for row in found) / SAMPLES
        spread = math.sqrt(sum((row[name] - mean) ** 2 for row in found) / SAMPLES / SAMPLES)
        assert abs(mean - value) < 4 * spread, name
