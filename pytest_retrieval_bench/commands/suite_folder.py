"""The folder of a suite that a command writes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pytest_retrieval_bench.errors import ReportError, SettingsError
from pytest_retrieval_bench.reporting.files import unwritable, write_atomically


def clone_from(suite: Path, clone: Path) -> str:
    """The path of a clone from the folder of a suite.

    Raises SettingsError for one that a suite cannot name.
    """
    path = Path(os.path.relpath(clone.resolve(), suite.resolve())).as_posix()
    if not path.isprintable():
        raise SettingsError(f"--git: {path!r} cannot be written into a suite; give the clone a printable path")
    return path


def check_new(folder: Path, names: Iterable[str]) -> None:
    """Raises ReportError when one of the files is there already."""
    for name in names:
        if os.path.lexists(folder / name):
            raise ReportError(f"{folder / name}: is there already, and nothing is overwritten; give another folder")


def write_new(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes files by their names, in this order, into a folder that is made where there is none.

    Raises ReportError for a file that is already there or cannot be written.
    """
    check_new(folder, files)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportError(f"{folder}: cannot be made: {error.strerror or error}") from error
    for name, data in files.items():
        reason = unwritable(folder / name)
        if reason is not None:
            raise ReportError(reason)
        write_atomically(folder / name, data)
