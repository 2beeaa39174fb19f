"""No run asks the network for anything, unless an arm does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import Run

# Python runs it at the start of each process, workers included; a hook of `sys.addaudithook` cannot be taken away.
WATCH = """
import sys

ASKS = ("connect", "sendto", "sendmsg", "bind", "getaddrinfo", "gethostbyname")

def watch(event, arguments):
    if event.removeprefix("socket.") in ASKS:
        with open(LOG, "a") as log:
            log.write(f"{event} {arguments}\\n")
        raise ConnectionRefusedError(event)

sys.addaudithook(watch)
"""
CURIOUS = """
import socket

class Curious:
    name = "curious"

    def answer(self, query, snapshot, limit):
        socket.create_connection(("127.0.0.1", 9))

def pytest_retrieval_bench_arms(config):
    return [Curious()]
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file where every process that is started from here writes what it asks of the network."""
    watched, log = tmp_path / "watched", tmp_path / "asked"
    watched.mkdir()
    (watched / "sitecustomize.py").write_text(f"LOG = {str(log)!r}\n{WATCH}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(watched), os.environ.get("PYTHONPATH", "")]))
    return log


@pytest.mark.parametrize("mode", [(), ("-n2",)])
def test_a_run_asks_the_network_for_nothing(mode: tuple[str, ...], asked: Path, pytester: pytest.Pytester) -> None:
    run = Run(pytester, mode, apart=True)
    finished = run("--rb-suite=demo", "--rb-inference=all", "--rb-markdown=report.md", "--rb-table=rows.csv")
    finished.result.assert_outcomes(passed=280)
    assert not asked.exists(), asked.read_text()


@pytest.mark.parametrize("mode", [(), ("-n2",)])
def test_an_arm_that_asks_is_seen(mode: tuple[str, ...], asked: Path, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CURIOUS)
    finished = Run(pytester, mode, apart=True)("--rb-suite=demo", "--rb-arms=curious", "--rb-max-samples=2")
    assert finished.report["arms"]["curious"]["errors"] == 2
    assert "127.0.0.1" in asked.read_text()
