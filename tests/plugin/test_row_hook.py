"""Rows of another benchmark, brought into a known form by a hook."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tests.conftest import Run, without_time
from tests.small_benchmark import ROWS, SmallBenchmark

HOOK = """
def pytest_retrieval_bench_row(config, row):
    if "ticket" in row:
        return {"id": row["ticket"], **row["told"]}
"""


def tickets() -> list[dict[str, Any]]:
    """The first two rows in another form, the others as they are."""
    told = [{"ticket": row["id"], "told": {name: row[name] for name in row if name != "id"}} for row in ROWS[:2]]
    return [*told, *ROWS[2:]]


def test_rows_in_another_form_give_the_same_report(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    plain = run(*small.options, output="plain.json")
    small.write_samples(tickets())
    pytester.makeconftest(HOOK)
    finished = run(*small.options)
    assert finished.status == plain.status == 0
    digest = hashlib.sha256(small.samples.read_bytes()).hexdigest()
    assert finished.report["samples_sha256"] == digest
    assert without_time(finished.report | {"samples_sha256": None}) == without_time(
        plain.report | {"samples_sha256": None}
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return 1 / 0", "pytest_retrieval_bench_row failed at "),
        ("return [row]", "samples.jsonl:1 it made [{"),
        ("return {'id': {1}}", "what it made of "),
        ("return {'id': float('nan')}", "is no JSON: NaN is not JSON"),
        ("return {'id': 'x'}", "samples.jsonl:1: task_type must be a non-empty string, this is absent"),
        ("return {**row, 'id': 'x'}", "samples.jsonl:2: the id 'x' was used before"),
    ],
)
def test_a_hook_that_makes_no_row_ends_the_run_before_it_begins(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, body: str, words: str
) -> None:
    pytester.makeconftest(f"def pytest_retrieval_bench_row(config, row):\n    {body}\n")
    finished = run_plain(*small.options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert not finished.output.exists()
