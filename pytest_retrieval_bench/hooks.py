"""The hooks that a `conftest.py` or another plugin may implement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_retrieval_bench.arms.arm import Arm
    from pytest_retrieval_bench.model import Json, Metric


@pytest.hookspec
def pytest_retrieval_bench_arms(config: pytest.Config) -> Iterable[Arm]:  # type: ignore[empty-body]
    """Arms of your own, each an object with a `name` and a method `answer(query, snapshot, limit)`.

    Called once in every process that runs tests, before anything is collected; keep it cheap, and load models when
    the first question is asked. ::

        from pytest_retrieval_bench import Answer

        class ByLength:
            name = "longest-first"

            def answer(self, query, snapshot, limit):
                return Answer(sorted(snapshot.paths, key=snapshot.size, reverse=True)[:limit])

        def pytest_retrieval_bench_arms(config):
            return [ByLength()]
    """


@pytest.hookspec(firstresult=True)
def pytest_retrieval_bench_row(config: pytest.Config, row: dict[str, Json]) -> dict[str, Json] | None:
    """A row of a benchmark of yours as one that the plugin knows, or None where the row is not of your benchmark.

    Called for each row of the samples files, in every process that runs tests; the first hook that does not return None
    decides. What it returns is checked as any row is. The file's digest stays that of its bytes. ::

        def pytest_retrieval_bench_row(config, row):
            if "ticket" not in row:
                return None
            return {
                "id": row["ticket"],
                "task_type": "ticket2code",
                "repo": row["repository"],
                "base_commit": row["before"],
                "query": {"text": row["title"]},
                "gold": {"files": row["fixed_in"]},
            }
    """


@pytest.hookspec
def pytest_retrieval_bench_metrics(config: pytest.Config) -> Mapping[str, Metric]:  # type: ignore[empty-body]
    """Metrics of your own by name, each a function of a `Sample` and a `Record`.

    It returns a finite number, or None where a sample does not have the metric. It is called in the process that
    measured, for failed answers as well: `record.error` is then not None, and `record.ranked` is empty. An exception is
    an error of the sample. The values stand in `details[].measures.ARM.own` of the report and in its flat rows, means
    with their n in `measures.own`. ::

        def vendored(sample, record):
            return sum(path.startswith("vendor/") for path in record.ranked)

        def pytest_retrieval_bench_metrics(config):
            return {"vendored": vendored}
    """
