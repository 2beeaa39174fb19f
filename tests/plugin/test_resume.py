"""`--rb-resume`: what is measured stays measured, and the report is that of one run."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Run, without_time
from tests.small_benchmark import ROWS, SmallBenchmark

COUNTING_ARM = """
import os, time
from pathlib import Path
from pytest_retrieval_bench import Answer

class Counting:
    name = "counting"

    def answer(self, query, snapshot, limit):
        time.sleep(float(os.environ.get("SLOW", "0")))
        with Path(os.environ["CALLS"]).open("a") as calls:
            calls.write(query.fields["raw_signal"] + "\\n")
        if os.environ.get("BROKEN") and "broken" in query.text:
            raise OSError("no model")
        return [path for path in snapshot.paths if "cart" in path]

def pytest_retrieval_bench_arms(config):
    return [Counting()]
"""


def row(name: str) -> dict[str, object]:
    return {**ROWS[1], "id": name, "query": {"raw_signal": name}}


@pytest.fixture
def calls(small: SmallBenchmark, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the arm writes down each question that it was asked; the samples are called `0`, `1`, `broken`, …"""
    pytester.makeconftest(COUNTING_ARM)
    small.write_samples([row("0"), row("1"), row("broken"), row("3")])
    path = pytester.path / "calls.txt"
    path.touch()
    monkeypatch.setenv("CALLS", str(path))
    return path


def cut_journal(folder: Path, records: int, torn: str = "") -> None:
    """Leaves of the journal what a killed run might have left, and takes the report away."""
    journal = folder / "report.json.journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[: records + 1]) + torn)
    (folder / "report.json").unlink()


def test_what_is_missing_is_measured_and_nothing_else(
    run: Run, small: SmallBenchmark, calls: Path, pytester: pytest.Pytester
) -> None:
    whole = run(*small.options, "--rb-arms=counting").report
    recorded = [json.loads(line)["sample_id"] for line in _journal(pytester.path)[1:3]]
    cut_journal(pytester.path, 2, torn='{"sample_id": "to')
    calls.write_text("")
    finished = run(*small.options, "--rb-arms=counting", "--rb-resume")
    finished.result.assert_outcomes(passed=2)
    assert sorted([*recorded, *calls.read_text().split()]) == ["0", "1", "3", "broken"]
    assert without_time(finished.report) == without_time(whole)
    (part,) = finished.report["registration"]["resumed"]
    assert part["records_before"] == 2


def _journal(folder: Path) -> list[str]:
    return (folder / "report.json.journal.jsonl").read_text().splitlines()


def test_a_run_that_lacks_nothing_runs_nothing_and_is_green(
    run: Run, small: SmallBenchmark, calls: Path, pytester: pytest.Pytester
) -> None:
    run(*small.options, "--rb-arms=counting")
    calls.write_text("")
    finished = run(*small.options, "--rb-arms=counting", "--rb-resume")
    assert finished.status == 0
    assert calls.read_text() == ""
    assert len(finished.report["details"]) == 4


def test_a_run_that_never_began_begins(run: Run, small: SmallBenchmark, calls: Path) -> None:
    finished = run(*small.options, "--rb-arms=counting", "--rb-resume")
    finished.result.assert_outcomes(passed=4)
    assert "resumed" not in finished.report["registration"]


def test_what_erred_is_measured_again_when_that_is_asked_for(
    run_plain: Run, small: SmallBenchmark, calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "1")
    assert run_plain(*small.options, "--rb-arms=counting").report["arms"]["counting"]["errors"] == 1
    calls.write_text("")
    still = run_plain(*small.options, "--rb-arms=counting", "--rb-resume")
    assert (calls.read_text(), still.report["arms"]["counting"]["errors"]) == ("", 1)
    assert still.status == pytest.ExitCode.TESTS_FAILED
    monkeypatch.delenv("BROKEN")
    mended = run_plain(*small.options, "--rb-arms=counting", "--rb-resume=errors")
    assert (calls.read_text(), mended.report["arms"]["counting"]["errors"]) == ("broken\n", 0)
    assert mended.status == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--rb-limit=5"], "--rb-resume: limit changed since the run began"),
        (["--rb-arms=counting,grep"], "--rb-resume: arms, baseline_arms changed since the run began"),
        (["--rb-max-samples=3"], "--rb-resume: max_samples, sample_ids changed since the run began"),
    ],
)
def test_another_run_cannot_be_resumed(
    run: Run, small: SmallBenchmark, calls: Path, pytester: pytest.Pytester, change: list[str], words: str
) -> None:
    run(*small.options, "--rb-arms=counting")
    cut_journal(pytester.path, 2)
    before = _journal(pytester.path)
    finished = run(*small.options, "--rb-arms=counting", *change, "--rb-resume")
    assert finished.status != 0
    assert words in finished.text + finished.result.stderr.str()
    assert _journal(pytester.path) == before
    assert not (pytester.path / "report.json").exists()


