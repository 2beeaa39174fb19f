"""The folder of this process for what it throws away again: locked while it lives, removed when it is gone.

A folder `1a2b3c4d` has a file `1a2b3c4d.lock` beside it, which exists before and after the folder does and is locked
for as long. So whoever gets the lock may remove the folder: its process is dead.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import re
import stat
import subprocess
import sys
import tempfile
import warnings
import weakref
from pathlib import Path

from pytest_retrieval_bench.errors import BenchmarkWarning, RunFolderError
from pytest_retrieval_bench.processes import guard
from pytest_retrieval_bench.processes.guard import remove_tree

if os.name == "posix":
    import fcntl

__all__ = ["RunFolder", "remove_tree"]

_OURS = re.compile(r"([0-9a-f]{8})(\.lock)?")


class RunFolder:
    """An empty folder below `base`, for this process alone. It goes with `close`, or soon after this process is killed.

    What dead processes left below `base` is removed first. A forked child of this process has no part in it.
    Raises RunFolderError where there can be none, or where `base` could be written to by somebody else.
    """

    def __init__(self, base: Path | None = None) -> None:
        if os.name != "posix":
            raise RunFolderError("temporary copies are made on Linux and macOS only; on Windows, use WSL")
        self._numbers = itertools.count(1)
        base = _safe(base)
        try:
            _remove_dead(base)
            self.path, lock = _claim(base)
        except OSError as error:
            raise RunFolderError(f"{base}: no folder can be made in it: {error.strerror or error}") from error
        self._lock: int | None = lock
        self._guard = _start_guard(self.path)
        os.register_at_fork(after_in_child=functools.partial(_leave_to_parent, weakref.ref(self)))

    def new(self) -> Path:
        """A fresh, empty folder in it, whose name is as long as any other's.

        Raises RunFolderError when it cannot be made.
        """
        folder = self.path / f"{next(self._numbers):06}"
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise RunFolderError(f"{folder}: cannot be made: {error.strerror or error}") from error
        return folder

    @property
    def mark(self) -> dict[str, str]:
        """Variables for every process that is to end with this one, in whatever group it is by then."""
        return {guard.MARK: str(self.path)}

    def started(self, pid: int) -> None:
        """The process group with this number is to end with this process."""
        self._tell(b"+%d\n" % pid)

    def ended(self, pid: int) -> None:
        """The process group with this number has ended."""
        self._tell(b"-%d\n" % pid)

    def close(self) -> None:
        """Removes the folder and all that it holds. Warns when something stays."""
        if self._lock is None:
            return
        kept: OSError | None = None
        try:
            remove_tree(self.path)
            _lock_of(self.path).unlink(missing_ok=True)
        except OSError as error:
            kept = error
        if self._guard:
            self._guard.kill()
            self._guard.communicate()
        os.close(self._lock)
        self._guard = self._lock = None
        if kept:
            warnings.warn(f"{self.path}: cannot be removed: {kept}; the next run will try again", BenchmarkWarning, 2)

    def leave_to_parent(self) -> None:
        """Gives up the folder in a forked child, which would otherwise hold the lock of a parent that was killed."""
        if self._lock is not None:
            os.close(self._lock)
        if self._guard and self._guard.stdin:
            self._guard.stdin.close()
            self._guard.returncode = 0  # it is the parent's child, not ours
        self._guard = self._lock = None

    def _tell(self, message: bytes) -> None:
        if self._guard and self._guard.stdin:
            with contextlib.suppress(OSError):  # a guard that was killed, or stopped until its pipe was full
                os.write(self._guard.stdin.fileno(), message)


def _leave_to_parent(reference: weakref.ref[RunFolder]) -> None:
    if folder := reference():
        folder.leave_to_parent()


def _safe(base: Path | None) -> Path:
    """The folder for the folders of all runs, made if it is not there.

    Raises RunFolderError where somebody else could put a folder or a link in our way.
    """
    try:
        base = base or Path(tempfile.gettempdir(), f"pytest-retrieval-bench-{os.geteuid()}")
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = base.lstat()
    except OSError as error:
        where = base or "the system's temporary folder"
        raise RunFolderError(f"{where}: cannot be used for temporary copies: {error.strerror or error}") from error
    if not stat.S_ISDIR(status.st_mode):
        wrong = "it is a link"
    elif status.st_uid != os.geteuid():
        wrong = f"it belongs to another user, {status.st_uid}"
    elif status.st_mode & 0o022:
        wrong = f"others may write to it (mode {stat.S_IMODE(status.st_mode):04o})"
    else:
        return base.resolve()
    raise RunFolderError(f"{base}: not safe for temporary copies: {wrong}; remove it, or set TMPDIR to another folder")


def _claim(base: Path) -> tuple[Path, int]:
    """A new folder, and the open file that holds its lock."""
    while True:
        path = base / os.urandom(4).hex()
        try:
            lock = os.open(_lock_of(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        try:
            if _is_locked(lock, path, without_locks=True):
                path.mkdir(mode=0o700)
                return path, lock
        except BaseException:
            _lock_of(path).unlink()
            os.close(lock)
            raise
        os.close(lock)


def _remove_dead(base: Path) -> None:
    """Removes the folders whose locks can be had. One that cannot be removed is left to the next run."""
    for name in {match[1] for entry in base.iterdir() if (match := _OURS.fullmatch(entry.name))}:
        path = base / name
        with contextlib.suppress(OSError):
            lock = os.open(_lock_of(path), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                if _is_locked(lock, path, without_locks=False):
                    guard.end_marked(path)
                    remove_tree(path)
                    _lock_of(path).unlink()
            finally:
                os.close(lock)


def _is_locked(lock: int, path: Path, *, without_locks: bool) -> bool:
    """Whether the lock is ours now and still the one that others would find.

    A file system that has no locks gives `without_locks`: whoever wants a folder takes it, and nobody removes one.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return without_locks
    try:
        return os.path.samestat(os.fstat(lock), os.lstat(_lock_of(path)))
    except FileNotFoundError:
        return False


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _start_guard(path: Path) -> subprocess.Popen[bytes] | None:
    """The guard of a folder; None where none can be started, and a killed process leaves its folder to the next run."""
    command = [sys.executable, "-I", "-S", guard.__file__, str(path), str(_lock_of(path))]
    try:
        process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl+C is for us alone
        )
    except (OSError, ValueError):
        return None
    if process.stdin:
        os.set_blocking(process.stdin.fileno(), False)
    return process
