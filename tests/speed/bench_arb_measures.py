"""What `--rb-metrics=arb` adds to a run: at most a tenth of reading a snapshot, indexing it and answering one question.

    pytest tests/speed/bench_arb_measures.py

The benchmark's 345 samples with gold are over 271 snapshots, so that a run without cached indexes does about this for
each of them. Read the ratio of `test_measuring` to `test_answering_from_cold`; budgets are four, each with five
thresholds. No count of tokens is kept between the rounds.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.arms.bm25 import BM25, all_terms
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Answer, Query, Sample
from pytest_retrieval_bench.scoring.arb.budgeted_yield import count_tokens
from pytest_retrieval_bench.scoring.arb.measure import measure
from pytest_retrieval_bench.scoring.arb.names import FILE_MEASURES, PACKING_MEASURES, YIELD_MEASURES
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from tests.speed.corpus import library_snapshot

MEASURES = {"files": FILE_MEASURES, "budgets": YIELD_MEASURES, "packing": PACKING_MEASURES}
TEXT = "the parser reads a file line by line and raises a ValueError where the encoding is unknown"
QUERY = Query({"text": TEXT}, TEXT, TEXT)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> ChunkFile:
    return library_snapshot(tmp_path_factory.mktemp("corpus"))


def answered(snapshot: ChunkFile) -> Answer:
    again = ChunkFile(snapshot.repo, snapshot.commit, Path(snapshot.origin))
    return BM25("bm25:all", all_terms, IndexStore(None)).answer(QUERY, again, 20)


def test_answering_from_cold(benchmark: BenchmarkFixture, snapshot: ChunkFile) -> None:
    assert benchmark(answered, snapshot).ranking


@pytest.mark.parametrize("names", MEASURES.values(), ids=MEASURES)
def test_measuring(benchmark: BenchmarkFixture, snapshot: ChunkFile, names: tuple[str, ...]) -> None:
    answer = answered(snapshot)
    sample = Sample("i", "t", "o/r", "0" * 40, QUERY, tuple(answer.ranking[5:7]), (), (), "positive", "A")

    def measured() -> object:
        count_tokens.cache_clear()
        return measure(sample, answer, snapshot.text, names)["values"]

    assert benchmark(measured)
