"""Cleans up behind a process that was killed: ends the groups that it had started and removes its folder.

    python -I -S guard.py FOLDER LOCK

Standard input tells of the process groups: `+PID` began, `-PID` ended. Its end tells that the owner is gone. An owner
that removes its folder itself kills the guard afterwards. Stands alone, as it runs without any package.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

# The variable that names the folder to every process of its run, also to one that has left its group.
MARK = "PYTEST_RETRIEVAL_BENCH_RUN_FOLDER"
_ROUNDS = 5
_PAUSE_S = 0.02
_PATIENCE_S = 5.0


def remove_tree(path: Path) -> None:
    """Removes a folder and all that it holds, whatever their modes; links are removed and never followed.

    Raises OSError when something stays; all else is gone then.
    """
    for _ in range(_ROUNDS):
        errors: list[OSError] = []
        with _noting(errors):
            _remove(os.fspath(path), errors)
        if not errors:
            return
        time.sleep(_PAUSE_S)  # a process that is about to end may still be writing
    raise errors[0]


def _remove(top: str, errors: list[OSError]) -> None:
    if not stat.S_ISDIR(os.lstat(top).st_mode):
        os.unlink(top)
        return
    os.chmod(top, 0o700)
    folder = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _remove_below(folder, errors)
    finally:
        os.close(folder)
    os.rmdir(top)


def _remove_below(top: int, errors: list[OSError]) -> None:
    """Empties a folder. Folders further down are first moved up into it, so that no path is too long or too deep."""
    moved = (f".removed-{os.urandom(8).hex()}-{number}" for number in itertools.count())
    pending = _empty(top, top, None, errors)
    while pending:
        name = pending.pop()
        with _noting(errors):
            folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
            try:
                pending += _empty(folder, top, moved, errors)
            finally:
                os.close(folder)
            os.rmdir(name, dir_fd=top)


def _empty(folder: int, top: int, moved: Iterator[str] | None, errors: list[OSError]) -> list[str]:
    """Removes a folder's files and moves its folders up, unless it is the top itself; their names there."""
    with os.scandir(folder) as listing:
        entries = list(listing)
    folders = []
    for entry in entries:
        with _noting(errors):
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.name, dir_fd=folder)
                continue
            with contextlib.suppress(PermissionError):
                os.chmod(entry.name, 0o700, dir_fd=folder)
            name = entry.name
            if moved:
                name = next(moved)
                os.rename(entry.name, name, src_dir_fd=folder, dst_dir_fd=top)
            folders.append(name)
    return folders


@contextlib.contextmanager
def _noting(errors: list[OSError]) -> Iterator[None]:
    """Collects what went wrong; that something is gone already is not wrong."""
    try:
        yield
    except FileNotFoundError:
        pass
    except OSError as error:
        errors.append(error)


def end_marked(folder: Path) -> None:
    """Kills whoever has the folder's mark in its environment. Does nothing where the system shows no environments."""
    entry = os.fsencode(f"{MARK}={folder}")
    deadline, quiet = time.monotonic() + _PATIENCE_S, 0
    while quiet < 2 and time.monotonic() < deadline:  # one that is being started shows its mark a moment later
        found = [pid for pid in _processes() if pid != os.getpid() and entry in _environment(pid)]
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        quiet = 0 if found else quiet + 1
        time.sleep(_PAUSE_S)


def _processes() -> list[int]:
    try:
        return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    except OSError:
        return []


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:  # it has ended, or is another user's
        return []


def main(folder: Path, lock: Path) -> None:
    """Waits for the end of the owner, then ends its groups and removes its folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.chdir("/")
    groups: set[int] = set()
    for line in sys.stdin.buffer:
        pid = int(line[1:])
        if line.startswith(b"+"):
            groups.add(pid)
        else:
            groups.discard(pid)
    for group in groups:
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    end_marked(folder)
    remove_tree(folder)
    lock.unlink(missing_ok=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
