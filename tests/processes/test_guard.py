"""The guard cleans up behind a process that was killed, and only then."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from pytest_retrieval_bench.processes.run_folder import RunFolder
from tests.processes.conftest import ON_LINUX, eventually, listed, marked
from tests.processes.owner import owner

linux_only = pytest.mark.skipif(not ON_LINUX, reason="elsewhere, a process that leaves its group is out of sight")
RUN = """
program = "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); os.fork(); time.sleep(100)"
command = [sys.executable, "-c", program, os.environ["MARK"]]
run_child(command, directory=folder.path, environment=os.environ, watcher=folder)
"""
# A daemon of its own session, while the child goes on.
LEAVE = RUN.replace("os.fork()", "os.fork() or (os.setsid(), os.fork() and os._exit(0))")
OBSTINATE = """
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
sys.stdin.read()
"""


def sessions(mark: str) -> int:
    """How many sessions there are of the processes with the word in their arguments."""
    found = set()
    for pid in marked(mark):
        with contextlib.suppress(ProcessLookupError):
            found.add(os.getsid(pid))
    return len(found)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "base"


def test_a_killed_owners_children_and_folder_go(base: Path, mark: str) -> None:
    with owner(base, RUN, MARK=mark) as running:
        assert eventually(lambda: len(marked(mark)) == 2)
        running.kill()
        assert eventually(lambda: not marked(mark))
        assert eventually(lambda: listed(base) == [])


@linux_only
def test_a_process_that_left_the_group_goes_with_the_killed_owner(base: Path, mark: str) -> None:
    with owner(base, LEAVE, MARK=mark) as running:
        assert eventually(lambda: sessions(mark) == 2)
        running.kill()
        assert eventually(lambda: not marked(mark))
        assert eventually(lambda: listed(base) == [])


@linux_only
def test_what_runs_on_without_owner_and_guard_is_ended_by_the_next_run(base: Path, mark: str) -> None:
    with owner(base, LEAVE, MARK=mark) as running, owner(base, LEAVE, MARK=f"other-{mark}") as other:
        assert eventually(lambda: sessions(mark) == 4)
        running.kill(with_guard=True)
        RunFolder(base).close()
        assert eventually(lambda: marked(mark) == marked(f"other-{mark}"))
        assert sessions(mark) == 2
        assert listed(base) == [other.path.name, f"{other.path.name}.lock"]


def test_an_owner_that_just_ends_leaves_nothing(base: Path) -> None:
    with owner(base, "os._exit(0)") as careless:
        careless.process.wait()
        assert eventually(lambda: listed(base) == [])


def test_ctrl_c_and_term_for_the_whole_foreground_group_do_not_end_the_guard(base: Path) -> None:
    with owner(base, OBSTINATE) as obstinate:
        assert obstinate.process.stdout
        assert obstinate.process.stdout.readline() == b"ready\n"
        for number in (signal.SIGINT, signal.SIGTERM):
            os.killpg(obstinate.process.pid, number)
            time.sleep(0.1)
        assert obstinate.path.exists()
        obstinate.kill()
        assert eventually(lambda: listed(base) == [])


def test_a_guard_that_is_asked_to_end_stays(base: Path) -> None:
    with owner(base) as guarded:
        time.sleep(0.2)  # until it has started
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(guarded.guard, number)
        time.sleep(0.1)
        assert guarded.path.exists()
        guarded.kill()
        assert eventually(lambda: listed(base) == [])


def test_a_group_that_has_ended_is_forgotten(base: Path, mark: str) -> None:
    """Its number may be another's by then."""
    code = """
import subprocess
command = [sys.executable, "-c", "import time; time.sleep(100)", os.environ["MARK"]]
bystander = subprocess.Popen(command, start_new_session=True)
folder.started(bystander.pid)
folder.ended(bystander.pid)
sys.stdin.read()
"""
    with owner(base, code, MARK=mark) as forgetful:
        assert eventually(lambda: len(marked(mark)) == 1)
        time.sleep(0.1)
        forgetful.kill()
        assert eventually(lambda: listed(base) == [])
        (bystander,) = marked(mark)
        os.kill(bystander, signal.SIGKILL)


def test_a_guard_that_was_killed_or_stopped_stops_nothing(base: Path) -> None:
    for number in (signal.SIGKILL, signal.SIGSTOP):
        folder = RunFolder(base)
        assert folder._guard
        os.kill(folder._guard.pid, number)
        for pid in range(20_000):
            folder.started(pid)
        folder.close()
        assert listed(base) == []


@pytest.mark.parametrize("executable", ["", "/nonexistent/python"])
def test_without_a_guard_all_else_works(base: Path, monkeypatch: pytest.MonkeyPatch, executable: str) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    folder = RunFolder(base)
    folder.started(1)
    assert folder.new().exists()
    folder.close()
    assert listed(base) == []
