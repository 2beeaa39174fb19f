"""The records of a report as one flat table, for data frames and spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.load import flat_rows

_FIRST = ("id", "task_type", "repo", "base_commit", "stratum", "partition", "gold", "given", "arm")
_ANSWER = ("outcome", "ranked", "abstained", "error", "state", "cache_state", "wall_ms", "cold_wall_ms")
_LISTS = ("gold", "given", "ranked")
_TRUTHS = ("abstained",)
_WHOLE = ("packet_bytes",)
_NESTED = (dict, list, tuple)

Rows = list[dict[str, Any]]


def csv_table(report: Mapping[str, Any]) -> bytes:
    """A row a sample and arm, in UTF-8; lists and tables of values are JSON, what is absent is empty."""
    rows, columns = _rows(report)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


def parquet_table(report: Mapping[str, Any]) -> bytes:
    """The same rows as Parquet: lists of paths are lists, figures are doubles, what is absent is null, never 0.

    Raises ReportError where pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise ReportError("Parquet needs pyarrow: pip install 'pytest-retrieval-bench[parquet]'") from error
    rows, columns = _rows(report)
    kinds = {name: _kind(name, (row.get(name) for row in rows), pa) for name in columns}
    cells = {name: [_typed(row.get(name), kind, pa) for row in rows] for name, kind in kinds.items()}
    written = pa.BufferOutputStream()
    parquet.write_table(pa.table(cells, schema=pa.schema(list(kinds.items()))), written)
    return bytes(written.getvalue())


def _rows(report: Mapping[str, Any]) -> tuple[Rows, list[str]]:
    """The rows, and the columns in an order that hangs on their names alone."""
    rows = list(flat_rows(report["details"]))
    found = {name for row in rows for name in row}
    named = [name for name in (*_FIRST, *_ANSWER) if name in found or name in _FIRST]
    return rows, [*named, *sorted(found.difference(named))]


def _cell(value: Any) -> Any:
    if isinstance(value, _NESTED):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    # As the report writes them: a run and what is read back give the same digits.
    whole = isinstance(value, bool) or (isinstance(value, float) and value.is_integer())
    return int(value) if whole else value


def _kind(name: str, values: Iterable[Any], pa: Any) -> Any:
    """The type of a column: by its name where that has one, so that two reports have the same columns."""
    if name in _LISTS:
        return pa.list_(pa.string())
    if name in _TRUTHS:
        return pa.bool_()
    if name in _WHOLE:
        return pa.int64()
    is_text = any(isinstance(value, (str, *_NESTED)) for value in values)
    return pa.string() if is_text or name in (*_FIRST, *_ANSWER[:6]) else pa.float64()


def _typed(value: Any, kind: Any, pa: Any) -> Any:
    if value is None or isinstance(value, str) or pa.types.is_list(kind):
        return value
    if pa.types.is_string(kind):
        return json.dumps(value) if not isinstance(value, _NESTED) else _cell(value)
    if pa.types.is_boolean(kind):
        return bool(value)
    return float(value) if pa.types.is_floating(kind) else value
