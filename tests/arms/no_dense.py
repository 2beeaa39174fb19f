"""For tests of arms files that have no table of kind `dense`."""

from __future__ import annotations

from typing import NoReturn

from pytest_retrieval_bench.arms.arb.dense.settings import DenseSettings


def no_dense(name: str, settings: DenseSettings) -> NoReturn:
    raise AssertionError(f"{name} is not to be made")
