"""A `conftest.py` of a snapshot is text to search, and never a plugin of pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.small_benchmark import COMMIT, SHOP, SmallBenchmark


@pytest.fixture
def snapshot(small: SmallBenchmark) -> Path:
    """A directory that pytest looks into for a `conftest.py`, as its name begins with `test`."""
    folder = small.folder / "testkit"
    for name, text in (SHOP | {"conftest.py": "open('ran', 'w')\n"}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_a_run_that_would_load_it_is_refused(run_apart: Run, small: SmallBenchmark, snapshot: Path) -> None:
    finished = run_apart(*small.options, f"--rb-snapshot=acme/shop@{COMMIT}=testkit", "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "which is part of the snapshot" in finished.text
    assert not (small.folder / "ran").exists()


def test_a_run_from_another_folder_searches_it(
    run_apart: Run, small: SmallBenchmark, snapshot: Path, pytester: pytest.Pytester
) -> None:
    (small.folder / "snapshots").mkdir()
    place = snapshot.rename(small.folder / "snapshots" / "testkit")
    finished = run_apart(*small.options, f"--rb-snapshot=acme/shop@{COMMIT}={place}", "--rb-arms=grep")
    finished.result.assert_outcomes(passed=4)
    assert not (small.folder / "ran").exists()
