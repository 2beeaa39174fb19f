"""Running a command to its end, whatever it does: bounded in time and output, and nothing of it left behind."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pytest_retrieval_bench.errors import ChildError
from pytest_retrieval_bench.processes.exchange import Ending, Exchange
from pytest_retrieval_bench.processes.group import Group
from pytest_retrieval_bench.processes.orphans import ending_orphans


class Watcher(Protocol):
    """Who is told of every process group while it runs, to end it should this process be killed."""

    @property
    def mark(self) -> Mapping[str, str]:
        """Variables for the group, by which those who leave it are found."""

    def started(self, pid: int) -> None:
        """The group with this number began."""

    def ended(self, pid: int) -> None:
        """Nothing is left of the group with this number."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended, and what it printed until then."""

    ending: Ending
    status: int  # the exit status; -N when signal N ended it
    stdout: bytes  # at most as many bytes as were allowed
    stderr: bytes  # the first 64 KiB
    stderr_truncated: bool
    wall_ms: float  # from the start until it had exited and its output was read, or until a bound was crossed


def run_child(
    command: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    timeout_s: float = 120,
    max_stdout_bytes: int = 8 * 2**20,
    watcher: Watcher | None = None,
) -> Finished:
    """Runs a command in a session of its own, feeds and drains it, and ends all that it started (PROTOCOL 4).

    Raises ChildError when it cannot be started, or when its end cannot be known. Any other exception, such as a
    KeyboardInterrupt, passes through once the command is gone.
    """
    if os.name != "posix":
        raise ChildError(f"{_shown(command)}: commands are run on Linux and macOS only; on Windows, use WSL")
    started_ns = time.perf_counter_ns()
    deadline = time.monotonic() + timeout_s
    environment = {**environment, **(watcher.mark if watcher else {})}
    with ending_orphans(), contextlib.ExitStack() as cleaning:
        process = _start(command, directory, environment, subprocess.PIPE if stdin else subprocess.DEVNULL)
        cleaning.callback(_close_pipes, process)
        if watcher:
            cleaning.callback(watcher.ended, process.pid)
        group = Group(process)
        cleaning.callback(group.end)
        if watcher:
            watcher.started(process.pid)
        exchange = Exchange(process, stdin, max_stdout_bytes)
        ending = exchange.run(deadline)
    if group.status is None:
        raise ChildError(
            f"{_shown(command)}: process {process.pid} cannot be ended, or its exit status was taken by somebody else; "
            "a command must not run as another user, and SIGCHLD must not be ignored here"
        )
    return Finished(
        ending=ending,
        status=group.status,
        stdout=exchange.stdout,
        stderr=exchange.stderr,
        stderr_truncated=exchange.stderr_truncated,
        wall_ms=(exchange.ended_ns - started_ns) / 1e6,
    )


def _start(
    command: Sequence[str], directory: Path, environment: Mapping[str, str], stdin: int
) -> subprocess.Popen[bytes]:
    if not command:
        raise ChildError("an empty command cannot be started")
    try:
        return subprocess.Popen(
            command,
            bufsize=0,
            cwd=directory,
            env=environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except ValueError as error:
        reason = "an argument or a variable of its environment is no text that a system can pass on"
        raise ChildError(f"{_shown(command)}: cannot be started: {reason}: {error}") from error
    except OSError as error:
        reason = _reason(error, command, directory, environment)
        raise ChildError(f"{_shown(command)}: cannot be started: {reason}") from error


def _reason(error: OSError, command: Sequence[str], directory: Path, environment: Mapping[str, str]) -> str:
    """Why the system does not start the command, and what to do about it."""
    if not directory.is_dir():
        return f"{directory} is no directory to run it in"
    if error.errno == errno.E2BIG:
        sizes = [len(os.fsencode(text)) for text in (*command, *environment, *environment.values())]
        total, longest = sum(sizes), max(sizes)
        words = f"its arguments and environment are too long ({total} bytes, the longest {longest})"
        return f"{words}; pass the text in a file or on standard input"
    has_folder = os.sep in command[0]
    file = directory / command[0]
    if error.errno == errno.ENOENT and not has_folder:
        return "no program of this name is on PATH"
    if error.errno == errno.ENOENT and file.exists():
        return "the interpreter that its first line names does not exist"
    if error.errno == errno.ENOENT:
        return "there is no such file"
    if error.errno == errno.EACCES and has_folder and file.is_dir():
        return "it is a directory"
    if error.errno == errno.EACCES:
        return "it is not executable; see chmod +x"
    if error.errno == errno.ENOEXEC:
        return "it is no program for this system; a script needs a first line such as #!/bin/sh"
    return error.strerror or str(error)


def _shown(command: Sequence[str]) -> str:
    return repr(command[0][:200]) if command else "''"


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()
