"""What is known of a sample that an agent worked on: from the benchmark, from the log itself, or from a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.benchmarks.annotations import annotations_of, paths
from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.model import Annotations, Json, Sample


@dataclass(frozen=True, slots=True)
class Facts:
    """The kind of the question, the repository, the gold files, and what else the benchmark marks."""

    task_type: str
    repo: str
    gold: tuple[str, ...]
    marked: Annotations

    @property
    def supporting(self) -> tuple[str, ...]:
        """The files that help and are no gold."""
        return tuple(path for path in self.marked.supporting if path not in self.gold)


def facts_of_sample(sample: Sample) -> Facts:
    """What the benchmark says."""
    return Facts(sample.task_type, sample.repo, sample.gold, sample.annotations)


def facts_of_log(row: Row) -> Facts | None:
    """What a stored log says; None where it names no gold files."""
    gold = row.get("gold_files")
    if not isinstance(gold, list):
        return None
    return Facts(_text(row.get("task_type")), _text(row.get("repo")), paths(gold), annotations_of(row))


def facts_of_report(row: Mapping[str, Any]) -> Facts:
    """What a details row of a report says."""
    return Facts(row["task_type"], row["repo"], tuple(row["gold"]), Annotations())


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
