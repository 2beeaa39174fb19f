"""The rankers of Agent Retrieval Bench against their plain way of work: pure Python, the corpus read for each sample.

    pytest tests/speed/bench_arb.py --benchmark-group-by=group

Ratios wanted: lexical and bm25 at least 50 once indexed and 10 cold, repomap at least 10 once the map is there. Cold
is a run over three commits of a repository with two arms, files read and all; one commit alone gives half of that.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from pytest_retrieval_bench.arms.arb.bm25 import ChunkBM25
from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.lexical import Lexical
from pytest_retrieval_bench.arms.arb.ranker import Ranker
from pytest_retrieval_bench.arms.arb.repomap.arm import RepoMapArm
from pytest_retrieval_bench.builders.corpus import chunks
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from pytest_retrieval_bench.text.tokens import bench_tokens
from tests.reference.arb import by_best_chunk, document
from tests.speed.bench_queries import QUERY
from tests.speed.corpus import COMMIT, REPO, library_files

Row = dict[str, Any]


@pytest.fixture(scope="module")
def commits(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three commits of a repository of 800 files, with symbol rows; a tenth of the files differs between two."""
    paths = []
    for number in range(3):
        path = tmp_path_factory.mktemp("commits") / f"{number}.chunks.jsonl"
        with path.open("w", encoding="utf-8") as stream:
            for place, (name, text) in enumerate(library_files(800, 8_000_000)):
                changed = text if place % 10 else f"{text}\nchanged_in_{number} = {place}\n"
                for line, (kind, symbol, _, _, part) in enumerate(chunks(changed)):
                    row = {"path": name, "kind": kind, "symbol": symbol, "text": part, "chunk_id": f"{line:06}"}
                    stream.write(json.dumps(row) + "\n")
        paths.append(path)
    return paths


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def plain_lexical(query: str, rows: list[Row]) -> list[str]:
    """The way of the benchmark's toolkit."""
    counts, lowered = Counter(bench_tokens(query)), query.lower()
    documents = [set(document(row)) for row in rows]
    holders = Counter(token for tokens in documents for token in tokens)
    scored = []
    for row, tokens in zip(rows, documents, strict=True):
        score = 0.0
        for token, count in counts.items():
            if token in tokens:
                score += (1.0 + math.log(count)) * math.log((len(rows) + 1) / (1 + holders[token]) + 1.0)
        score += 25.0 * (row["path"].lower() in lowered) + 8.0 * (row["path"].rpartition("/")[2].lower() in lowered)
        score += 5.0 * (row["symbol"] != "" and row["symbol"].lower() in lowered)
        scored.append((score / max(1.0, math.sqrt(len(tokens))), row))
    return [path for path, _ in by_best_chunk(scored)]


def plain_bm25(query: str, rows: list[Row]) -> list[str]:
    """The way of the benchmark's toolkit."""
    counts = Counter(bench_tokens(query))
    documents = [document(row) for row in rows]
    holders = Counter(token for tokens in documents for token in set(tokens))
    mean = sum(map(len, documents)) / len(documents)
    scored = []
    for row, tokens in zip(rows, documents, strict=True):
        score, found = 0.0, Counter(tokens)
        for token, count in counts.items():
            if found[token]:
                idf = math.log(1.0 + (len(rows) - holders[token] + 0.5) / (holders[token] + 0.5))
                norm = 0.25 + 0.75 * (len(tokens) / mean)
                score += count * idf * ((found[token] * 2.5) / (found[token] + 1.5 * norm))
        scored.append((score, row))
    return [path for path, _ in by_best_chunk(scored)]


PLAIN: dict[str, Callable[[str, list[Row]], list[str]]] = {"lexical": plain_lexical, "bm25": plain_bm25}
RANKERS: dict[str, type[Ranker]] = {"lexical": Lexical, "bm25": ChunkBM25}


@pytest.mark.parametrize("name", PLAIN)
def test_indexed(benchmark: BenchmarkFixture, commits: list[Path], name: str) -> None:
    benchmark.group = f"{name}, indexed"
    snapshot = ChunkFile(REPO, COMMIT, commits[0])
    arm = RANKERS[name](name, Corpus("all_files"))
    arm.answer(QUERY, snapshot, 20)
    answer = benchmark(arm.answer, QUERY, snapshot, 20)
    assert list(answer.ranking) == PLAIN[name](QUERY.text, read(commits[0]))


@pytest.mark.parametrize("name", PLAIN)
def test_by_plain_python(benchmark: BenchmarkFixture, commits: list[Path], name: str) -> None:
    benchmark.group = f"{name}, indexed"
    rows = read(commits[0])
    assert benchmark.pedantic(PLAIN[name], (QUERY.text, rows), rounds=2)  # type: ignore[no-untyped-call]


@pytest.mark.benchmark(group="lexical and bm25 over three commits, cold")
def test_cold(benchmark: BenchmarkFixture, commits: list[Path]) -> None:
    def run() -> None:
        corpus = Corpus("all_files")
        arms = [kind(name, corpus) for name, kind in RANKERS.items()]
        for path in commits:
            snapshot = ChunkFile(REPO, COMMIT, path)
            assert all(arm.answer(QUERY, snapshot, 20).ranking for arm in arms)

    benchmark.pedantic(run, rounds=3)  # type: ignore[no-untyped-call]


@pytest.mark.benchmark(group="lexical and bm25 over three commits, cold")
def test_cold_by_plain_python(benchmark: BenchmarkFixture, commits: list[Path]) -> None:
    def run() -> None:
        for ranker in PLAIN.values():
            for path in commits:
                assert ranker(QUERY.text, read(path))

    benchmark.pedantic(run, rounds=1)  # type: ignore[no-untyped-call]


@pytest.mark.benchmark(group="repomap")
def test_repomap(benchmark: BenchmarkFixture, commits: list[Path]) -> None:
    snapshot, arm = ChunkFile(REPO, COMMIT, commits[0]), RepoMapArm("arb:repomap", Corpus("all_files"))
    arm.answer(QUERY, snapshot, 20)
    assert benchmark(arm.answer, QUERY, snapshot, 20).ranking


@pytest.mark.benchmark(group="repomap")
def test_repomap_cold(benchmark: BenchmarkFixture, commits: list[Path]) -> None:
    def run() -> None:
        arm = RepoMapArm("arb:repomap", Corpus("all_files"))
        assert arm.answer(QUERY, ChunkFile(REPO, COMMIT, commits[0]), 20).ranking

    benchmark.pedantic(run, rounds=3)  # type: ignore[no-untyped-call]


@pytest.mark.benchmark(group="repomap")
def test_repomap_tokens_by_plain_python(benchmark: BenchmarkFixture, commits: list[Path]) -> None:
    """The least that a map costs in plain Python: reading, the tokens of each file, and scoring them once."""

    def run() -> None:
        tokens: dict[str, set[str]] = defaultdict(set)
        for row in read(commits[0]):
            tokens[row["path"]].update(bench_tokens(f"{row['path']} {row['symbol']} {row['text'][:20_000]}"))
        holders = Counter(token for of_file in tokens.values() for token in of_file)
        counts = Counter(bench_tokens(QUERY.text))
        scores = {
            path: sum(math.log((len(tokens) + 1) / (holders[token] + 1)) for token in counts if token in of_file)
            for path, of_file in tokens.items()
        }
        assert scores

    benchmark.pedantic(run, rounds=2)  # type: ignore[no-untyped-call]
