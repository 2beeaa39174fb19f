"""What the plugin adds to pytest's own cost of an item, at 10,000 items, records and journal included.

    pytest tests/speed/bench_items.py

The difference of the two, divided by 10,000, is to be at most 0.5 ms.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.small_benchmark import ROWS, SmallBenchmark, write_small_benchmark

ITEMS = 10_000
pytestmark = pytest.mark.benchmark(group="10,000 items", min_rounds=2, warmup=False)
SILENT = """
from pytest_retrieval_bench import Answer
class Silent:
    name = "silent"
    def answer(self, query, snapshot, limit):
        return Answer()
def pytest_retrieval_bench_arms(config):
    return [Silent()]
"""
PLAIN = f"import pytest\n@pytest.mark.parametrize('number', range({ITEMS}))\ndef test_nothing(number): pass\n"


@pytest.fixture
def small(tmp_path: Path) -> SmallBenchmark:
    small = write_small_benchmark(tmp_path)
    small.write_samples({**ROWS[2], "id": f"sample-{number}"} for number in range(ITEMS))
    (tmp_path / "conftest.py").write_text(SILENT)
    return small


def run(folder: Path, *arguments: str) -> None:
    for output in folder.glob("report*"):
        output.unlink()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    subprocess.run(command, cwd=folder, env=dict(os.environ), check=True, stdout=subprocess.DEVNULL)


def test_items_of_a_benchmark(benchmark: BenchmarkFixture, small: SmallBenchmark) -> None:
    benchmark(run, small.folder, *small.options, "--rb-arms=silent", "--rb-output=report.json")
    assert json.loads((small.folder / "report.json").read_text(encoding="utf-8"))["samples"] == ITEMS


def test_items_of_pytest_alone(benchmark: BenchmarkFixture, small: SmallBenchmark) -> None:
    (small.folder / "test_plain.py").write_text(PLAIN)
    benchmark(run, small.folder, "test_plain.py")
