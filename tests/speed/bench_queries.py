"""Queries on one indexed snapshot of 1,500 files and 10 MB, against a scan of each file; bm25 against bm25s.

    pytest tests/speed/bench_queries.py

Ratios wanted: grep at most 1/30 of its scan, grep-ident at most 1/300, bm25 no slower than bm25s.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.registry import built_in_arms
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import Query
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from pytest_retrieval_bench.text.identifiers import query_identifiers
from pytest_retrieval_bench.text.tokens import bench_tokens, grep_terms
from tests.reference import arms as reference
from tests.speed.corpus import library_snapshot

FIELDS = {
    "pr_title": "zipfile: decompress_type is ignored when a ZipExtFile is read through read1",
    "pr_body": "Reading with `read1` after `_update_crc` skips the check in zipfile.py. test_zipfile.py opens an "
    "archive with ZIP_DEFLATED, seeks back and compares the header that _RealGetContents found.\n\n"
    "The traceback ends in shared_memory.py, line 12, in __init__: ValueError. See also asyncio base_events.py.",
}
QUERY = Query(FIELDS, json.dumps(FIELDS, ensure_ascii=False, sort_keys=True), "")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> ChunkFile:
    return library_snapshot(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="module")
def texts(snapshot: ChunkFile) -> dict[str, str]:
    return {path: snapshot.text(path) for path in snapshot.paths}


@pytest.fixture(scope="module")
def arms(snapshot: ChunkFile) -> dict[str, Arm]:
    found = {arm.name: arm for arm in built_in_arms(IndexStore(None))}
    for arm in found.values():
        arm.answer(QUERY, snapshot, 20)
    return found


def scan_grep(texts: dict[str, str]) -> list[str]:
    """A straightforward scan, lower-casing once a file."""
    terms = grep_terms(QUERY.text)
    scored = []
    for path, text in texts.items():
        lowered, in_path = text.lower(), set(bench_tokens(path))
        counts = {term: lowered.count(term) for term in terms}
        distinct = sum(2 if term in in_path else counts[term] > 0 for term in terms)
        scored.append((-distinct, -sum(counts.values()), path))
    return [path for distinct, _, path in sorted(scored) if distinct]


@pytest.mark.benchmark(group="grep")
def test_grep(benchmark: BenchmarkFixture, arms: dict[str, Arm], snapshot: ChunkFile, texts: dict[str, str]) -> None:
    answer = benchmark(arms["grep"].answer, QUERY, snapshot, 20)
    assert list(answer.ranking) == scan_grep(texts)


@pytest.mark.benchmark(group="grep")
def test_grep_by_scan(benchmark: BenchmarkFixture, texts: dict[str, str]) -> None:
    assert benchmark(scan_grep, texts)


def scan_grep_ident(texts: dict[str, str]) -> list[str]:
    return [path for path, _ in reference.grep_ident(texts, query_identifiers(dict(QUERY.fields)))]


@pytest.mark.benchmark(group="grep-ident")
def test_grep_ident(
    benchmark: BenchmarkFixture, arms: dict[str, Arm], snapshot: ChunkFile, texts: dict[str, str]
) -> None:
    answer = benchmark(arms["grep-ident"].answer, QUERY, snapshot, 20)
    assert list(answer.ranking) == scan_grep_ident(texts)


@pytest.mark.benchmark(group="grep-ident")
def test_grep_ident_by_scan(benchmark: BenchmarkFixture, texts: dict[str, str]) -> None:
    assert benchmark(scan_grep_ident, texts)


@pytest.mark.benchmark(group="bm25 from text to ranking")
def test_bm25(benchmark: BenchmarkFixture, snapshot: ChunkFile) -> None:
    assert snapshot.paths

    def from_text_to_ranking() -> Any:
        arm = next(arm for arm in built_in_arms(IndexStore(None)) if arm.name == "bm25:all")
        return arm.answer(QUERY, snapshot, 20)

    assert benchmark(from_text_to_ranking).ranking


@pytest.mark.benchmark(group="bm25 from text to ranking")
def test_bm25_by_bm25s(benchmark: BenchmarkFixture, texts: dict[str, str]) -> None:
    bm25s = pytest.importorskip("bm25s", reason="bm25s is not installed")

    def from_text_to_ranking() -> Any:
        retriever = bm25s.BM25(k1=1.2, b=0.75)
        retriever.index([bench_tokens(text) for text in texts.values()], show_progress=False)
        return retriever.retrieve([grep_terms(QUERY.text)], k=len(texts), show_progress=False)

    assert benchmark(from_text_to_ranking) is not None
