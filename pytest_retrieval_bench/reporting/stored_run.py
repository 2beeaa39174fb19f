"""What a run that ended early has left: its registration and its journal, read back (see `reporting.journal`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import Record
from pytest_retrieval_bench.reporting.record import from_json

PROFILE = "pytest-retrieval-bench-journal/1"


def journal_path(output: Path) -> Path:
    """Where the journal of a report lies."""
    return output.with_name(f"{output.name}.journal.jsonl")


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What there is of a run that ended early: its records in order of arrival, and when it was resumed before.

    `journal_bytes` is how much of the journal is whole; `registration` is what the run bound itself to.
    """

    registration: Mapping[str, Any]
    records: tuple[Record, ...] = ()
    resumed: tuple[Mapping[str, Any], ...] = ()
    journal_bytes: int = 0


def read_stored_run(sidecar: Path, output: Path) -> StoredRun | None:
    """The run that these files are of; None where there is no registration yet. A torn last line is no record.

    Raises ReportError, naming file and line, for files that are not of one run.
    """
    registration = _read_registration(sidecar)
    path = journal_path(output)
    if registration is None:
        if path.exists():
            raise ReportError(f"{path} exists and its registration {sidecar} does not; give the one it began with")
        return None
    records: list[Record] = []
    resumed: list[Mapping[str, Any]] = []
    whole = 0
    for number, line in enumerate(_whole_lines(path), start=1):
        try:
            value = json.loads(line)
            if number == 1 and value != {"profile": PROFILE, "registration": registration}:
                raise ValueError(f"it is not the journal of the run that {sidecar} registers")
            if number > 1 and "resumed" in value:
                resumed.append(value["resumed"])
            elif number > 1:
                records.append(from_json(line.decode()))
        except (ValueError, TypeError, KeyError) as error:
            raise ReportError(f"{path}:{number}: {error}") from error
        whole += len(line)
    return StoredRun(registration, tuple(records), tuple(resumed), whole)


def _read_registration(path: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ReportError(f"{path}: cannot be read as a registration: {error}") from error
    if not isinstance(value, dict):
        raise ReportError(f"{path}: it is no registration")
    return value


def _whole_lines(path: Path) -> list[bytes]:
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror or error}") from error
    return lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]
