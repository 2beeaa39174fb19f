"""The members that every benchmark row must have, checked (PROTOCOL 1)."""

from __future__ import annotations

import re

from pytest_retrieval_bench.benchmarks.jsonl import Row, type_name
from pytest_retrieval_bench.errors import SamplesError

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REPO = re.compile(r"[^/\\\s\x00-\x1f\x7f]+/[^/\\\s\x00-\x1f\x7f]+")


def text_field(row: Row, name: str, where: str) -> str:
    """A member that must be a non-empty string."""
    value = row.get(name)
    if not isinstance(value, str):
        raise SamplesError(f"{where}: {name} must be a non-empty string, this is {_found(row, name)}")
    if not value:
        raise SamplesError(f"{where}: {name} must be a non-empty string, this is empty")
    return value


def object_field(row: Row, name: str, where: str) -> Row:
    """A member that must be an object; absent and null count as an empty one."""
    value = row.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise SamplesError(f"{where}: {name} must be an object or be left out, this is {type_name(value)}")
    return value


def repo_field(row: Row, where: str) -> str:
    """The member `repo`, as OWNER/NAME."""
    repo = text_field(row, "repo", where)
    if not _REPO.fullmatch(repo):
        raise SamplesError(f"{where}: repo must be OWNER/NAME, this is {repo!r}")
    return repo


def commit_field(row: Row, where: str) -> str:
    """The member `base_commit`, a whole Git object id."""
    commit = text_field(row, "base_commit", where)
    if not _COMMIT.fullmatch(commit):
        raise SamplesError(f"{where}: base_commit must be 40 or 64 lower-case hex digits, this is {commit[:80]!r}")
    return commit


def _found(row: Row, name: str) -> str:
    return type_name(row[name]) if name in row else "absent"
