"""Chunks of snapshots as the rankers see them."""

from __future__ import annotations

from itertools import pairwise

from pytest_retrieval_bench.arms.arb.bm25 import ChunkBM25
from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.grep import PatternGrep
from pytest_retrieval_bench.arms.arb.lexical import Lexical
from pytest_retrieval_bench.builders.corpus import chunks
from pytest_retrieval_bench.index.chunk_table import chunk_table
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow
from tests.arms.arb.chunks import ChunkSnapshot, file_row, query, symbol_row
from tests.memory_snapshot import MemorySnapshot


def test_a_snapshot_of_whole_files_is_cut_as_a_corpus_is() -> None:
    source = "import os\n\ndef first(x):\n    return x\n\nclass Second:\n    pass\n"
    tree = {"a.py": source.encode(), "go.sum": b"x", "empty.py": b"", "binary.py": b"a\0b", "\xe9.py": b"def f(): pass"}
    table = chunk_table(MemorySnapshot(tree))
    assert [(row.kind, row.symbol, row.start_line, row.end_line, row.text) for row in table.rows] == list(
        chunks(source)
    )
    assert list(table.paths) == ["a.py"]
    assert len({row.id for row in table.rows}) == len(table.rows)


def test_the_rows_of_a_file_stand_together_whatever_their_order() -> None:
    rows = [symbol_row("b.py", "g", "1"), file_row("a.py", "2"), file_row("b.py", "3"), symbol_row("a.py", "f", "4")]
    table = chunk_table(ChunkSnapshot(rows))
    assert [row.text for row in table.rows] == ["2", "4", "1", "3"]
    assert [table.paths[file] for file in table.files.tolist()] == ["a.py", "a.py", "b.py", "b.py"]
    assert table.starts.tolist() == [0, 2]


def test_commits_of_one_repository_are_counted_with_what_was_counted_before() -> None:
    rows = [file_row("a.py", "alpha"), file_row("b.py", "beta beta")]
    more = [*rows, file_row("c.py", "gamma alpha"), symbol_row("c.py", "gamma", "gamma")]
    corpus, asked = Corpus("all_files"), query({"text": "alpha gamma"})
    first, second = ChunkSnapshot(rows), ChunkSnapshot(more)
    arms = Lexical("l", corpus), ChunkBM25("b", corpus)
    after = [[arm.answer(asked, snapshot, 20) for snapshot in (first, second)][1] for arm in arms]
    alone = Corpus("all_files")
    assert after == [Lexical("l", alone).answer(asked, second, 20), ChunkBM25("b", alone).answer(asked, second, 20)]
    assert after[0].ranking[0] == "c.py"


def test_files_without_a_match_come_last_in_the_order_of_their_paths() -> None:
    rows = [file_row(path, "alpha" if path == "m.txt" else "") for path in ("z.txt", "m.txt", "a.txt")]
    for arm in (Lexical("l", Corpus("all_files")), ChunkBM25("b", Corpus("all_files"))):
        answer = arm.answer(query({"q": "alpha"}), ChunkSnapshot(rows), 20)
        assert list(answer.ranking) == ["m.txt", "a.txt", "z.txt"]
        scores = list(answer.scores or ())
        assert all(first >= second for first, second in pairwise(scores))
        assert scores[-1] == 0


def test_the_first_chunks_go_with_the_answer_until_their_texts_fill_what_is_measured() -> None:
    rows = [file_row(f"{place}.txt", "alpha " + "x" * 3000) for place in range(5)]
    twins = [ChunkRow("a.txt", "symbol", "f", "alpha alpha alpha", 4, 5, identity) for identity in ("2", "1")]
    answer = ChunkBM25("b", Corpus("all_files")).answer(query({"q": "alpha"}), ChunkSnapshot([*rows, *twins]), 20)
    assert [(chunk.path, chunk.kind, chunk.symbol, chunk.lines, chunk.id) for chunk in (answer.chunks or ())[:2]] == [
        ("a.txt", "symbol", "f", (4, 5), "1"),
        ("a.txt", "symbol", "f", (4, 5), "2"),
    ]
    # The first that does not fit is there as well, and nothing behind it.
    assert [chunk.path for chunk in (answer.chunks or ())[2:]] == ["0.txt", "1.txt", "2.txt"]
    assert sum(chunk.chars for chunk in (answer.chunks or ())[:-1]) <= 8000


def test_grep_has_the_first_best_chunk_of_each_file() -> None:
    rows = [
        file_row("b.py", "nothing"),
        symbol_row("b.py", "one", "some_name"),
        symbol_row("b.py", "two", "some_name"),
        file_row("some_name.py", ""),
    ]
    answer = PatternGrep("g", Corpus("all_files"), expanded=False).answer(
        query({"q": "some_name"}), ChunkSnapshot(rows), 20
    )
    # The path stands for a text that is empty.
    assert [(chunk.path, chunk.symbol, chunk.chars) for chunk in answer.chunks or ()] == [
        ("some_name.py", "", len("some_name.py")),
        ("b.py", "one", len("some_name")),
    ]
