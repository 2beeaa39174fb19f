"""A run is bound to what its snapshots hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.small_benchmark import CLOCK, COMMIT, SmallBenchmark

MEDDLING = """
from pathlib import Path

class Meddling:
    name = "meddling"
    def answer(self, query, snapshot, limit):
        with Path({path!r}).open("a") as chunks:
            chunks.write('{{"kind": "file", "path": "new.py", "text": ""}}\\\\n')
        return []

def pytest_retrieval_bench_arms(config):
    return [Meddling()]
"""


def test_the_registration_holds_the_digest_of_each_snapshot(run: Run, small: SmallBenchmark) -> None:
    snapshots = run(*small.options).report["registration"]["snapshots"]
    assert sorted(snapshots) == [f"acme/clock@{COMMIT}", f"acme/shop@{COMMIT}"]
    assert {digest.partition(":")[0] for digest in snapshots.values()} == {"chunks"}


def test_a_snapshot_that_is_written_to_while_the_run_goes_on_gives_no_report(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(MEDDLING.format(path=str(small.chunk_file("acme/clock"))))
    finished = run(*small.options, "--rb-arms=meddling")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert f"snapshots.acme/clock@{COMMIT} changed while the run went on" in finished.text
    assert not finished.output.exists()


def test_a_run_over_another_snapshot_is_not_resumed(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    run(*small.options)
    small.write_snapshot("acme/clock", {**CLOCK, "new.ts": ""})
    finished = run(*small.options, "--rb-resume")
    assert finished.status != 0
    words = finished.text + finished.result.stderr.str()
    assert f"--rb-resume: snapshots.acme/clock@{COMMIT} changed since the run began" in words


def test_reports_over_other_snapshots_are_not_compared(run_plain: Run, small: SmallBenchmark) -> None:
    old = run_plain(*small.options, "--rb-arms=grep", output="old.json").output
    small.write_snapshot("acme/clock", {**CLOCK, "zzz.ts": ""})
    new = run_plain(*small.options, "--rb-arms=grep", output="new.json").output
    finished = run_plain("--rb-compare", Path(old), Path(new), output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "the content of the snapshots" in finished.result.stderr.str()
