"""A snapshot with disposable copies, and the directory that corvint is called from."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from tests.memory_snapshot import MemorySnapshot
from tests.snapshots.conftest import base, workspaces

__all__ = ["base", "workspaces"]


@pytest.fixture
def snapshot(workspaces: Workspaces) -> MemorySnapshot:
    snapshot = MemorySnapshot({"a.py": b"a\n", "tests/test_a.py": b"t\n"}, "acme/shop")
    snapshot.workspaces = workspaces
    return snapshot


@pytest.fixture
def caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The caller's directory, which is not the one that the tests run in."""
    directory = tmp_path / "caller"
    directory.mkdir()
    return directory
