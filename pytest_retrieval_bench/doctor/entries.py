"""The rows of a benchmark, the broken ones as well: a doctor goes on where a run would stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval_bench.benchmarks import jsonl
from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.benchmarks.read import sample_of
from pytest_retrieval_bench.errors import SamplesError
from pytest_retrieval_bench.model import Sample


@dataclass(frozen=True, slots=True)
class Entry:
    """A row: where it stands (FILE:LINE), and the sample that it holds, or why it holds none (`refusal`)."""

    where: str
    row: Row
    sample: Sample | None
    refusal: str = ""

    @property
    def identity(self) -> str:
        """The id of the row, as far as it has one."""
        found = self.row.get("id", self.row.get("instance_id"))
        return found if isinstance(found, str) else ""


def entries(files: Iterable[tuple[Path, bytes]]) -> Iterator[Entry]:
    """Every row of samples files, which are given as their paths and bytes."""
    for path, data in files:
        for where, line in jsonl.lines(data, path):
            yield _entry(line, where)


def _entry(line: bytes, where: str) -> Entry:
    row: Row = {}
    try:
        row = jsonl.row_of(line, where)
        return Entry(where, row, sample_of(row, where))
    except SamplesError as error:
        return Entry(where, row, None, str(error).removeprefix(f"{where}: "))
