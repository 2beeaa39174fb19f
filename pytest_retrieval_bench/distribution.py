"""What differs between a plain run, an xdist controller and an xdist worker: a class each.

Workers only run items. The process that the user started knows which pairs are expected, takes in the records, writes
the registration and the report, and answers for what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from pytest_retrieval_bench.bench import Bench
from pytest_retrieval_bench.benchmarks.read import read_samples, samples_sha256
from pytest_retrieval_bench.errors import BenchmarkError
from pytest_retrieval_bench.model import Record, arm_rank
from pytest_retrieval_bench.plan import Pair
from pytest_retrieval_bench.recording import record_of
from pytest_retrieval_bench.reporting import terminal
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.details import sample_row
from pytest_retrieval_bench.reporting.files import create_exclusively, same_file, write_atomically
from pytest_retrieval_bench.reporting.registration import drifted, registration
from pytest_retrieval_bench.reporting.report import Missing, build_report

_NEVER_REPORTED = "it never reported"
_STOPPED = "the run stopped before it"
_LOWERABLE = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


class Publisher:
    """The plugin object of the process that the user started."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._pairs = bench.plan.pairs()
        self._expected: list[Pair] = []
        self._registration: dict[str, Any] = {}
        self._records: dict[tuple[str, str], Record] = {}
        self._reasons: dict[str, str] = {}
        self._report: dict[str, Any] | None = None
        self._problem: str | None = None

    def expect(self, node_ids: Iterable[str]) -> None:
        """Registers the run: these items are what was selected, and each of them owes a record."""
        if self._expected:
            return
        self._expected = [self._pairs[node_id] for node_id in node_ids if node_id in self._pairs]
        if not self._expected:
            return
        self._registration = self._register(self._bench.samples_sha256)
        path = self._bench.settings.registration
        if path is not None:
            try:
                create_exclusively(path, canonical(self._registration))
            except FileExistsError:
                raise pytest.UsageError(registration_exists(self._bench)) from None

    def pytest_report_header(self) -> str:
        """The one line about the run."""
        return terminal.header(self._bench.settings, self._bench.plan, list(self._bench.arms), self._bench.not_run)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes in the record of an item, or the reason why it has none."""
        pair = self._pairs.get(report.nodeid)
        if pair is None:
            return
        try:
            record = record_of(report)
        except ValueError as error:
            self._reasons[report.nodeid] = f"its record cannot be read: {error}"
            return
        if record is not None:
            self._records[pair.sample.id, pair.arm] = record
        elif report.when != "teardown" and report.outcome != "passed":
            self._reasons[report.nodeid] = _reason(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Builds the report, writes it, and makes sure that nothing missing ends green."""
        if not self._expected:
            return
        missing = self._missing(stopped=bool(session.shouldstop or session.shouldfail))
        try:
            self._report = self._build(missing)
            self._check_drift()
            if self._bench.settings.output is not None:
                self._write(canonical(self._report))
        except (BenchmarkError, ValueError) as error:
            self._problem = str(error)
        if (missing or self._problem) and session.exitstatus in _LOWERABLE:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The table, what is missing, and where the report went."""
        if self._report is None and self._problem is None:
            return
        written = self._bench.settings.output if self._problem is None else None
        terminal.summary(terminalreporter, self._report, written, self._problem)

    def _register(self, digest: str) -> dict[str, Any]:
        selected = {pair.sample.id for pair in self._expected}
        return registration(
            samples_sha256=digest,
            arms=sorted({pair.arm for pair in self._expected}, key=arm_rank),
            limit=self._bench.settings.limit,
            max_samples=self._bench.settings.max_samples,
            sample_ids=[sample.id for sample in self._bench.plan.samples if sample.id in selected],
        )

    def _missing(self, *, stopped: bool) -> list[Missing]:
        absent = _STOPPED if stopped else _NEVER_REPORTED
        return [
            Missing(pair.sample.id, pair.arm, self._reasons.get(pair.node_id, absent))
            for pair in self._expected
            if (pair.sample.id, pair.arm) not in self._records
        ]

    def _build(self, missing: Sequence[Missing]) -> dict[str, Any]:
        selected = set(self._registration["sample_ids"])
        return build_report(
            self._registration,
            [sample_row(sample) for sample in self._bench.plan.samples if sample.id in selected],
            self._records.values(),
            skipped_unlabelled=self._bench.plan.skipped_unlabelled,
            missing=missing,
        )

    def _check_drift(self) -> None:
        now = self._register(samples_sha256(read_samples(self._bench.settings.samples)))
        changed = drifted(self._registration, now)
        if changed:
            raise BenchmarkError(f"no report: {', '.join(changed)} changed while the run went on; run it again")

    def _write(self, data: bytes) -> None:
        output, sidecar = self._bench.settings.output, self._bench.settings.registration
        assert output is not None
        if sidecar is not None and same_file(output, sidecar):
            raise BenchmarkError(f"no report: {output} has become the same file as the registration {sidecar}")
        write_atomically(output, data)


class PlainRun(Publisher):
    """One process collects, runs and writes."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Collection is over and nothing has run yet."""
        if not session.testsfailed or session.config.option.continue_on_collection_errors:
            self.expect(item.nodeid for item in session.items)


class Controller(Publisher):
    """Workers collect and run; each sends its items' ids before the first one runs."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """The first worker's ids; xdist itself refuses workers that disagree."""
        self.expect(ids)


def registration_exists(bench: Bench) -> str:
    """The words for a registration that is there already."""
    path = bench.settings.registration
    return (
        f"{path} exists: it registers an earlier run; give another --rb-output or --rb-registration, "
        "or remove it if that run is of no use"
    )


def _reason(report: pytest.TestReport) -> str:
    if report.outcome == "skipped":
        detail = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        return f"it was skipped: {detail}"
    return " ".join(report.longreprtext.split())[:500] or f"it {report.outcome}"
