"""Runs that end before their time, or lose a worker: no copy stays behind, and what was not measured is named."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Finished, Run
from tests.processes.conftest import eventually, listed
from tests.small_benchmark import SmallBenchmark

pytestmark = pytest.mark.skipif(os.name == "nt" or shutil.which("git") is None, reason="needs copies")

ARM = """
import os, signal
import pytest
from pytest_retrieval_bench import Answer
class Mine:
    name = "mine"
    def answer(self, query, snapshot, limit):
        snapshot.workspace()
        if "tickClock" in query.text:
            {tick}
        return Answer(list(snapshot.paths))
def pytest_retrieval_bench_arms(config):
    return [Mine()]
"""
COMMAND = f"--rb-command=own={sys.executable} -c \"print('README.md')\""
FAILING_FIXTURE = """
@pytest.fixture(scope="{scope}", autouse=True)
def failing():
    yield
    raise RuntimeError("at the end")
"""
PAIRS = {(sample, arm) for sample in ("cart-test", "wrong-sum", "tick", "nothing-here") for arm in ("mine", "own")}


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the copies of runs in processes of their own are."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return tmp_path / "tmp" / f"pytest-retrieval-bench-{os.geteuid()}"


@pytest.fixture(params=["plain", "-n2"])
def run(request: pytest.FixtureRequest, pytester: pytest.Pytester) -> Run:
    return Run(pytester, () if request.param == "plain" else (request.param,), apart=True)


def pairs_of(report: dict[str, Any]) -> tuple[set[tuple[str, str]], dict[tuple[str, str], str]]:
    """What was measured, and what is missing and why."""
    missing = {(pair["id"], pair["arm"]): pair["why"] for pair in report.get("incomplete", [])}
    return {(row["id"], arm) for row in report["details"] for arm in row["arms"]}, missing


def start(run: Run, small: SmallBenchmark, code: str, *options: str, tick: str = "pass") -> Finished:
    run.pytester.makeconftest(ARM.format(tick=tick) + code)
    return run(*small.options, COMMAND, "--rb-arms=mine,own", *options)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["-x"], ""),
        (["--maxfail=2"], ""),
        ([], "def pytest_runtest_teardown(item): pytest.exit('enough', 3)"),
        ([], "def pytest_runtest_logreport(report): report.when == 'call' and pytest.exit('enough', 3)"),
    ],
    ids=["-x", "--maxfail", "exit in teardown", "exit on a report"],
)
def test_a_run_that_stops_early_leaves_no_copy(
    run: Run, small: SmallBenchmark, base: Path, options: list[str], code: str
) -> None:
    finished = start(run, small, code, "--rb-judge=strict", *options)
    assert finished.status != 0, finished.text
    measured, missing = pairs_of(finished.report)
    assert measured
    assert missing
    assert measured | set(missing) == PAIRS
    assert eventually(lambda: listed(base) == [])


@pytest.mark.parametrize("scope", ["function", "session"])
def test_a_fixture_that_fails_at_its_end_loses_nothing_and_leaves_no_copy(
    run: Run, small: SmallBenchmark, base: Path, scope: str
) -> None:
    finished = start(run, small, FAILING_FIXTURE.format(scope=scope))
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert pairs_of(finished.report) == (PAIRS, {})
    assert eventually(lambda: listed(base) == [])


# Without `each`: pytest-xdist 3.8 raises KeyError when two replaced workers of that mode come up side by side.
@pytest.mark.parametrize("dist", [None, "load", "worksteal", "loadscope", "loadfile"])
def test_a_worker_that_is_killed_loses_its_item_alone_and_leaves_no_copy(
    pytester: pytest.Pytester, small: SmallBenchmark, base: Path, dist: str | None
) -> None:
    run = Run(pytester, ("-n2", *([f"--dist={dist}"] if dist else [])), apart=True)
    finished = start(run, small, "", tick="os.kill(os.getpid(), signal.SIGKILL)")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    measured, missing = pairs_of(finished.report)
    assert measured | set(missing) == PAIRS
    assert "crashed while running" in missing["tick", "mine"]
    if dist not in ("loadscope", "loadfile"):  # pytest-xdist 3.8 drops what is queued behind a crash in these modes
        assert set(missing) == {("tick", "mine")}
    assert eventually(lambda: listed(base) == [])


SIGNAL_WHILE_IT_IS_WRITTEN = """
from pytest_retrieval_bench import publishing
build = publishing.build_report
def build_report(*arguments, **named):
    os.kill(os.getpid(), signal.{number})
    return build(*arguments, **named)
publishing.build_report = build_report
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.usefixtures("heeds_signals")
def test_a_signal_while_the_report_is_written_does_not_lose_it(
    run_apart: Run, small: SmallBenchmark, base: Path, number: str
) -> None:
    finished = start(run_apart, small, SIGNAL_WHILE_IT_IS_WRITTEN.format(number=number))
    assert finished.status == pytest.ExitCode.INTERRUPTED
    assert pairs_of(finished.report) == (PAIRS, {})
    assert eventually(lambda: listed(base) == [])


@pytest.mark.usefixtures("heeds_signals")
def test_a_second_ctrl_c_does_not_wait_for_the_report(run_apart: Run, small: SmallBenchmark, base: Path) -> None:
    twice = SIGNAL_WHILE_IT_IS_WRITTEN.format(number="SIGINT").replace("    os.kill", "    for _ in range(2): os.kill")
    finished = start(run_apart, small, twice)
    assert finished.status != 0
    assert not finished.output.exists()
    assert eventually(lambda: listed(base) == [])


def _with_a_terminal() -> None:
    """In the child: a session of its own whose terminal is standard output."""
    os.setsid()
    fcntl.ioctl(1, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize("mode", [[], ["-n2"]])
@pytest.mark.usefixtures("heeds_signals")
def test_a_terminal_that_goes_away_leaves_the_report_of_what_was_measured(
    pytester: pytest.Pytester, small: SmallBenchmark, base: Path, mode: list[str]
) -> None:
    pytester.makeconftest(ARM.format(tick="open('asked', 'w').close() or __import__('time').sleep(100)"))
    controller, terminal = os.openpty()
    options = [*small.options, COMMAND, "--rb-arms=mine,own", "--rb-output=report.json", *mode]
    child = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options], stdin=terminal, stdout=terminal, stderr=terminal,
        preexec_fn=_with_a_terminal,
    )  # fmt: skip
    os.close(terminal)
    journal, asked = small.folder / "report.json.journal.jsonl", small.folder / "asked"
    try:
        assert eventually(lambda: asked.exists() and journal.read_text().count("\n") > 1)
        os.close(controller)
        assert child.wait(60) != 0
    finally:
        child.kill()
        child.wait()
    measured, missing = pairs_of(json.loads((small.folder / "report.json").read_text(encoding="utf-8")))
    assert measured
    assert measured | set(missing) == PAIRS
    assert ("tick", "mine") in missing
    assert eventually(lambda: listed(base) == [])
