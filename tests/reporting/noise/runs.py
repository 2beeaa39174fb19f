"""Reports of runs over six samples in which the arm `mine` hits as often as is asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.reporting.load import Report
from tests.reporting.small_reports import HIT, MISS, report, row, written

SAMPLES = 6


def run(path: Path, hits: int, told: Mapping[str, Any] | None = None, **registration: Any) -> Report:
    """A run in which `mine` hits the first samples and `steady` the first three; `told` is what answers tell more."""
    rows = [
        row(f"s{number}", {"mine": HIT if number < hits else MISS, "steady": HIT if number < 3 else MISS})
        for number in range(SAMPLES)
    ]
    for one in rows:
        one["arms"]["mine"] |= dict(told or {})
    return written(path, report(rows, {"registered_at": path.name, **registration}))
