"""A run is bound to what its snapshots hold."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.benchmarks.read import read_samples
from pytest_retrieval_bench.fingerprints import Fingerprints
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.processes.child import Finished, run_child
from pytest_retrieval_bench.snapshots import git
from pytest_retrieval_bench.snapshots.store import SnapshotStore
from tests.conftest import Run
from tests.small_benchmark import CLOCK, COMMIT, SmallBenchmark
from tests.snapshots.worktree import make_worktree

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


def samples_of(small: SmallBenchmark) -> list[Sample]:
    return [sample for file in read_samples([small.samples]) for sample in file.samples]


def test_the_registration_holds_the_digest_of_each_snapshot(run: Run, small: SmallBenchmark) -> None:
    snapshots = run(*small.options).report["registration"]["snapshots"]
    assert sorted(snapshots) == [f"acme/clock@{COMMIT}", f"acme/shop@{COMMIT}"]
    assert {digest.partition(":")[0] for digest in snapshots.values()} == {"chunks-blake3"}


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


def test_what_was_begun_and_is_not_wanted_is_left_undone(small: SmallBenchmark) -> None:
    samples = samples_of(small)
    fingerprints = Fingerprints(SnapshotStore(small.corpus, {}, {}))
    fingerprints.begin(samples)
    shop = [sample for sample in samples if sample.repo == "acme/shop"]
    assert list(fingerprints.of(shop)) == [f"acme/shop@{COMMIT}"]
    assert sorted(fingerprints.of(samples)) == [f"acme/clock@{COMMIT}", f"acme/shop@{COMMIT}"]
    fingerprints.close()


def test_a_file_that_was_touched_is_read_again(small: SmallBenchmark) -> None:
    samples = samples_of(small)
    fingerprints = Fingerprints(SnapshotStore(small.corpus, {}, {}))
    before = fingerprints.of(samples)
    assert fingerprints.of(samples) == before
    path = small.chunk_file("acme/clock")
    status = path.stat()
    path.write_text(path.read_text().replace("Date.now()", "Date.new()"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    now = fingerprints.of(samples)
    assert {name for name in before if before[name] != now[name]} == {f"acme/clock@{COMMIT}"}
    fingerprints.close()


def test_no_thread_starts_a_process_while_workers_may_be_started(
    small: SmallBenchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def observed(*arguments: Any, **keywords: Any) -> Finished:
        threads.append(threading.current_thread())
        return run_child(*arguments, **keywords)

    monkeypatch.setattr(git, "run_child", observed)
    clone = tmp_path / "clone"
    commit = make_worktree(clone, {"a.py": b"a = 1\n"})
    (sample,) = [replace(sample, base_commit=commit) for sample in samples_of(small) if sample.id == "cart-test"]
    fingerprints = Fingerprints(SnapshotStore(None, {}, {"acme/shop": clone}))
    fingerprints.begin([sample])
    assert list(fingerprints.of([sample])) == [f"acme/shop@{commit}"]
    assert set(threads) == {threading.main_thread()}
    fingerprints.close()
