"""Disposable copies for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_retrieval_bench.processes.run_folder import RunFolder
from pytest_retrieval_bench.snapshots.workspaces import Workspaces


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Where the copies are made."""
    return tmp_path / "base"


@pytest.fixture
def workspaces(base: Path) -> Iterator[Workspaces]:
    made = Workspaces(lambda: RunFolder(base))
    yield made
    made.close()
