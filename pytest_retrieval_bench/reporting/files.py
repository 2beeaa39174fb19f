"""Writing files so that they are there whole or not at all (DESIGN, decision 8)."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from pytest_retrieval_bench.errors import ReportError

_SUFFIX = ".partial"


def write_atomically(path: Path, data: bytes) -> None:
    """Writes beside the path, syncs, renames. A file that was there before stays as it was until then.

    Raises ReportError, leaving nothing behind, when the file cannot be written.
    """
    beside = _beside(path)
    try:
        beside.unlink(missing_ok=True)  # left by a process of the same number that was killed
        _write_new(beside, data)
        beside.replace(path)
        _sync_directory(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise ReportError(f"{path}: cannot be written: {error.strerror or error}") from error


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Writes a new folder of files by name; in one that a run left when it stopped, file by file.

    Raises ReportError, leaving no new folder behind, when a file cannot be written.
    """
    if path.is_dir():
        for name, data in files.items():
            write_atomically(path / name, data)
        return
    beside = _beside(path)
    shutil.rmtree(beside, ignore_errors=True)
    try:
        beside.mkdir()
        for name, data in files.items():
            _write_new(beside / name, data)
        _sync_directory(beside)
        beside.rename(path)
        _sync_directory(path.parent)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise ReportError(f"{path}: cannot be written: {error.strerror or error}") from error


def create_exclusively(path: Path, data: bytes) -> None:
    """Writes a new file, which is there whole or not at all, and syncs it.

    Raises FileExistsError when there is a file of that name, ReportError when the file cannot be written.
    """
    beside = _beside(path)
    try:
        beside.unlink(missing_ok=True)
        _write_new(beside, data)
        # A link, unlike a new name, never takes the place of a file.
        os.link(beside, path)
        _sync_directory(path.parent)
    except FileExistsError as error:
        raise FileExistsError(error.errno, error.strerror, str(path)) from None
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def remove_leftovers(path: Path) -> None:
    """Removes what a process that was killed while it wrote this file left beside it."""
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*{_SUFFIX}"):
        leftover.unlink(missing_ok=True)


def unwritable(path: Path, *, folder: bool = False) -> str | None:
    """Why a file or folder cannot be written at the path, as far as it can be told beforehand; None where it can."""
    if path.is_dir() and not folder:
        return f"{path} is a directory; name a file"
    if path.is_file() and folder:
        return f"{path} is a file; name a folder"
    if not path.parent.is_dir():
        return f"{path.parent} is no directory; make it first"
    if not os.access(path.parent, os.W_OK):
        return f"{path.parent} is not writable"
    return None


def why_not_new(path: Path) -> str | None:
    """In words, why a command cannot write a new file there; None where it can."""
    return unwritable(path) or (f"{path} exists; give a new path" if is_taken(path) else None)


def is_taken(path: Path) -> bool:
    """Whether something is there that must not be overwritten: anything but the empty file that `mktemp` makes."""
    return os.path.lexists(path) and not (path.is_file() and path.stat().st_size == 0)


def same_file(first: Path, second: Path) -> bool:
    """Whether two paths are one file under any alias: links, hard links, or a name that does not exist yet."""
    try:
        return first.samefile(second)
    except OSError:
        return os.path.realpath(first) == os.path.realpath(second)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}{_SUFFIX}")


def _write_new(path: Path, data: bytes) -> None:
    stream = path.open("xb")
    try:
        with stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _sync_directory(path: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
