"""The one test function; every (sample, arm) pair is an item of it."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.bench import BENCH, MEASURED
from pytest_retrieval_bench.case import RetrievalCase
from pytest_retrieval_bench.verdict import judge


def test_retrieval(rb_case: RetrievalCase, rb_arm: str, request: pytest.FixtureRequest) -> None:
    """Asks the arm, leaves what came of it for the report, and judges."""
    measured = rb_case.measure(rb_arm)
    request.node.stash[MEASURED] = measured
    if measured.kept is not None:
        request.node.add_report_section("call", "copy", measured.kept)
    judge(rb_case.sample, measured, strict=request.config.stash[BENCH].settings.judge == "strict")
