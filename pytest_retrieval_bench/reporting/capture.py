"""What `context` was asked and printed, byte for byte, as JSON Lines (PROTOCOL 7).

A header with the registration and every call that is to be made, a record a call, a footer that binds the whole file.
Without a footer the file is incomplete. Source: the seed's "Optional exact context diagnostics".
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import Invocation
from pytest_retrieval_bench.reporting.canonical import canonical

PROFILE = "corvint-retrieval-context-capture-v0"
MAX_INVOCATIONS = 1024
MAX_HEADER_BYTES = 2**20
MAX_METADATA_BYTES = 64 * 2**10
MAX_FILE_BYTES = 64 * 2**20
_FOOTER_BYTES = 512  # more than a footer needs


@dataclass(frozen=True, slots=True)
class Call:
    """One call that is to be made; ordinals count from 0, `sample_ordinal` in the order of the samples file."""

    sample_ordinal: int
    sample_id: str
    repo: str
    base_commit: str
    invocation_ordinal: int
    phase: str
    task_bytes: int
    task_sha256: str


class Capture:
    """An open capture: a new file that only its owner can read. Every fault in it raises ReportError."""

    def __init__(self, path: Path, registration: Mapping[str, Any], calls: Sequence[Call]) -> None:
        self._path = path
        self._calls = list(calls)
        self._written = 0
        self._bytes = 0
        self._digest = hashlib.sha256()
        if len(calls) > MAX_INVOCATIONS:
            raise self._fault(f"{len(calls)} calls are more than the {MAX_INVOCATIONS} that one capture holds")
        header = canonical(
            {
                "type": "header",
                "profile": PROFILE,
                "registration": dict(registration),
                "invocations": [asdict(call) for call in calls],
            }
        )
        if len(header) > MAX_HEADER_BYTES:
            raise self._fault(f"the header has {len(header)} bytes, over {MAX_HEADER_BYTES >> 20} MiB")
        try:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            self._descriptor = os.open(path, flags, 0o600)
            os.chmod(self._descriptor, 0o600)  # whatever the umask takes away  # noqa: PTH101 - it has no path
        except OSError as error:
            raise self._fault(f"cannot be made: {error.strerror}") from error
        self._write(header)

    def write(self, invocation: Invocation | None, error: str | None = None) -> None:
        """The record of the next call; None where no process ran, `error` says why.

        Raises ReportError when the call is not the one that the header announced, or a bound is crossed.
        """
        if self._written >= len(self._calls):
            raise self._fault("there was a call that the header does not announce")
        call = self._calls[self._written]
        if invocation is not None and _identity(invocation) != (call.phase, call.task_bytes, call.task_sha256):
            raise self._fault(f"call {call.invocation_ordinal} is not the one that the header announces")
        record: dict[str, Any] = {
            "type": "record",
            "invocation": asdict(call),
            "stdout": _stream(None if invocation is None else invocation.stdout, "COMPLETE"),
            "stderr": _stream(
                None if invocation is None else invocation.stderr,
                "TRUNCATED" if invocation is not None and invocation.stderr_truncated else "COMPLETE",
            ),
            "parse_status": "NOT_RUN" if invocation is None else invocation.parse_status,
        }
        said = error if invocation is None else invocation.error
        line = canonical(record | ({} if said is None else {"error": said}))
        payload = sum(len(record[stream].get("base64", "")) for stream in ("stdout", "stderr"))
        if len(line) - payload > MAX_METADATA_BYTES:
            raise self._fault(f"record {self._written} has over {MAX_METADATA_BYTES >> 10} KiB beside what was printed")
        if self._bytes + len(line) + _FOOTER_BYTES > MAX_FILE_BYTES:
            raise self._fault(f"it would be larger than {MAX_FILE_BYTES >> 20} MiB")
        self._write(line)
        self._written += 1

    def close(self) -> None:
        """Writes the footer, which says whether every announced call is there, and brings the file to disk."""
        footer = {
            "type": "footer",
            "status": "COMPLETE" if self._written == len(self._calls) else "PARTIAL",
            "invocations": self._written,
            "total_bytes": 0,
            "prior_sha256": self._digest.hexdigest(),
        }
        # The footer counts itself, and its length depends on the count.
        while self._bytes + len(canonical(footer)) != footer["total_bytes"]:
            footer["total_bytes"] = self._bytes + len(canonical(footer))
        try:
            os.ftruncate(self._descriptor, self._bytes)  # a line that was broken off
            self._write(canonical(footer))
            os.fsync(self._descriptor)
        except OSError as error:
            raise self._fault(f"cannot be written: {error.strerror}") from error
        finally:
            os.close(self._descriptor)

    def _write(self, line: bytes) -> None:
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            raise self._fault(f"cannot be written: {error.strerror}") from error
        self._digest.update(line)
        self._bytes += len(line)

    def _fault(self, words: str) -> ReportError:
        return ReportError(f"the capture {self._path}: {words}")


def _identity(invocation: Invocation) -> tuple[str, int, str]:
    return invocation.phase, len(invocation.task), hashlib.sha256(invocation.task).hexdigest()


def _stream(content: bytes | None, status: str) -> dict[str, Any]:
    if content is None:
        return {"status": "NOT_PRODUCED"}
    digest = hashlib.sha256(content).hexdigest()
    return {"status": status, "base64": base64.b64encode(content).decode(), "bytes": len(content), "sha256": digest}
