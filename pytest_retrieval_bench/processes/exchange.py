"""The pipes of a child: fed and drained side by side, so that neither it nor we wait for the other for ever."""

from __future__ import annotations

import io
import os
import select
import subprocess
import time
from typing import IO, Literal

Ending = Literal["exited", "timeout", "output limit"]

_READ_BYTES = 65_536
_MAX_STDERR_BYTES = 65_536
# How long the output of a child that has exited may still come, from helpers that it left.
_DRAIN_S = 0.5
# How long to wait at most without looking at the clock, and at the child where nothing tells of its exit.
_LONGEST_WAIT_S = 60.0
_GLANCE_S = 0.02
_SHORT_GLANCE_S = 0.001


class Exchange:
    """What goes to a child and what has come from it, until it has exited or crossed a bound."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, max_stdout_bytes: int) -> None:
        self._pid = process.pid
        self._max_stdout_bytes = max_stdout_bytes
        self._unsent = memoryview(stdin)
        self._input = process.stdin
        self._stdin = _number(process.stdin)
        self._stdout = _number(process.stdout)
        self._stderr = _number(process.stderr)
        self._outputs = {self._stdout, self._stderr}
        self._stdout_kept = io.BytesIO()
        self._stderr_kept = bytearray()
        self._poll = select.poll()
        self.stderr_truncated = False
        self.ended_ns = 0

    @property
    def stdout(self) -> bytes:
        """Standard output, at most as many bytes as are allowed."""
        self._stdout_kept.truncate(self._max_stdout_bytes)
        return self._stdout_kept.getvalue()

    @property
    def stderr(self) -> bytes:
        """The first 64 KiB of standard error."""
        return bytes(self._stderr_kept)

    def run(self, deadline: float) -> Ending:
        """Feeds and drains until the child has exited and its output is closed, or a bound is crossed."""
        for output in self._outputs:
            self._poll.register(output, select.POLLIN)
        if self._unsent:
            os.set_blocking(self._stdin, False)
            self._poll.register(self._stdin, select.POLLOUT)
        exit_signal = _exit_signal(self._pid)
        try:
            if exit_signal is not None:
                self._poll.register(exit_signal, select.POLLIN)
            return self._until_the_end(deadline, exit_signal)
        finally:
            if exit_signal is not None:
                os.close(exit_signal)

    def _until_the_end(self, deadline: float, exit_signal: int | None) -> Ending:
        exited = False
        while self._outputs or not exited:
            left_s = min(max(deadline - time.monotonic(), 0), _LONGEST_WAIT_S)
            if exit_signal is None and not exited:
                left_s = min(left_s, _GLANCE_S if self._outputs else _SHORT_GLANCE_S)
            ready = self._poll.poll(left_s * 1000)
            for descriptor, _ in ready:
                if descriptor != exit_signal:
                    self._move(descriptor)
            self.ended_ns = self.ended_ns if exited and not ready else time.perf_counter_ns()
            if self._stdout_kept.tell() > self._max_stdout_bytes:
                return "output limit"
            if not exited and _has_exited(self._pid, exit_signal, ready):
                exited = True
                deadline = time.monotonic() + _DRAIN_S
                if exit_signal is not None:
                    self._poll.unregister(exit_signal)
            if time.monotonic() >= deadline:
                return "exited" if exited else "timeout"
        return "exited"

    def _move(self, descriptor: int) -> None:
        """Moves what a pipe holds or takes now."""
        if descriptor == self._stdin:
            self._feed()
            return
        part = os.read(descriptor, _READ_BYTES)
        if not part:
            self._poll.unregister(descriptor)
            self._outputs.discard(descriptor)
        elif descriptor == self._stdout:
            self._stdout_kept.write(part)
        else:
            room = _MAX_STDERR_BYTES - len(self._stderr_kept)
            self._stderr_kept += part[:room]
            self.stderr_truncated |= len(part) > room

    def _feed(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._stdin, self._unsent[:_READ_BYTES]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it does not want the rest, which is its own affair
            self._unsent = memoryview(b"")
        if not self._unsent and self._input:
            self._poll.unregister(self._stdin)
            self._input.close()


def _number(pipe: IO[bytes] | None) -> int:
    """The file descriptor of a pipe; one that no file has where there is no pipe."""
    return pipe.fileno() if pipe else -1


def _exit_signal(pid: int) -> int | None:
    """A file descriptor that is readable once the process has exited; None where the system has none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # not Linux, an old Linux, or a sandbox that forbids it
        return None


def _has_exited(pid: int, exit_signal: int | None, ready: list[tuple[int, int]]) -> bool:
    if exit_signal is not None:
        return any(descriptor == exit_signal for descriptor, _ in ready)
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True
