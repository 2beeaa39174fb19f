"""The rankers of Agent Retrieval Bench and their plain re-statement give the same on generated chunks and queries."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.arb.bm25 import ChunkBM25
from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.filters import FILTERS
from pytest_retrieval_bench.arms.arb.grep import PatternGrep
from pytest_retrieval_bench.arms.arb.lexical import Lexical
from pytest_retrieval_bench.arms.arb.patterns import search_patterns
from pytest_retrieval_bench.arms.arb.repomap.references import references
from pytest_retrieval_bench.arms.arb.repomap.repo_map import repo_map
from pytest_retrieval_bench.arms.fusion import reciprocal_rank_fusion
from pytest_retrieval_bench.index.chunk_table import chunk_table
from pytest_retrieval_bench.model import Answer
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow
from tests.arms.arb.chunks import ChunkSnapshot, query
from tests.reference import arb as reference

PIECES = [
    "foo", "Foo", "fooBar", "foobar", "parseThing", "parse_thing", "connection", "ConnectionPool", "x", "9", "_", ".",
    "/", " ", "\n", "file", "symbol", "src/a.py", "a.py", "`", "--flag", "ValueError", "IO", "\u212a", "\u0130",
    "Σ", "日本",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
PATHS = st.sampled_from(["src/a.py", "src/A.py", "a.py", "tests/test_a.py", "docs/a.md", "fooBar.go", "x/foo_test.go"])
SYMBOLS = st.sampled_from(["foo", "fooBar", "foobar", "foo_bar", "parseThing", "ConnectionPool", "connection", "if"])
FILE_ROWS = st.builds(lambda path, text: ChunkRow(path, "file", "", text, 1, 1), PATHS, TEXTS)
SYMBOL_ROWS = st.builds(lambda path, symbol, text: ChunkRow(path, "symbol", symbol, text, 1, 1), PATHS, SYMBOLS, TEXTS)
ROWS = st.lists(FILE_ROWS | SYMBOL_ROWS, min_size=1, max_size=12).map(
    lambda rows: [row._replace(id=f"{number:02}") for number, row in enumerate(rows)]
)


def as_chunks(rows: list[ChunkRow], candidate_filter: str) -> list[reference.Chunk]:
    passes = FILTERS[candidate_filter]
    return [{**row._asdict(), "chunk_id": row.id} for row in rows if passes(row.path)]


def agree(answer: Answer, expected: reference.Ranking) -> None:
    assert list(answer.ranking) == [path for path, _ in expected]
    assert list(answer.scores or ()) == [score for _, score in expected]


@settings(max_examples=300, deadline=None)
@given(ROWS, st.dictionaries(TEXTS, TEXTS, min_size=1, max_size=3), st.sampled_from(sorted(FILTERS)))
def test_chunk_rankings_agree(rows: list[ChunkRow], fields: dict[str, str], candidate_filter: str) -> None:
    corpus, snapshot, asked = Corpus(candidate_filter), ChunkSnapshot(rows), query(fields)
    chunks = as_chunks(rows, candidate_filter)
    lexical, bm25 = Lexical("l", corpus), ChunkBM25("b", corpus)
    if not chunks:
        assert not lexical.answer(asked, snapshot, 20).applicable
        return
    agree(lexical.answer(asked, snapshot, 20), reference.lexical(asked.text, chunks))
    agree(bm25.answer(asked, snapshot, 20), reference.bm25(asked.text, chunks))


@settings(max_examples=300, deadline=None)
@given(ROWS, st.dictionaries(TEXTS, TEXTS, min_size=1, max_size=3), st.booleans())
def test_grep_rankings_agree(rows: list[ChunkRow], fields: dict[str, str], expanded: bool) -> None:
    asked = query(fields)
    patterns = [(p.term, p.kind, p.weight) for p in search_patterns(asked.text, expanded=expanded)]
    answer = PatternGrep("g", Corpus("all_files"), expanded=expanded).answer(asked, ChunkSnapshot(rows), 20)
    expected = reference.grep(patterns, as_chunks(rows, "all_files"))
    assert list(answer.ranking) == [path for path, _ in expected]
    assert list(answer.scores or ()) == pytest.approx([score for _, score in expected], rel=1e-12)


@settings(max_examples=300, deadline=None)
@given(ROWS)
def test_references_between_files_agree(rows: list[ChunkRow]) -> None:
    files = repo_map(chunk_table(ChunkSnapshot(rows))).files
    found: Counter[tuple[str, str]] = Counter()
    for source, target in references(files):
        found[files.paths[source], files.paths[target]] += 1
        found[files.paths[target], files.paths[source]] += 1
    code = [number for number in range(len(files.paths)) if files.tests[number] or files.sources[number]]
    words = {word: name.decode() for name, word in files.tokens.items()}
    tokens = {files.paths[n]: {words[column] for column in files.places[n].indices.tolist()} for n in code}
    assert found == reference.symbol_edges(tokens, {files.paths[n]: list(files.symbols[n]) for n in code})


@settings(max_examples=200, deadline=None)
@given(ROWS, st.lists(st.floats(0, 10), min_size=12, max_size=12))
def test_walks_agree(rows: list[ChunkRow], weights: list[float]) -> None:
    found = repo_map(chunk_table(ChunkSnapshot(rows)))
    paths = found.files.paths
    start = np.array(weights[: len(paths)]) + 0.01
    edges = found.graph.tocoo()
    graph = {
        (paths[a], paths[b]): w
        for a, b, w in zip(edges.row.tolist(), edges.col.tolist(), edges.data.tolist(), strict=True)
    }
    expected = reference.page_rank(graph, dict(zip(paths, start.tolist(), strict=True)))
    assert found.page_rank(start).tolist() == pytest.approx([expected[path] for path in paths], abs=1e-12)


@given(st.lists(st.lists(st.integers(0, 40).map(str), unique=True, max_size=30), min_size=2, max_size=4))
def test_fusions_agree(rankings: list[list[str]]) -> None:
    fused, expected = reciprocal_rank_fusion(rankings), reference.rrf(rankings)
    assert [path for path, _ in fused] == [path for path, _ in expected]
    assert [score for _, score in fused] == pytest.approx([score for _, score in expected])
