"""What the tests of commands share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_retrieval_bench.processes.run_folder import RunFolder
from pytest_retrieval_bench.snapshots.workspaces import Workspaces


@pytest.fixture
def workspaces(tmp_path: Path) -> Iterator[Workspaces]:
    workspaces = Workspaces(lambda: RunFolder(tmp_path / "runs"))
    yield workspaces
    workspaces.close()
