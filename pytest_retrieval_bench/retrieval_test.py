"""The one test function; every (sample, arm) pair is an item of it."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.bench import ALL_COLLECTED, BENCH, MEASURED
from pytest_retrieval_bench.case import RetrievalCase
from pytest_retrieval_bench.verdict import judge


def test_retrieval(rb_case: RetrievalCase, rb_arm: str, request: pytest.FixtureRequest) -> None:
    """Asks the arm, leaves what came of it for the report, and judges."""
    try:
        measured = rb_case.measure(rb_arm)
    except pytest.xfail.Exception as outcome:
        # Pytest would take it for an expected failure, and the run would be green.
        pytest.fail(f"{rb_arm} called pytest.xfail: {outcome}", pytrace=False)
    request.node.stash[MEASURED] = measured
    if measured.kept is not None:
        request.node.add_report_section("call", "workspace", measured.kept)
    bench, config = request.config.stash[BENCH], request.config
    # Where items are left out no gate is judged, and then none may excuse an error.
    tolerated = config.stash[ALL_COLLECTED] and rb_arm in bench.tolerated_arms()
    judge(rb_case.sample, measured, strict=bench.settings.judge == "strict", tolerated=tolerated)
