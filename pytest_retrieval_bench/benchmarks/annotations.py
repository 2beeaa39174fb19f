"""What rows of Agent Retrieval Bench mark beyond gold files: lines, blocks, files that only look right."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_retrieval_bench.benchmarks.jsonl import Row, object_of
from pytest_retrieval_bench.benchmarks.relevance import relevance_of
from pytest_retrieval_bench.model import Annotations, Chunk, Json, Span

_SUPPORTING = ("supporting_context_files", "supporting_files")


def annotations_of(row: Row) -> Annotations:
    """The annotations of a row. A mark that names no lines of a file is left out, as the benchmark's own toolkit does.

    They stand at the top of a row, or else in its gold.
    """
    gold = object_of(row.get("gold"))
    labels, primary = relevance_of(row) if gold.get("no_gold") is not True else ((), "")
    hard_negatives, supporting = (
        paths([file for name in names for part in (row, gold) for file in _list(part.get(name))])
        for names in (["hard_negative_files"], _SUPPORTING)
    )
    return Annotations(
        spans=tuple(Span(path, first, last) for path, first, last, _ in _marks(row, gold, "gold_spans")),
        blocks=tuple(
            Chunk(path, (first, last), symbol=_text(mark.get("symbol")), id=_text(mark.get("chunk_id")))
            for path, first, last, mark in _marks(row, gold, "gold_blocks")
        ),
        hard_negatives=hard_negatives,
        supporting=supporting,
        relevance=labels,
        primary=primary,
    )


def paths(value: Json) -> tuple[str, ...]:
    """The paths of a list of strings or of objects with a `path`, distinct, in order; anything else is left out."""
    found = (item.get("path") if isinstance(item, dict) else item for item in _list(value))
    return tuple(dict.fromkeys(path for path in found if isinstance(path, str) and path))


def _marks(row: Row, gold: Row, name: str) -> Iterator[tuple[str, int, int, Row]]:
    listed = row.get(name)
    for mark in _list(gold.get(name) if listed is None else listed):
        if isinstance(mark, dict):
            path, first, last = _text(mark.get("path")), _number(mark.get("start_line")), _number(mark.get("end_line"))
            if path and 0 < first <= last:
                yield path, first, last, mark


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
