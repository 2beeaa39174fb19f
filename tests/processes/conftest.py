"""Runs small programs as children, and looks at what they leave."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.processes import orphans
from pytest_retrieval_bench.processes.child import Finished, run_child

ON_LINUX = sys.platform == "linux"
LONGEST_S = 50  # for what takes milliseconds; catches hangs only


@pytest.fixture
def mark() -> str:
    """A word in the arguments of every process that a test starts."""
    return f"mark-{secrets.token_hex(8)}"


@pytest.fixture
def run_program(tmp_path: Path, mark: str) -> Iterator[Callable[..., Finished]]:
    """Runs a Python program as a child. After the test no process, zombie or open file of it may be left."""

    def run(program: str, **more: Any) -> Finished:
        command = [sys.executable, "-I", "-S", "-c", f"import os, sys, time, signal\n{program}", mark]
        return run_child(command, **{"directory": tmp_path, "environment": dict(os.environ), "timeout_s": 60, **more})

    files_before, children_before = open_files(), own_children()
    started = time.monotonic()
    yield run
    assert time.monotonic() - started < LONGEST_S
    assert own_children() == children_before
    # What an earlier test left to a thread or to the collector may be closed meanwhile.
    assert open_files() <= files_before
    assert eventually(lambda: not marked(mark))


@pytest.fixture(params=["linux", "plain"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With all that Linux has, and without what other systems lack."""
    if request.param == "plain":
        monkeypatch.delattr(os, "pidfd_open", raising=False)
        monkeypatch.setattr(orphans, "_prctl", lambda: None)
    elif not ON_LINUX:
        pytest.skip("not on this system")
    return str(request.param)


def eventually(holds: Callable[[], bool], patience_s: float = LONGEST_S) -> bool:
    """Whether it holds before long."""
    deadline = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def marked(mark: str, *places: str) -> list[int]:
    """The processes, zombies aside, that have the word in their arguments, or in these files that tell of them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if any(mark.encode() in (folder / name).read_bytes() for name in places or ("cmdline",)):
                found.append(int(folder.name))
        except OSError:  # it has ended
            continue
    return found


def own_children() -> set[str]:
    """The children of this process, zombies included."""
    return {pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()}


def open_files() -> int:
    """How many files this process has open."""
    return len(list(Path("/dev/fd").iterdir()))


def listed(folder: Path) -> list[str]:
    """The names in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())
