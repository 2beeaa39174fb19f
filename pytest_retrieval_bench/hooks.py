"""The hooks that a `conftest.py` or another plugin may implement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_retrieval_bench.arms.arm import Arm


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
