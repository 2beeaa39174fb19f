"""The section `inference` of a large report: 427 samples, 8 arms of which four are held against four, 400 comparisons.

Wanted: 3 s of CPU. Run it as `pytest tests/speed/bench_inference.py --benchmark-timer=time.process_time`.
"""

from __future__ import annotations

import random

from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.model import LEXICAL_ARMS
from pytest_retrieval_bench.reporting.inference import inference_section
from pytest_retrieval_bench.reporting.inference_choice import NAMES, InferenceChoice
from tests.speed.bench_paired import ARMS, rows


def test_everything_that_can_be_asked_for(benchmark: BenchmarkFixture) -> None:
    source, samples = random.Random(2), rows()
    for row in samples:
        for metrics in row["metrics"].values():
            metrics["hit@k"] = source.randint(0, 1)
    section = benchmark(inference_section, samples, ARMS, LEXICAL_ARMS, 20, InferenceChoice(NAMES, 0.05))
    assert section["groups"]["all"]["mine"]["grep"]["mrr@k"]["n"] == 427
    assert section["families"]["randomization, tasks"]["size"] == 320
