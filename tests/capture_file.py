"""Reads a capture and checks all that its footer and its records promise, written from the protocol alone."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CALL_MEMBERS = {
    *("sample_ordinal", "sample_id", "repo", "base_commit"),
    *("invocation_ordinal", "phase", "task_bytes", "task_sha256"),
}


@dataclass(frozen=True)
class CaptureFile:
    header: dict[str, Any]
    records: list[dict[str, Any]]
    footer: dict[str, Any]

    @property
    def statuses(self) -> list[str]:
        return [record["parse_status"] for record in self.records]

    @property
    def phases(self) -> list[str]:
        return [call["phase"] for call in self.header["invocations"]]


def verified(path: Path) -> CaptureFile:
    """The capture, once everything in it that can be checked has been."""
    data = path.read_bytes()
    assert data.endswith(b"\n")
    lines = data.splitlines(keepends=True)
    header, *records, footer = map(json.loads, lines)
    prior = b"".join(lines[:-1])
    assert footer == {
        "type": "footer",
        "status": "COMPLETE" if len(records) == len(header["invocations"]) else "PARTIAL",
        "invocations": len(records),
        "total_bytes": len(data),
        "prior_sha256": hashlib.sha256(prior).hexdigest(),
    }
    assert set(header) == {"type", "profile", "registration", "invocations"}
    assert (header["type"], header["profile"]) == ("header", "corvint-retrieval-context-capture-v0")
    assert [call["invocation_ordinal"] for call in header["invocations"]] == list(range(len(header["invocations"])))
    assert all(set(call) == CALL_MEMBERS for call in header["invocations"])
    assert [record["invocation"] for record in records] == header["invocations"][: len(records)]
    for record in records:
        assert record["type"] == "record"
        assert set(record) - {"error"} == {"type", "invocation", "stdout", "stderr", "parse_status"}
        _check_stream(record["stdout"], {"COMPLETE"})
        _check_stream(record["stderr"], {"COMPLETE", "TRUNCATED"})
    return CaptureFile(header, records, footer)


def payload(stream: dict[str, Any]) -> bytes:
    return base64.b64decode(stream["base64"], validate=True)


def _check_stream(stream: dict[str, Any], statuses: set[str]) -> None:
    if stream["status"] == "NOT_PRODUCED":
        assert stream == {"status": "NOT_PRODUCED"}
        return
    assert stream["status"] in statuses
    content = payload(stream)
    assert stream["bytes"] == len(content)
    assert stream["sha256"] == hashlib.sha256(content).hexdigest()
