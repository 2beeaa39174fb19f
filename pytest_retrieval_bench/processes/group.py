"""Ending a process group: TERM, a short grace, KILL, and every member taken out of the process table."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time

# Time for a member to put its files in order, and time for the system to end one that was killed.
_GRACE_S = 1.0
_KILL_S = 5.0


class Group:
    """The process group that a child of ours leads."""

    def __init__(self, leader: subprocess.Popen[bytes]) -> None:
        self._leader = leader
        self._number = leader.pid
        self.status: int | None = None  # of the leader, once it has ended; -N when signal N ended it

    def end(self) -> None:
        """Ends whoever is left. A leader that had exited keeps its status.

        The leader is reaped here and not earlier: until then no other process can be given the group's number.
        """
        try:
            if not self._ended_by(signal.SIGTERM, _GRACE_S):
                self._ended_by(signal.SIGKILL, _KILL_S)
        except BaseException:
            self._ended_by(signal.SIGKILL, _KILL_S)  # a second Ctrl+C takes the grace away
            raise
        finally:
            # Popen would warn of a process that it did not reap itself.
            self._leader.returncode = self.status if self.status is not None else -signal.SIGKILL

    def _ended_by(self, number: signal.Signals, patience_s: float) -> bool:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._number, number)
        deadline, pause_s = time.monotonic() + patience_s, 0.0005
        while self._has_children() or self._has_members():
            if time.monotonic() >= deadline:
                return False
            time.sleep(pause_s)
            pause_s = min(pause_s * 2, 0.02)
        return True

    def _has_children(self) -> bool:
        """Reaps the members that have ended; whether others are children of ours."""
        try:
            while True:
                pid, status = os.waitpid(-self._number, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self._number:
                    self.status = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            return False

    def _has_members(self) -> bool:
        try:
            os.killpg(self._number, 0)
        except (ProcessLookupError, PermissionError):  # nobody, or nobody whom we could end
            return False
        return True
