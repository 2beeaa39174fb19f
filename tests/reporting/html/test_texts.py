"""Queries and the first lines of gold files: cut, readable, and told where they cannot be had."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_retrieval_bench.benchmarks.read import read_samples
from pytest_retrieval_bench.reporting.html.texts import HEAD_LINES, SampleTexts, sample_texts
from pytest_retrieval_bench.snapshots.store import SnapshotStore
from tests.small_benchmark import ROWS, SHOP, SmallBenchmark, write_small_benchmark


@pytest.fixture
def small(tmp_path: Path) -> SmallBenchmark:
    return write_small_benchmark(tmp_path)


def texts(small: SmallBenchmark, *, corpus: bool = True) -> dict[str, SampleTexts]:
    (file,) = read_samples([small.samples])
    return sample_texts(file.samples, SnapshotStore(small.corpus, {}) if corpus else None)


def test_each_sample_has_its_query_and_the_first_lines_of_its_gold(small: SmallBenchmark) -> None:
    small.write_snapshot("acme/shop", SHOP | {"shop/price.py": "".join(f"\t{line}\n" for line in range(99))})
    found = texts(small)
    assert found["cart-test"].hard_negatives == ("shop/price.py",)
    assert "add_item keeps the order" in found["cart-test"].query
    assert found["wrong-sum"].heads["shop/price.py"].splitlines() == [f"\t{line}" for line in range(HEAD_LINES)]
    assert found["nothing-here"] == SampleTexts("text: how do we deploy_to_staging")


def test_a_snapshot_that_cannot_be_read_is_told_and_the_others_are_read(small: SmallBenchmark) -> None:
    small.chunk_file("acme/shop").write_text("{", encoding="utf-8")
    found = texts(small)
    assert found["wrong-sum"].heads == {}
    assert "acme__shop" in found["wrong-sum"].why
    assert found["tick"].heads == {"src/zone.ts": "export const utc = 0"}


def test_a_gold_file_that_the_snapshot_lacks_is_told(small: SmallBenchmark) -> None:
    small.write_snapshot("acme/clock", {"other.ts": ""})
    assert texts(small)["tick"] == SampleTexts(texts(small)["tick"].query, why="not in the snapshot")


def test_without_a_corpus_there_are_queries_alone(small: SmallBenchmark) -> None:
    found = texts(small, corpus=False)
    assert found["wrong-sum"].query
    assert not any(one.heads or one.why for one in found.values())


def test_long_lines_and_queries_are_cut_and_nothing_in_them_is_obeyed(small: SmallBenchmark) -> None:
    small.write_samples([{**ROWS[1], "query": {"text": "q\x1b[31m" + "x" * 50_000}}])
    small.write_snapshot("acme/shop", {"shop/price.py": "\u202e" + "x" * 5_000})
    found = texts(small)["wrong-sum"]
    head = found.heads["shop/price.py"]
    assert head.startswith("\\u202exxx")
    assert head.endswith("x…")
    assert len(head) < 400
    assert "\x1b" not in found.query
    assert found.query.endswith("x…")
    assert len(found.query) < 21_000
    assert json.dumps(found.query)
