"""A server on loopback for the tests of arms that ask one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arms.http.loopback import Service, serving


@pytest.fixture
def service() -> Iterator[Service]:
    with serving() as running:
        yield running


@pytest.fixture
def shared_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, of the test alone; child processes have it too."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path
