"""Bounds on the requests to a service that hold over every process of this user on this machine.

Each service has a folder below the folder for temporary files. One lock file in it stands for each of the requests that
may run at the same time; the file `turn` is locked by whoever is next, and says when the last request began. The system
lets go of a lock when its process dies, however it dies, so nothing has to be cleaned up after a killed one.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pytest_retrieval_bench.errors import BenchmarkError

_POLL_SECONDS = 0.005
_BEGAN = struct.Struct("<d")


class LimitsError(BenchmarkError):
    """The folder that processes share cannot be used."""


@dataclass(frozen=True, slots=True)
class SharedLimits:
    """At most `rate` requests a second and `concurrency` at the same time; None is no bound.

    `service` names what the bounds protect: all who name the same one share them, each with bounds of its own.
    """

    service: str
    rate: float | None
    concurrency: int | None

    @contextmanager
    def request(self) -> Iterator[None]:
        """Waits until a request may begin; the body is the request.

        Raises LimitsError when the shared folder cannot be used.
        """
        with ExitStack() as held:
            if self.rate is not None or self.concurrency is not None:
                self._wait(held)
            yield

    def _wait(self, held: ExitStack) -> None:
        folder = _shared_folder(self.service)
        with ExitStack() as mine:
            turn = mine.enter_context(_opened(folder / "turn"))
            fcntl.flock(turn, fcntl.LOCK_EX)
            if self.concurrency is not None:
                # Only the process whose turn it is looks for a free place, so few look at the same time.
                places = [held.enter_context(_opened(folder / f"place-{n}")) for n in range(self.concurrency)]
                while not any(map(_locked, places)):
                    time.sleep(_POLL_SECONDS)
            if self.rate is not None:
                time.sleep(seconds_to_wait(_last_began(turn), time.monotonic(), 1 / self.rate))
            os.pwrite(turn, _BEGAN.pack(time.monotonic()), 0)


def seconds_to_wait(last: float | None, now: float, interval: float) -> float:
    """How long until the next may begin. A time to come is from before the machine was last started."""
    if last is None or last > now:
        return 0
    return max(0.0, last + interval - now)


def _last_began(turn: int) -> float | None:
    """When the last request began, None before the first."""
    written = os.pread(turn, _BEGAN.size, 0)
    return _BEGAN.unpack(written)[0] if len(written) == _BEGAN.size else None


def _locked(place: int) -> bool:
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A file of this user; closing it lets go of its lock."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise LimitsError(f"{path}: the lock cannot be opened: {error.strerror}; see TMPDIR") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _shared_folder(service: str) -> Path:
    base = Path(tempfile.gettempdir()) / f"pytest-retrieval-bench-limits-{os.getuid()}"
    folder = base / hashlib.sha256(service.encode()).hexdigest()[:16]
    for path in (base, folder):
        try:
            path.mkdir(mode=0o700, exist_ok=True)
            status = path.lstat()
        except OSError as error:
            raise LimitsError(f"{path}: the folder cannot be made: {error.strerror}; see TMPDIR") from error
        # Anyone may write to the folder above: one that another user, or a link, put there is not ours.
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o022:
            raise LimitsError(f"{path}: not a folder of this user alone; remove it or set TMPDIR")
    return folder
