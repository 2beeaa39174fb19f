"""The records of a run, one line each, on disk as they arrive: what is left when a run is killed.

The first line holds the profile and the registration; a further line is a record (see `reporting.record`), or says that
the run was resumed there.
"""

from __future__ import annotations

import importlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import Record
from pytest_retrieval_bench.reporting.record import to_json
from pytest_retrieval_bench.reporting.stored_run import PROFILE, StoredRun

_SYNC_SECONDS = 1.0
fcntl = importlib.import_module("fcntl") if os.name == "posix" else None


class Journal:
    """An open journal. A line is with the operating system when `write` returns, and on disk within a second."""

    def __init__(self, path: Path, registration: Mapping[str, Any], stored: StoredRun | None = None) -> None:
        """A new journal, or the one of the stored run, cut behind its last whole line.

        Raises FileExistsError when there is a file of that name, ReportError when it cannot be written.
        """
        self._path = path
        try:
            self._stream = path.open("x" if stored is None else "a", encoding="ascii", newline="\n")
            if fcntl is not None:
                fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if stored is not None:
                self._stream.truncate(stored.journal_bytes)
        except BlockingIOError as error:
            raise ReportError(f"{path}: a run that goes on is writing it; wait for its end") from error
        except FileExistsError:
            raise
        except OSError as error:
            raise ReportError(f"{path}: cannot be written: {error.strerror or error}") from error
        self._synced = time.monotonic()
        if stored is None or not stored.journal_bytes:
            self._append(json.dumps({"profile": PROFILE, "registration": dict(registration)}, allow_nan=False))

    def resume(self, part: Mapping[str, Any]) -> None:
        """Says that a further part of the run begins here.

        Raises ReportError when it cannot be written.
        """
        self._append(json.dumps({"resumed": dict(part)}, allow_nan=False))

    def write(self, record: Record) -> None:
        """Appends a record.

        Raises ReportError when it cannot be written.
        """
        self._append(to_json(record))

    def close(self) -> None:
        """Syncs and closes.

        Raises ReportError when what was written cannot be brought to disk.
        """
        try:
            with self._stream:
                self._sync()
        except OSError as error:
            raise ReportError(f"{self._path}: cannot be written: {error.strerror or error}") from error

    def _append(self, line: str) -> None:
        try:
            self._stream.write(f"{line}\n")
            self._stream.flush()
            if time.monotonic() - self._synced >= _SYNC_SECONDS:
                self._sync()
        except OSError as error:
            raise ReportError(f"{self._path}: cannot be written: {error.strerror or error}") from error

    def _sync(self) -> None:
        os.fsync(self._stream.fileno())
        self._synced = time.monotonic()
