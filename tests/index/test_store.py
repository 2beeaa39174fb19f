"""The indexes of the snapshots that are in use."""

from __future__ import annotations

import gc
import json
import weakref
from pathlib import Path

from pytest_retrieval_bench.index.cache import IndexCache
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from tests.index.restated import answers, right_answers
from tests.memory_snapshot import MemorySnapshot


def chunk_file(folder: Path, *files: tuple[str, str]) -> Path:
    path = folder / "c.chunks.jsonl"
    rows = [{"kind": "file", "path": name, "text": text} for name, text in files]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_an_index_is_built_once_and_lives_as_long_as_its_snapshot() -> None:
    indexes = IndexStore(None)
    snapshot = MemorySnapshot({"a": b"foo"})
    index = weakref.ref(indexes.of(snapshot))
    assert indexes.of(snapshot) is index()
    del snapshot
    gc.collect()
    assert index() is None


def test_the_remarks_on_a_snapshot_come_from_disk_as_they_came_from_reading(tmp_path: Path) -> None:
    path = chunk_file(tmp_path, ("a", "foo"), ("../b", "bar"))
    cold, warm = (ChunkFile("acme/shop", "0" * 40, path) for _ in range(2))
    first = answers(IndexStore(IndexCache(tmp_path / "cache")).of(cold))
    assert answers(IndexStore(IndexCache(tmp_path / "cache")).of(warm)) == first == right_answers({"a": b"foo"})
    assert len(cold.notes) == 1
    assert warm.notes == cold.notes


def test_a_file_that_is_rewritten_while_it_is_read_is_not_kept(tmp_path: Path) -> None:
    class Rewritten(ChunkFile):
        def read(self, path: str) -> bytes:
            chunk_file(tmp_path, ("a", "new"))
            return super().read(path)

    old = Rewritten("acme/shop", "0" * 40, chunk_file(tmp_path, ("a", "foo")))
    cache = IndexCache(tmp_path / "cache")
    assert answers(IndexStore(cache).of(old)) == right_answers({"a": b"foo"})
    assert cache.info().entries == 0
