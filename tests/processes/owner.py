"""A process of its own that has a RunFolder, for tests that kill it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_CODE = """
import os, signal, sys, time
from pathlib import Path
from pytest_retrieval_bench.processes.child import run_child
from pytest_retrieval_bench.processes.run_folder import RunFolder
folder = RunFolder(Path(sys.argv[1]) if sys.argv[1] else None)
(folder.new() / "file").write_text("")
print(folder.path, folder._guard.pid, flush=True)
"""


@dataclass(frozen=True)
class Owner:
    """The process, its folder, and its guard."""

    process: subprocess.Popen[bytes]
    path: Path
    guard: int

    def kill(self, *, with_guard: bool = False) -> None:
        """SIGKILL, to the guard first where it is not to clean up."""
        if with_guard:
            os.kill(self.guard, signal.SIGKILL)
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def owner(base: Path | None, code: str = "sys.stdin.read()", **environment: str | None) -> Iterator[Owner]:
    """Starts an owner that goes on with some code; None takes a variable out of its environment."""
    variables = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    with subprocess.Popen(
        [sys.executable, "-c", _CODE + code, str(base or "")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=variables,
        start_new_session=True,
    ) as process:
        assert process.stdout
        path, _, guard = process.stdout.readline().decode().strip().rpartition(" ")
        try:
            yield Owner(process, Path(path), int(guard))
        finally:
            process.kill()