def test_samples_that_changed_are_another_run(
    run_plain: Run, small: SmallBenchmark, calls: Path, pytester: pytest.Pytester
) -> None:
    run_plain(*small.options, "--rb-arms=counting")
    cut_journal(pytester.path, 2)
    small.write_samples([row("0"), row("1"), row("broken"), row("3"), row("4")])
    finished = run_plain(*small.options, "--rb-arms=counting", "--rb-resume")
    assert finished.status != 0
    assert "--rb-resume: sample_ids, samples_sha256 changed" in finished.text + finished.result.stderr.str()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rb-resume=all"], "--rb-resume: unknown part 'all'"),
        (["--rb-resume", "--rb-output="], "--rb-output: the value is empty"),
    ],
)
def test_a_resumption_that_cannot_be_is_a_usage_error(
    run_plain: Run, small: SmallBenchmark, calls: Path, options: list[str], words: str
) -> None:
    finished = run_plain(*small.options, "--rb-arms=counting", *options, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.result.stderr.str()


def test_without_a_report_there_is_nothing_to_resume(run_plain: Run, small: SmallBenchmark, calls: Path) -> None:
    finished = run_plain(*small.options, "--rb-arms=counting", "--rb-resume", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-resume: give the --rb-output of the run" in finished.result.stderr.str()


def test_files_of_two_runs_are_not_taken_for_one(
    run_plain: Run, small: SmallBenchmark, calls: Path, pytester: pytest.Pytester
) -> None:
    run_plain(*small.options, "--rb-arms=counting")
    journal = pytester.path / "report.json.journal.jsonl"
    journal.write_text(journal.read_text().replace('"limit": 20', '"limit": 19', 1))
    finished = run_plain(*small.options, "--rb-arms=counting", "--rb-resume")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "report.json.journal.jsonl:1: it is not the journal of the run that" in finished.result.stderr.str()


@pytest.mark.parametrize("workers", [0, 2])
def test_a_run_killed_again_and_again_ends_as_one_that_never_was(
    small: SmallBenchmark, calls: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    small.write_samples([row(str(number)) for number in range(60)])
    options = [*small.options, "--rb-arms=counting", f"-n{workers}", "-q", "-p", "no:cacheprovider"]
    kills = int(os.environ.get("RB_KILLS", "3"))
    monkeypatch.setenv("SLOW", "0.02")
    source, report = random.Random(workers), pytester.path / "killed.json"
    while kills or not report.exists():
        started = time.monotonic()
        process = _start(*options, f"--rb-output={report}", "--rb-resume")
        if kills:
            _wait_for_a_record_or(source.uniform(0, 2), process)
            process.send_signal(signal.SIGKILL)
            kills -= 1
        assert process.wait(120) in (0, -signal.SIGKILL)
        assert time.monotonic() - started < 120
    monkeypatch.setenv("SLOW", "0")
    assert _start(*options, f"--rb-output={pytester.path / 'whole.json'}").wait(120) == 0
    killed, whole = (json.loads((pytester.path / name).read_text()) for name in ("killed.json", "whole.json"))
    assert without_time(killed) == without_time(whole)
    journaled = [json.loads(line) for line in (pytester.path / "killed.json.journal.jsonl").read_text().splitlines()]
    names = [record["sample_id"] for record in journaled if "sample_id" in record]
    assert len(names) == len(set(names)) == 60


def _start(*options: str | Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "pytest", *map(str, options)], stdout=subprocess.DEVNULL)


def _wait_for_a_record_or(seconds: float, process: subprocess.Popen[bytes]) -> None:
    """A random moment: from the start of the interpreter on, as long as the run goes on."""
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
