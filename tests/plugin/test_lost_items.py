"""Workers that die, and other ways to lose a result: each is named, and no such run ends green."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.small_benchmark import ROWS, SmallBenchmark

CRASH = """
import os
from pytest_retrieval_bench import Answer
class Crashing:
    name = "crashing"
    def answer(self, query, snapshot, limit):
        if any(word in query.text for word in {words!r}):
            os._exit(9)
        return Answer(list(snapshot.paths))
def pytest_retrieval_bench_arms(config):
    return [Crashing()]
"""


def _missing(report: dict[str, Any]) -> dict[str, str]:
    return {pair["id"]: pair["why"] for pair in report["incomplete"]}


def test_two_crashes_end_in_bounded_time(pytester: pytest.Pytester, small: SmallBenchmark) -> None:
    pytester.makeconftest(CRASH.format(words=["tickClock", "totalPrice"]))
    options = ["--rb-arms=crashing", "-n2", "--rb-output=r.json"]
    result = pytester.runpytest_subprocess(*small.options, *options, timeout=60)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert set(_missing(json.loads((pytester.path / "r.json").read_text(encoding="utf-8")))) == {"tick", "wrong-sum"}


def test_without_restarts_what_is_never_run_is_named(pytester: pytest.Pytester, small: SmallBenchmark) -> None:
    pytester.makeconftest(CRASH.format(words=["add_item", "totalPrice", "tickClock"]))
    options = ["--rb-arms=crashing,grep", "-n2", "--max-worker-restart=0", "--rb-output=r.json"]
    result = pytester.runpytest_subprocess(*small.options, *options, timeout=60)
    assert result.ret != 0
    report = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))
    answered = sum(len(row["arms"]) for row in report["details"])
    assert answered + len(report["incomplete"]) == 8


@pytest.mark.parametrize(
    "raised", ["SystemExit(0)", "RecursionError", "MemoryError", "GeneratorExit", "BaseException('x')"]
)
def test_whatever_an_arm_raises_is_an_error_of_the_arm(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, raised: str
) -> None:
    pytester.makeconftest(CRASH.format(words=["tickClock"]).replace("os._exit(9)", f"raise {raised}"))
    finished = run(*small.options, "--rb-arms=crashing")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    rows = {row["id"]: row["arms"]["crashing"] for row in finished.report["details"]}
    assert raised.partition("(")[0] in rows["tick"]["error"]
    assert "incomplete" not in finished.report


def test_an_arm_may_end_the_run_as_a_test_may(run_apart: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    raising = "import pytest; pytest.exit('enough', returncode=7)"
    pytester.makeconftest(CRASH.format(words=["totalPrice"]).replace("os._exit(9)", raising))
    finished = run_apart(*small.options, "--rb-arms=crashing")
    assert finished.status == 7
    assert set(_missing(finished.report)) == {"wrong-sum", "tick", "nothing-here"}


@pytest.mark.parametrize("options", [["-x"], ["--maxfail=1"]])
def test_a_stop_under_workers_says_what_it_did_not_do(
    pytester: pytest.Pytester, small: SmallBenchmark, options: list[str]
) -> None:
    small.write_samples([{**ROWS[2], "id": f"tick-{number}"} for number in range(40)])
    pytester.makeconftest("import pytest, time\ndef pytest_runtest_teardown(item): time.sleep(0.05)")
    command = [*small.options, "--rb-judge=strict", "--rb-arms=grep-ident", "-n2", *options, "--rb-output=r.json"]
    result = pytester.runpytest_subprocess(*command, timeout=60)
    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    report = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))
    assert set(_missing(report).values()) == {"the run stopped before it"}
    assert sum(bool(row["arms"]) for row in report["details"]) + len(report["incomplete"]) == 40


@pytest.mark.usefixtures("heeds_signals")
@pytest.mark.parametrize("mode", [[], ["-n2"]])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_an_incomplete_report_and_no_temporary_file(
    pytester: pytest.Pytester, small: SmallBenchmark, number: signal.Signals, mode: list[str]
) -> None:
    process = _start_slow_run(pytester, small, mode)
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == pytest.ExitCode.INTERRUPTED, output
    report = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))
    assert set(_missing(report).values()) == {"the run stopped before it"}
    assert [row["id"] for row in report["details"] if row["arms"]]
    assert [path.name for path in pytester.path.iterdir() if "partial" in path.name] == []


@pytest.mark.parametrize("mode", [[], ["-n2"]])
def test_the_journal_survives_a_kill(pytester: pytest.Pytester, small: SmallBenchmark, mode: list[str]) -> None:
    process = _start_slow_run(pytester, small, mode)
    process.kill()
    process.communicate(timeout=60)
    lines = (pytester.path / "r.json.journal.jsonl").read_text(encoding="ascii").splitlines()
    header, *records = map(json.loads, lines)
    assert header["profile"] == "pytest-retrieval-bench-journal/1"
    assert header["registration"] == json.loads(
        (pytester.path / "r.json.registration.json").read_text(encoding="utf-8")
    )
    assert records
    assert {record["arm"] for record in records} == {"slow"}
    assert not (pytester.path / "r.json").exists()


def test_the_journal_holds_each_record_as_it_was_taken_in(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--rb-arms=grep,bm25")
    lines = Path(f"{finished.output}.journal.jsonl").read_text(encoding="ascii").splitlines()
    records = {(record["sample_id"], record["arm"]): record for record in map(json.loads, lines[1:])}
    assert len(records) == len(lines) - 1 == 12
    for row in finished.report["details"]:
        for arm, answer in row["arms"].items():
            record = records[row["id"], arm]
            assert {name: record[name] for name in answer} == answer
            assert record["metrics"] == row["metrics"][arm]


def test_an_existing_journal_is_refused(run: Run, small: SmallBenchmark) -> None:
    (small.folder / "report.json.journal.jsonl").write_text("an earlier run")
    finished = run(*small.options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "report.json.journal.jsonl exists: it belongs to an earlier run" in finished.text


def test_an_existing_report_is_never_overwritten(run: Run, small: SmallBenchmark) -> None:
    (small.folder / "report.json").write_text("an earlier run")
    finished = run(*small.options, f"--rb-registration={small.folder / 'other.json'}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert (small.folder / "report.json").read_text() == "an earlier run"


def test_a_name_that_was_reserved_by_an_empty_file_can_be_used(run: Run, small: SmallBenchmark) -> None:
    (small.folder / "report.json").touch()
    assert run(*small.options).report["samples"] == 4


def test_a_report_that_comes_twice_counts_once(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        def pytest_runtest_logreport(report):
            if report.when == "call" and not hasattr(report, "again") and "tick" in report.nodeid:
                report.again = True
                config.hook.pytest_runtest_logreport(report=report)
        def pytest_configure(config):
            globals()["config"] = config
        """
    )
    finished = run(*small.options, "--rb-arms=grep")
    assert finished.status == 0
    assert finished.report["arms"]["grep"]["all"]["n"] == 4


def _start_slow_run(pytester: pytest.Pytester, small: SmallBenchmark, mode: list[str]) -> subprocess.Popen[str]:
    """A run of many slow items, at a moment when some are done."""
    small.write_samples([{**ROWS[2], "id": f"tick-{number}"} for number in range(400)])
    pytester.makeconftest(
        """
        import time
        from pytest_retrieval_bench import Answer
        class Slow:
            name = "slow"
            def answer(self, query, snapshot, limit):
                time.sleep(0.05)
                return Answer(list(snapshot.paths))
        def pytest_retrieval_bench_arms(config):
            return [Slow()]
        """
    )
    command = [sys.executable, "-m", "pytest", *small.options, "--rb-arms=slow", "--rb-output=r.json", *mode]
    process = subprocess.Popen(
        command, cwd=pytester.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ)
    )
    journal = pytester.path / "r.json.journal.jsonl"
    deadline = time.monotonic() + 60
    while not journal.exists() or journal.read_text(encoding="ascii").count("\n") < 3:
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.02)
    return process
