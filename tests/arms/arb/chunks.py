"""A snapshot of chunks that a test makes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.model import Query
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow
from tests.memory_snapshot import MemorySnapshot


class ChunkSnapshot(MemorySnapshot):
    """Its rows are its chunks; it has the files that they are of."""

    def __init__(self, rows: Sequence[ChunkRow], repo: str = "acme/memory") -> None:
        super().__init__({row.path: row.text.encode() for row in rows}, repo)
        self.rows = rows

    def chunks(self) -> Iterator[ChunkRow]:
        return iter(self.rows)


def file_row(path: str, text: str) -> ChunkRow:
    return ChunkRow(path, "file", "", text, 1, 1, f"id of {path}")


def symbol_row(path: str, symbol: str, text: str) -> ChunkRow:
    return ChunkRow(path, "symbol", symbol, text, 1, 1, f"id of {path} {symbol}")


def query(fields: Mapping[str, Any], task_type: str = "", given: tuple[str, ...] = ()) -> Query:
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True)
    return Query(fields, text, "", task_type, given)
