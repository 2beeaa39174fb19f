"""The mode `--rb-noise-floor`: reports of identical runs, and how far their figures lie apart; nothing is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pytest_retrieval_bench.on_reports import OnReports, canonical_bytes
from pytest_retrieval_bench.reporting.load import load_report
from pytest_retrieval_bench.reporting.noise.floor import noise_floor
from pytest_retrieval_bench.reporting.noise.floor_text import shown_floor
from pytest_retrieval_bench.reporting.screen import show


class NoiseFloor(OnReports):
    """Reports of identical runs."""

    verb = "measuring the noise of"

    def __init__(self, sources: Sequence[Path], outputs: Mapping[str, Path], margin: float) -> None:
        self._floor = noise_floor([load_report(source) for source in sources], margin)
        files = {path: canonical_bytes(self._floor, sources) for path in outputs.values()}
        super().__init__(sources, files)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The table, and where the figures were written."""
        terminalreporter.write_sep("=", "retrieval benchmark: noise floor")
        every_metric = terminalreporter.config.get_verbosity() > 0
        show(terminalreporter, shown_floor(self._floor, every_metric=every_metric))
        for path in self._files:
            terminalreporter.write_line(f"noise floor: {path}")
