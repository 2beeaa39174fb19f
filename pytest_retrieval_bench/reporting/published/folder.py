"""The folder of published artefacts: written from reports, read back, and held against the reports that are here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pytest_retrieval_bench.errors import ReportError, reason
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.files import write_atomically
from pytest_retrieval_bench.reporting.load import Report, load_report
from pytest_retrieval_bench.reporting.published.artefact import FIELDS, PROFILE, artefact_of, digests
from pytest_retrieval_bench.text.strict_json import loads

MANIFEST: Final = "manifest.json"
MANIFEST_PROFILE: Final = "pytest-retrieval-bench-manifest/1"


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest says of an artefact: where its report lies from the folder, and the digest of each field."""

    report: str
    fields: Mapping[str, str]


def publish(reports: Sequence[Report], folder: Path) -> dict[str, int]:
    """Writes the artefact of each report and the manifest; the sizes in bytes, by name.

    An artefact that the manifest lists is renewed. Raises ReportError for a file that is somebody else's, two reports
    of one name, and a place that cannot be written to.
    """
    entries = read_manifest(folder) if (folder / MANIFEST).exists() else {}
    written: dict[str, bytes] = {}
    for report in reports:
        name = f"{report.path.name.removesuffix('.json')}.json"
        if name in written or name == MANIFEST:
            raise ReportError(f"{report.path}: there can be only one {name} in {folder}; give the report another name")
        if name not in entries and os.path.lexists(folder / name):
            raise ReportError(f"{folder / name} is not in {MANIFEST} and would be overwritten; move it away")
        artefact = artefact_of(report)
        written[name] = canonical(artefact)
        entries[name] = Entry(_from(folder, report.path), digests(artefact))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportError(f"{folder}: cannot be made: {reason(error)}") from error
    listed = {name: {"report": entry.report, "fields": dict(entry.fields)} for name, entry in entries.items()}
    # The manifest first: what it lists may be renewed, also after a stop in between.
    write_atomically(folder / MANIFEST, canonical({"profile": MANIFEST_PROFILE, "artefacts": listed}))
    for name, data in written.items():
        write_atomically(folder / name, data)
    return {name: len(data) for name, data in written.items()}


def read_manifest(folder: Path) -> dict[str, Entry]:
    """The artefacts of a folder by name.

    Raises ReportError for a manifest that is not there or is none.
    """
    path = folder / MANIFEST
    data = _read(path)
    try:
        if data["profile"] != MANIFEST_PROFILE:
            raise ValueError(f"the profile is {data['profile']!r}, not {MANIFEST_PROFILE!r}")
        return {name: Entry(str(one["report"]), dict(one["fields"])) for name, one in data["artefacts"].items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ReportError(f"{path}: it is no manifest of published artefacts: {error}") from error


@dataclass(frozen=True, slots=True)
class Checked:
    """The artefacts that can be quoted from, what disagrees, what cannot be verified here, and what follows."""

    artefacts: Mapping[str, Mapping[str, Any]]
    disagreements: tuple[str, ...]
    unverifiable: tuple[str, ...]
    following: tuple[str, ...]


def check_folder(folder: Path) -> Checked:
    """Holds each artefact against the manifest, and against its report where that is here.

    Raises ReportError where there is no manifest.
    """
    entries = read_manifest(folder)
    artefacts: dict[str, Mapping[str, Any]] = {}
    disagreements = [
        f"{path.name}: it is not in {MANIFEST}, no report stands behind it"
        for path in sorted(folder.glob("*.json"))
        if path.name not in (MANIFEST, *entries)
    ]
    unverifiable, following = [], []
    for name, entry in entries.items():
        try:
            artefacts[name] = _artefact(folder / name)
            moved = _moved(digests(artefacts[name]), entry.fields)
            if moved:
                disagreements.append(f"{name}: {moved} is not what {MANIFEST} says; publish its report again")
            report = folder / entry.report
            if not report.exists():
                unverifiable.append(f"{name}: its report {entry.report} is not here")
                continue
            moved = _moved(digests(artefact_of(load_report(report))), entry.fields)
        except ReportError as error:
            disagreements.append(f"{name}: {error}")
            continue
        if moved:
            disagreements.append(f"{name}: it no longer follows from {entry.report}, by {moved}; publish it again")
        else:
            following.append(name)
    return Checked(artefacts, tuple(disagreements), tuple(unverifiable), tuple(following))


def _artefact(path: Path) -> Mapping[str, Any]:
    data: Any = _read(path)
    if not isinstance(data, dict) or data.get("profile") != PROFILE:
        raise ReportError(f"{path}: the profile is not {PROFILE!r}")
    return data


def _read(path: Path) -> Any:
    try:
        return loads(path.read_bytes().decode())
    except (OSError, ValueError, RecursionError) as error:
        raise ReportError(f"{path}: cannot be read: {reason(error)}") from error


def _moved(found: Mapping[str, str], told: Mapping[str, str]) -> str:
    """The fields whose digests differ, as words."""
    return ", ".join(_differing(found, told))


def _differing(found: Mapping[str, str], told: Mapping[str, str]) -> Iterator[str]:
    yield from (name for name in (*FIELDS, *(told.keys() - set(FIELDS))) if found.get(name) != told.get(name))


def _from(folder: Path, report: Path) -> str:
    """The way from the folder to the report, the same on every system."""
    return Path(os.path.relpath(report.resolve(), folder.resolve())).as_posix()
