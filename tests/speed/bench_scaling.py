"""Two workers against one process, cold, over a corpus that keeps them busy.

    RB_SPEED_GB=2 pytest tests/speed/bench_scaling.py

Ratio wanted: two workers at least 1.7 times faster. Starting them takes two seconds, so a small corpus cannot show
it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.speed.corpus import write_large_corpus

pytestmark = pytest.mark.benchmark(group="a large corpus, cold", min_rounds=1, max_time=1, warmup=False)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    write_large_corpus(folder, int(float(os.environ.get("RB_SPEED_GB", "0.4")) * 1e9))
    return folder


@pytest.mark.parametrize("mode", [[], ["-n2"]], ids=["plain", "two workers"])
def test_a_run(benchmark: BenchmarkFixture, large: Path, mode: list[str]) -> None:
    options = ["--rb-samples=samples.jsonl", "--rb-corpus=corpus", "--rb-no-cache", "-q", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *mode]
    finished = benchmark(subprocess.run, command, cwd=large, capture_output=True, text=True, check=True)
    assert " passed" in finished.stdout
