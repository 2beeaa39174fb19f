"""What the `[arms.NAME]` table of an own service says."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.arms.http.headers import HeaderTemplates
from pytest_retrieval_bench.arms.http.limits import SharedLimits
from pytest_retrieval_bench.arms.http.request import REQUEST_KEYS, RequestTemplate
from pytest_retrieval_bench.arms.output.reader import OUTPUT_KEYS, OutputReader
from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.model import Json

PLACEHOLDERS = ("query", "limit", "repo", "commit", "changed_file", "root")
_OF_A_SNAPSHOT = ("repo", "commit", "root")
_OWN_KEYS = (
    *("headers", "query", "timeout", "retries", "retry_wait", "rate", "concurrency", "verify"),
    *("empty_statuses", "snapshots", "prepare"),
)
KEYS = ("kind", *REQUEST_KEYS, *_OWN_KEYS, *OUTPUT_KEYS)
_PREPARE_KEYS = (*REQUEST_KEYS, "timeout")
_SNAPSHOT = re.compile(r"[^/@]+/[^/@]+(@([0-9a-f]{40}|[0-9a-f]{64}))?")
_VALUE_NAME = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class SnapshotValues:
    """Values of the user's own for placeholders, by OWNER/NAME@COMMIT or OWNER/NAME."""

    rows: Mapping[str, Mapping[str, Json]]

    @classmethod
    def read(cls, table: Table) -> SnapshotValues:
        """The key `snapshots` of a table. Raises SettingsError."""
        rows = table.values.get("snapshots", {})
        if not isinstance(rows, dict) or not all(isinstance(row, dict) for row in rows.values()):
            table.refuse('snapshots must be a table such as {"OWNER/NAME@COMMIT" = {project = "7"}}')
        for key, row in rows.items():
            if not _SNAPSHOT.fullmatch(key):
                table.refuse(f"snapshots: {key!r} is not OWNER/NAME or OWNER/NAME@COMMIT with a whole commit id")
            for name, value in row.items():
                if not _VALUE_NAME.fullmatch(name) or name in PLACEHOLDERS:
                    table.refuse(f"snapshots: {name!r} must be lower-case, and none of {', '.join(PLACEHOLDERS)}")
                if not isinstance(value, str | int | list):
                    table.refuse(f"snapshots: {key}: {name} must be a string, a whole number or a list")
        return cls(rows)

    def names(self) -> list[str]:
        """The names of the values, each once."""
        return list(dict.fromkeys(name for row in self.rows.values() for name in row))

    def of(self, repo: str, commit: str) -> dict[str, Json]:
        """The values for a snapshot; those of its commit before those of its repository."""
        return {**self.rows.get(repo, {}), **self.rows.get(f"{repo}@{commit}", {})}


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """How to ask a service, and how to read what it says. Times are in seconds."""

    request: RequestTemplate
    prepare: RequestTemplate | None
    prepare_timeout_s: float
    headers: HeaderTemplates
    plain: bool
    timeout_s: float
    retries: int
    retry_wait_s: float
    limits: SharedLimits
    verify: bool | Path
    empty_statuses: frozenset[int]
    snapshots: SnapshotValues
    reader: OutputReader

    @classmethod
    def read(cls, values: Mapping[str, Any], source: str) -> HttpSettings:
        """From the values of a table; `source` says where it stands, for messages.

        Raises SettingsError, naming the key.
        """
        table = Table(values, source)
        table.check_keys(KEYS)
        snapshots, headers = SnapshotValues.read(table), HeaderTemplates.read(table)
        request = RequestTemplate.read(table, (*PLACEHOLDERS, *snapshots.names()))
        if not {"query", "changed_file"} & set(request.placeholders()):
            table.refuse("neither url nor params nor body holds {query} or {changed_file}: all questions would be one")
        prepare = _prepare(table, (*_OF_A_SNAPSHOT, *snapshots.names()))
        if prepare is not None and prepare[0].origin != request.origin:
            table.refuse("prepare must go to the scheme, host and port of url")
        return cls(
            request=request,
            prepare=None if prepare is None else prepare[0],
            prepare_timeout_s=0 if prepare is None else prepare[1],
            headers=headers,
            plain=table.choice("query", ("json", "plain")) == "plain",
            timeout_s=table.seconds("timeout", 120),
            retries=_whole(table, "retries", 0, 10, 2) or 0,
            retry_wait_s=table.seconds("retry_wait", 2),
            limits=SharedLimits(request.origin, _rate(table), _whole(table, "concurrency", 1, 64, None)),
            verify=_verify(table),
            empty_statuses=_statuses(table),
            snapshots=snapshots,
            reader=OutputReader.from_table({key: values[key] for key in OUTPUT_KEYS if key in values}, source),
        )


def trust(verify: bool | Path) -> ssl.SSLContext:
    """Which certificates a service may have: those of known authorities, those of one in a file, any.

    Raises OSError for a file that cannot be read (ssl.SSLError, where it holds no certificate).
    """
    if isinstance(verify, Path):
        return ssl.create_default_context(cafile=verify)
    import httpx  # as late as can be: it takes longer to load than all else here

    return httpx.create_ssl_context(verify)


def _prepare(table: Table, placeholders: tuple[str, ...]) -> tuple[RequestTemplate, float] | None:
    """The request that makes a snapshot ready, and its time-out."""
    values = table.values.get("prepare")
    if values is None:
        return None
    if not isinstance(values, dict):
        table.refuse(f"prepare must be a table with a url, this is {values!r}")
    inner = Table(values, f"{table.source}: prepare")
    inner.check_keys(_PREPARE_KEYS)
    return RequestTemplate.read(inner, placeholders), inner.seconds("timeout", 600)


def _whole(table: Table, key: str, low: int, high: int, default: int | None) -> int | None:
    value = table.values.get(key, default)
    if value is not None and (type(value) is not int or not low <= value <= high):
        table.refuse(f"{key} must be a whole number from {low} to {high}, this is {value!r}")
    return value


def _rate(table: Table) -> float | None:
    value = table.values.get("rate")
    if value is not None and (type(value) not in (int, float) or not 0.001 <= value <= 1e6):
        table.refuse(f"rate must be a number of requests a second from 0.001, this is {value!r}")
    return value


def _verify(table: Table) -> bool | Path:
    value = table.values.get("verify", True)
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or not value:
        table.refuse(f"verify must be true, false or the file of a CA certificate, this is {value!r}")
    path = Path(value).absolute()
    try:
        trust(path)
    except OSError as error:
        table.refuse(f"verify: {path} is no readable file with a CA certificate: {error.strerror}")
    return path


def _statuses(table: Table) -> frozenset[int]:
    value = table.values.get("empty_statuses", [])
    if not isinstance(value, list) or not all(type(status) is int and 200 <= status <= 599 for status in value):
        table.refuse(f"empty_statuses must be a list of numbers from 200 to 599, this is {value!r}")
    return frozenset(value)
