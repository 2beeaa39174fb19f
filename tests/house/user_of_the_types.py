"""A user's typed code with every public name, as `test_wheel.py` checks it against the installed package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench import (
    Answer,
    Arm,
    Changes,
    Chunk,
    DocsBenchmark,
    DocsRules,
    Evidence,
    Query,
    Record,
    Report,
    RetrievalCase,
    Sample,
    Snapshot,
    __version__,
    build_docs,
    load_report,
)


class Longest:
    """An arm in the least that it takes."""

    name = "longest-first"

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        sizes = {path: snapshot.size(path) or 0 for path in snapshot.paths}
        ranking = sorted(sizes, key=lambda path: (-sizes[path], path))
        return Answer(ranking, [float(sizes[path]) for path in ranking], figures={"words": len(query.plain.split())})


class Kept(Longest):
    """An arm whose index outlives a commit."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}

    def prepare(self, snapshot: Snapshot) -> None:
        self.sizes = {path: snapshot.size(path) or 0 for path in snapshot.paths}

    def update(self, snapshot: Snapshot, changes: Changes) -> None:
        self.sizes |= {path: snapshot.size(path) or 0 for path in changes.changed}
        for path in changes.deleted:
            del self.sizes[path]


class Heads:
    """An arm that says which lines it means, and why."""

    name = "heads"

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        ranking = list(snapshot.paths)[:limit]
        return Answer(ranking, chunks=[Chunk(path, lines=(1, 40)) for path in ranking])

    def explain(
        self, query: Query, snapshot: Snapshot, answer: Answer, paths: Sequence[str]
    ) -> dict[str, list[Evidence]]:
        return {path: [Evidence("it has a first line", count=1)] for path in paths}


class Scored:
    """An arm whose answers are pairs."""

    name = "pairs"

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> list[tuple[str, float]]:
        return [(path, 1.0) for path in snapshot.paths if query.text in snapshot.text(path)][:limit]


def pytest_retrieval_bench_arms(config: pytest.Config) -> Iterable[Arm]:
    return [Longest(), Kept(), Heads(), Scored()]


def pytest_retrieval_bench_row(config: pytest.Config, row: dict[str, Any]) -> dict[str, Any] | None:
    return {**row, "id": row["ticket"]} if "ticket" in row else None


def depth(sample: Sample, record: Record) -> float | None:
    """A metric that samples without gold do not have."""
    return next((float(rank) for rank, path in enumerate(record.ranked) if path in sample.gold), None)


def pytest_retrieval_bench_metrics(config: pytest.Config) -> Mapping[str, Callable[[Sample, Record], float | None]]:
    return {"depth": depth}


def test_the_first_is_gold(rb_case: RetrievalCase) -> None:
    record: Record = rb_case.answer("longest-first")
    sample: Sample = rb_case.sample
    assert record.ranked[0] in rb_case.gold, (sample.repo, sample.base_commit, record.metrics["recall@5"])


def questions(clone: Path) -> int:
    built: DocsBenchmark = build_docs(clone, DocsRules("acme/shop", "0" * 40, sources=("shop",)))
    return len(built.rows) + built.sections["no gold"]


def best(path: str) -> dict[str, float]:
    report: Report = load_report(path)
    means = {arm: report.metric(arm, "mrr@k") for arm in report.arms} if report.complete else {}
    return {f"{arm} {__version__}": max(values.values()) for arm, values in means.items()}
