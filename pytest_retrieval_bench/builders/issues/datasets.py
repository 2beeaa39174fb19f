"""Data sets of issues as files: JSON Lines or Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.builders.issues.issue import Issue, issue_of
from pytest_retrieval_bench.errors import SamplesError, SettingsError, reason

_NO_EXTRA = "a Parquet file needs pip install 'pytest-retrieval-bench[parquet]'"


def read_issues(path: Path, dataset: str) -> Iterator[Issue]:
    """The issues of a file (`.parquet`, else JSON Lines), one at a time, under the name of their data set.

    Raises SamplesError, naming file and row, SettingsError where pyarrow is wanted and not installed.
    """
    for where, row in _parquet_rows(path) if path.suffix == ".parquet" else _json_rows(path):
        yield issue_of(row, dataset, where)


def _json_rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield f"{path}:{number}", _object(line, f"{path}:{number}")
    except OSError as error:
        raise SamplesError(f"{path}: cannot be read: {reason(error)}") from error


def _object(line: bytes, where: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SamplesError(f"{where}: not JSON: {reason(error)}") from error
    if not isinstance(row, dict):
        raise SamplesError(f"{where}: a row must be an object")
    return row


def _parquet_rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise SettingsError(f"{path}: {_NO_EXTRA}") from error
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=64):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path}: row {number}", row
    except (OSError, ArrowException) as error:
        raise SamplesError(f"{path}: cannot be read as Parquet: {reason(error)}") from error
