"""A run with every kind of program in it, to be killed at any moment, and what is to be seen of it afterwards."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import CONFORMANCE
from tests.processes.conftest import eventually, listed, marked
from tests.small_benchmark import ROWS, SmallBenchmark, write_small_benchmark
from tests.snapshots.worktree import git, make_worktree

ARMS = ("corvint", "context", "impact", "affected", "own", "grep")
LONGEST_S = 120  # for what takes seconds; catches hangs only
# Plugins that write to the folder in which pytest runs; pytest-benchmark through Git.
_WITHOUT = [f"-pno:{name}" for name in ("cacheprovider", "benchmark", "randomly")]
_TREE = {"src/wood.go": b"package wood\n", "tests/wood_test.go": b"package wood\n", ".gitattributes": b"* text\n"}
# Leaves two helpers behind, one of which has left the process group.
_OWN = """
import os, sys, time
for leave in (False, True):
    if os.fork() == 0:
        if leave:
            os.setsid()
        os.close(1)
        os.close(2)
        time.sleep(600)
        os._exit(0)
if sys.argv[1:] == ["slow"]:
    time.sleep(600)
if sys.argv[1:] == ["index"]:
    os.mkdir("index-of-own")
    for number in range(20):
        open(f"index-of-own/{number}", "w").close()
time.sleep(0.05)
for folder, _, names in os.walk("."):
    if ".git" not in folder and "index-of-own" not in folder:
        for name in names:
            print(os.path.join(folder, name))
"""
_ARMS_FILE = """
[arms.own]
command = '{python} {program}'
index = '{python} {program} index'
[arms.slow]
command = '{python} {program} slow'
"""
_CONFTEST = b"""
import time
class Stuck:
    name = "stuck"
    timeout_s = None
    def answer(self, query, snapshot, limit):
        snapshot.workspace()
        while True:
            try:
                time.sleep(600)
            except BaseException:
                pass
def pytest_retrieval_bench_arms(config):
    return [Stuck()]
"""


@dataclass(frozen=True)
class Started:
    """A run that may be going on, in a process group of its own, as a terminal has it."""

    process: subprocess.Popen[str]
    output: Path

    @property
    def journal(self) -> list[str]:
        """The lines of the journal that are whole by now."""
        path = Path(f"{self.output}.journal.jsonl")
        return path.read_text(encoding="ascii").split("\n")[:-1] if path.exists() else []

    @property
    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.output.read_text(encoding="utf-8"))
        return report

    def workers(self) -> list[int]:
        """The workers of pytest-xdist."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [pid for pid in map(int, children) if b"sys.stdin.readline" in _command_line(pid)]

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Until it holds, or the run is over."""
        assert eventually(lambda: holds() or self.process.poll() is not None, LONGEST_S), "the run hangs"

    def wait_for_records(self, number: int) -> None:
        """Until so many results have come in, or the run is over."""
        self.wait_until(lambda: len(self.journal) > number)

    def end(self) -> tuple[int, str]:
        """The exit status, and what was printed until then."""
        output, _ = self.process.communicate(timeout=LONGEST_S)
        return self.process.returncode, output

    def kill(self, number: signal.Signals, whom: str) -> bool:
        """Sends a signal to `controller`, `group` or a `worker`; whether there was somebody to get it."""
        if self.process.poll() is not None:
            return False
        pids = self.workers() if whom == "worker" else [self.process.pid]
        if not pids:
            return False
        pid = random.choice(pids)
        try:
            (os.killpg if whom == "group" else os.kill)(pid, number)
        except ProcessLookupError:
            return False
        return True


class Stage:
    """The folders of killable runs; every process of them has `mark` in its arguments or its environment."""

    def __init__(self, folder: Path) -> None:
        self.mark = f"mark-{os.urandom(8).hex()}"
        self.folder = folder / self.mark
        self.folder.mkdir()
        self.small: SmallBenchmark = write_small_benchmark(self.folder)
        self.snapshot, self.caller = self.folder / "wood", self.folder / "caller"
        self._commit = make_worktree(self.snapshot, _TREE)
        make_worktree(self.caller, {"conftest.py": _CONFTEST, "README.md": b"The caller's."})
        row = {**ROWS[0], "repo": "acme/wood", "base_commit": self._commit, "gold": {"files": ["src/wood.go"]}}
        queries = [{"changed_file": "src/wood.go", "title": "wood"}, {"text": "src wood"}, {"text": "tests"}]
        rows = [{**row, "id": f"wood-{number}", "query": query} for number, query in enumerate(queries)]
        self.samples = [row["id"] for row in (*rows, *ROWS)]
        self.small.write_samples([*rows, *ROWS])
        (self.folder / "own.py").write_text(_OWN)
        paths = {"python": sys.executable, "program": self.folder / "own.py"}
        (self.folder / "arms.toml").write_text(_ARMS_FILE.format(**paths))
        self.temporary, self.outputs = self.folder / "tmp", self.folder / "out"
        self.temporary.mkdir()
        self.outputs.mkdir()
        self._before = self._state()

    def start(self, name: str, *options: str, arms: tuple[str, ...] = ARMS) -> Started:
        output = self.outputs / f"{name}.json"
        command = [sys.executable, "-m", "pytest", *_WITHOUT, *self.small.options]
        command += [f"--rb-snapshot=acme/wood@{self._commit}={self.snapshot}", f"--rb-output={output}"]
        command += [f"--rb-arms={','.join(arms)}", f"--rb-arms-file={self.folder / 'arms.toml'}"]
        command += [f"--rb-corvint={CONFORMANCE / 'bin' / 'corvint'}", f"--basetemp={self.folder / 'bt'}", *options]
        variables = {"TMPDIR": str(self.temporary), "RB_TEST_MARK": self.mark, "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            command,
            cwd=self.caller,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        return Started(process, output)

    def processes(self) -> list[str]:
        """What is left of any run, zombies aside, once it had time to end."""
        eventually(lambda: not self._marked(), LONGEST_S)
        return [f"{pid}: {_command_line(pid)!r}" for pid in self._marked()]

    def runs(self, *arguments: str) -> bool:
        """Whether the program of the arms runs with these arguments."""
        end = "\0".join(("own.py", *arguments, "")).encode()
        return any(_command_line(pid).endswith(end) for pid in self._marked())

    def _marked(self) -> list[int]:
        return marked(self.mark, "cmdline", "environ")

    def temporary_entries(self) -> list[str]:
        """What is in the temporary folder, and in our folder there."""
        entries = listed(self.temporary)
        base = f"pytest-retrieval-bench-{os.geteuid()}"
        assert entries in ([], [base]), entries
        return [name for entry in entries for name in listed(self.temporary / entry)]

    def changes_of_the_callers(self) -> list[str]:
        """The entries of the caller's snapshot and worktree that are not what they were, in any respect."""
        now = self._state()
        return sorted(name for name in {*now, *self._before} if now.get(name) != self._before.get(name))

    def _state(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for path in (path for folder in (self.snapshot, self.caller) for path in (folder, *folder.rglob("*"))):
            status = path.lstat()
            times = status.st_mtime_ns, status.st_ctime_ns
            content = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (status.st_ino, status.st_mode, status.st_nlink, status.st_uid, *times, content)
        return found


def is_clean(worktree: Path) -> bool:
    """What Git itself says, which may write to the worktree: to be asked last."""
    return git(worktree, "status", "--porcelain") == ""


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
