"""The paired section of a large report: 427 samples, 8 arms of which four are held against four. Wanted: 1 s of CPU.

Run it as `pytest tests/speed/bench_paired.py --benchmark-timer=time.process_time`.
"""

from __future__ import annotations

import random
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.model import LEXICAL_ARMS
from pytest_retrieval_bench.reporting.paired import paired_section

ARMS = (*LEXICAL_ARMS, "corvint", "context", "mine", "theirs")
METRICS = ("recall@5", "recall@10", "recall@20", "mrr@k", "hit@k")


def rows() -> list[dict[str, Any]]:
    source = random.Random(1)
    return [
        {
            "id": str(number),
            "task_type": f"task {number % 4}",
            "repo": f"acme/repository-{number % 25}",
            "stratum": "positive",
            "partition": "AB"[number % 2],
            "metrics": {arm: {metric: source.randint(0, 6) / 6 for metric in METRICS} for arm in ARMS},
        }
        for number in range(427)
    ]


def test_all_blocks(benchmark: BenchmarkFixture) -> None:
    section = benchmark(paired_section, rows(), ARMS, LEXICAL_ARMS, 20)
    assert section["all"]["mine"]["grep"]["mrr@k"]["n"] == 427
