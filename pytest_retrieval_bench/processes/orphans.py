"""Ending what left its process group: on Linux, the orphans of a child become children of ours while it runs."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache

_PATIENCE_S = 5.0
_PR_SET_CHILD_SUBREAPER = 36


class _Adoption:
    """Who runs a child now, in whatever thread: whether orphans come to us is a property of the whole process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0
        self._before: set[int] | None = None  # the children at the start; None where orphans do not come to us

    def join(self) -> None:
        with self._lock:
            if self._runs == 0:
                before = _children()
                self._before = before if before is not None and _adopt(True) else None
            self._runs += 1

    def leave(self) -> None:
        with self._lock:
            self._runs -= 1
            if self._runs == 0 and self._before is not None:
                try:
                    _end_children_but(self._before)
                finally:
                    _adopt(False)


_adoption = _Adoption()


@contextlib.contextmanager
def ending_orphans() -> Iterator[None]:
    """Kills and reaps, at the end, whoever was orphaned meanwhile and thereby given to this process.

    Where several threads are inside, the last one to leave does it. Does nothing on a system that cannot adopt, or
    does not list the adopted. Orphans are always given to the main thread, so what other threads start is not touched;
    the main thread must not start children by other means while a thread is inside.
    """
    _adoption.join()
    try:
        yield
    finally:
        _adoption.leave()


def _end_children_but(spared: set[int]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while found := (_children() or set()) - spared:
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, os.WNOHANG)
            except (ProcessLookupError, ChildProcessError):
                continue
            except PermissionError:  # it runs as another user by now
                spared = spared | {pid}
        if time.monotonic() >= deadline:
            return
        time.sleep(0.001)


def _children() -> set[int] | None:
    """The children of the main thread, ended ones included; None where the system does not list them."""
    try:
        descriptor = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY)
    except OSError:
        return None
    text = b""
    try:
        while part := os.read(descriptor, 65_536):
            text += part
    finally:
        os.close(descriptor)
    return set(map(int, text.split()))


def _adopt(wanted: bool) -> bool:
    """Whether the system did as it was told."""
    prctl = _prctl()
    return prctl is not None and prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0) == 0


@cache
def _prctl() -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    try:
        import ctypes

        prctl: Callable[..., int] = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None
    return prctl
