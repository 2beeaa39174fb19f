"""A whole corpus, cold and warm, against the least that any such program must do.

The base parses each chunk file with orjson and counts the words of each distinct content. Run it as

    RB_REAL=FOLDER pytest tests/speed/bench_corpora.py --benchmark-timer=time.process_time

and read the column of ratios: cold at most 2, warm at most 0.75.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import orjson
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.arms.registry import built_in_arms
from pytest_retrieval_bench.arms.returned import as_answer
from pytest_retrieval_bench.benchmarks.read import read_samples
from pytest_retrieval_bench.index.cache import IndexCache
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.snapshots.store import SnapshotStore
from tests.speed.corpus import real_folder

_WORDS = bytes(byte if chr(byte).isascii() and (chr(byte).isalnum() or byte == 95) else 32 for byte in range(256))
pytestmark = [
    pytest.mark.skipif(real_folder() is None, reason="RB_REAL does not name a folder with the real samples and corpus"),
    pytest.mark.benchmark(group="corpora", min_rounds=3, warmup=True, warmup_iterations=1),
]


@pytest.fixture(scope="module")
def real() -> Path:
    folder = real_folder()
    assert folder is not None
    return folder


def base(corpus: Path) -> int:
    counted: dict[bytes, Counter[bytes]] = {}
    for path in sorted(corpus.rglob("*.chunks.jsonl")):
        with path.open("rb") as stream:
            for line in stream:
                content = orjson.loads(line)["text"].encode()
                if content not in counted:
                    counted[content] = Counter(content.translate(_WORDS).split())
    return len(counted)


def all_answers(real: Path, samples: list[Sample], cache: IndexCache | None) -> int:
    snapshots, arms = SnapshotStore(real / "corpus", {}), built_in_arms(IndexStore(cache))
    answers = [
        as_answer(arm.answer(sample.query, snapshots.open(sample.repo, sample.base_commit), 20))
        for sample in sorted(samples, key=lambda sample: (sample.repo, sample.base_commit))
        for arm in arms
    ]
    return sum(bool(answer.ranking) for answer in answers)


def samples_of(real: Path) -> list[Sample]:
    (file,) = read_samples([real / "samples.jsonl"])
    return list(file.samples)


def test_base(benchmark: BenchmarkFixture, real: Path) -> None:
    assert benchmark(base, real / "corpus") > 0


def test_cold_without_cache(benchmark: BenchmarkFixture, real: Path) -> None:
    assert benchmark(all_answers, real, samples_of(real), None) > 0


def test_warm(benchmark: BenchmarkFixture, real: Path, tmp_path: Path) -> None:
    samples, cache = samples_of(real), IndexCache(tmp_path)
    all_answers(real, samples, cache)
    assert benchmark(all_answers, real, samples, cache) > 0
