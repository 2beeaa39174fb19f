"""Writes the capture of a run (see `reporting.capture`), call by call, after each answer's time has ended."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Mapping
from itertools import zip_longest
from typing import Any

import pytest

from pytest_retrieval_bench.bench import MEASURED, Bench
from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.model import Sample
from pytest_retrieval_bench.plan import Pair
from pytest_retrieval_bench.recording import why_unmeasured
from pytest_retrieval_bench.reporting.capture import Call, Capture

_ARM = "context"


class Capturing:
    """The plugin object of a run in one process. `problem` says what went wrong with the capture, if anything did."""

    def __init__(self, bench: Bench) -> None:
        self.problem: str | None = None
        self._settings = bench.settings
        self._pairs = bench.plan.pairs()
        self._phases = ("cold", "hit") if bench.settings.snapshot_latency else ("ordinary",)
        self._capture: Capture | None = None

    def begin(self, registration: Mapping[str, Any], pairs: Iterable[Pair]) -> None:
        """Announces the calls of a run, in the order in which its items run.

        Raises ReportError when the capture cannot be made.
        """
        assert self._settings.context_packets is not None
        ordinals = {identity: number for number, identity in enumerate(registration["sample_ids"])}
        asked = [pair.sample for pair in pairs if pair.arm == _ARM for _ in self._phases]
        phases = self._phases * (len(asked) // len(self._phases))
        calls = [
            _call(sample, ordinals[sample.id], number, phase)
            for number, (sample, phase) in enumerate(zip(asked, phases, strict=True))
        ]
        self._capture = Capture(self._settings.context_packets, registration, calls)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Writes the records of an item once it has been asked, or could not be."""
        report = yield
        pair = self._pairs.get(item.nodeid)
        asked = call.when == "call" or (call.when == "setup" and not report.passed)
        if pair is not None and pair.arm == _ARM and asked and self._capture is not None:
            measured = item.stash.get(MEASURED, None)
            invocations = measured.answer.invocations if measured else ()
            error = measured.record.error if measured else why_unmeasured(report)
            try:
                for _, invocation in zip_longest(self._phases, invocations):
                    self._capture.write(invocation, error or "no process ran")
            except ReportError as fault:
                self.problem = str(fault)
                self.end()
        return report

    def end(self) -> None:
        """Ends the capture, before the report is written, which a fault in it forbids."""
        capture, self._capture = self._capture, None
        if capture is not None:
            try:
                capture.close()
            except ReportError as fault:
                self.problem = self.problem or str(fault)


def _call(sample: Sample, ordinal: int, number: int, phase: str) -> Call:
    task = sample.query.text.encode()
    digest = hashlib.sha256(task).hexdigest()
    return Call(ordinal, sample.id, sample.repo, sample.base_commit, number, phase, len(task), digest)
