"""The artefact of a report: every figure that can be quoted, with its n, and no sample's row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.load import Report

PROFILE: Final = "pytest-retrieval-bench-published/1"
# What an artefact is in this version: each is digested on its own, so that a check says which one moved.
FIELDS: Final = (
    "samples", "samples_sha256", "limit", "missing", "registration", "arms", "paired", "latency", "measures",
    "inference", "protocol",
)  # fmt: skip
_TAKEN = ("samples", "samples_sha256", "limit", "arms", "paired", "latency", "measures", "inference", "protocol")
_BOUND = ("registered_at", "corvint_sha256", "fold_map_sha256", "plugin")
_DIGESTED = ("sample_ids", "snapshots", "retrievers", "environment", "protocol")


def artefact_of(report: Report) -> dict[str, Any]:
    """The artefact; sections that the report does not have are absent."""
    data, registration = report.data, report.data["registration"]
    bound = {name: registration[name] for name in _BOUND if name in registration}
    digests = {f"{name}_sha256": _sha256(registration[name]) for name in _DIGESTED if name in registration}
    return {
        "profile": PROFILE,
        **{name: data[name] for name in _TAKEN if name in data},
        "missing": len(data.get("incomplete", ())),
        "registration": {"sha256": _sha256(registration), **bound, **digests},
    }


def digests(artefact: Mapping[str, Any]) -> dict[str, str]:
    """The SHA-256 of the canonical JSON of each field that an artefact has."""
    return {name: _sha256(artefact[name]) for name in FIELDS if name in artefact}


def _sha256(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()
