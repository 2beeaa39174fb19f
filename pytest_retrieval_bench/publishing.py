"""What the process that the user started does with records: it registers, takes in, writes, and names the missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.bench import Bench
from pytest_retrieval_bench.capturing import Capturing
from pytest_retrieval_bench.case import has_failed
from pytest_retrieval_bench.errors import BenchmarkError, ReportError
from pytest_retrieval_bench.exporting import FinishedReport, add_to_job_summary, add_to_junit, write_exports
from pytest_retrieval_bench.gate_cases import NOT_YET_RED
from pytest_retrieval_bench.gating import Gating
from pytest_retrieval_bench.interrupts import held_off
from pytest_retrieval_bench.model import Record
from pytest_retrieval_bench.options import EXPORTED_FIGURES
from pytest_retrieval_bench.plan import Pair
from pytest_retrieval_bench.recording import record_of, why_unmeasured
from pytest_retrieval_bench.registering import Registrar
from pytest_retrieval_bench.reporting import terminal
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.details import relevance_member, sample_row
from pytest_retrieval_bench.reporting.exports.markdown import report_markdown
from pytest_retrieval_bench.reporting.files import create_exclusively, same_file, write_atomically
from pytest_retrieval_bench.reporting.html.texts import SampleTexts, sample_texts
from pytest_retrieval_bench.reporting.journal import Journal
from pytest_retrieval_bench.reporting.registration import cores
from pytest_retrieval_bench.reporting.report import Missing, build_report
from pytest_retrieval_bench.reporting.stored_run import journal_path
from pytest_retrieval_bench.resuming import StoredPart
from pytest_retrieval_bench.snapshots.store import SnapshotStore

_NEVER_REPORTED = "it never reported"
_STOPPED = "the run stopped before it"


class Publisher:
    """The plugin object of the process that the user started; `workers` is how many run items at a time.

    Raises SettingsError for an arm that cannot say what it is bound to, such as a program that is not there.
    """

    def __init__(
        self, bench: Bench, workers: int, stored: StoredPart | None = None, capturing: Capturing | None = None
    ) -> None:
        self._bench = bench
        self.workers = workers
        self._stored = stored
        self._capturing = capturing
        self._gating = Gating(bench)
        self.registrar = Registrar(bench, workers)
        self._pairs = bench.plan.pairs()
        self._expected: list[Pair] = []
        self._registration: dict[str, Any] = {}
        self._journal: Journal | None = None
        before = stored.records if stored else ()
        self._records = {(record.sample_id, record.arm): record for record in before}
        self._reasons: dict[str, str] = {}
        self._report: dict[str, Any] | None = None
        self._sound = False
        self._problems: list[str] = []
        self._note: str | None = None

    @property
    def how(self) -> str:
        """How items run, in words for the header."""
        return "1 process"

    def expect(self, node_ids: Iterable[str]) -> None:
        """Registers the run: these items are what was selected, and each of them owes a record.

        The items that a resumed run has measured already were selected as well.

        Raises UsageError when the run cannot be registered.
        """
        if self._expected:
            return
        expected = [self._pairs[node_id] for node_id in node_ids if node_id in self._pairs]
        expected += self._stored.pairs if self._stored else ()
        if not expected:
            return
        twice = [node_id for node_id, count in Counter(pair.node_id for pair in expected).items() if count > 1]
        if twice:
            raise pytest.UsageError(f"two items are called {twice[0]}; find the plugin or conftest that repeats items")
        sidecar, output = self._bench.settings.registration, self._bench.settings.output
        stored = self._stored.run if self._stored else None
        try:
            self._registration = self.registrar.register(expected, self._stored)
            if stored is None and sidecar is not None:
                create_exclusively(sidecar, canonical(self._registration))
            if output is not None:
                self._journal = Journal(journal_path(output), self._registration, stored)
                if stored is not None:
                    self._journal.resume(self._registration["resumed"][-1])
            if self._capturing is not None:
                self._capturing.begin(self._registration, expected)
        except (FileExistsError, BenchmarkError) as error:
            self._close_journal()
            words = earlier_run(Path(error.filename)) if isinstance(error, FileExistsError) else str(error)
            raise pytest.UsageError(words) from error
        # From here on there is a run that owes a report; one that could not be registered owes none.
        self._expected = expected

    def pytest_report_header(self, config: pytest.Config) -> list[str]:
        """The line about the run; with -v what the suite says of its samples."""
        bench, suite = self._bench, self._bench.settings.suite
        shard = [f"shard {bench.shard.number} of {bench.shard.of}"] if bench.shard else []
        limit = f"limit {bench.settings.limit}"
        title = suite.title if suite else None
        line = terminal.header(
            bench.plan, title, list(bench.arms), bench.not_run, *shard, limit, f"{self.how} on {cores()}"
        )
        about = terminal.of_suite(suite.as_json()) if suite and config.get_verbosity() > 0 else []
        return [line, *(f"retrieval-bench: {words}" for words in about)]

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
            self._take(record)
        elif report.when != "teardown" and report.outcome != "passed":
            self._reasons[report.nodeid] = why_unmeasured(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Builds the report, writes it, has it judged, and makes sure that nothing missing ends green.

        Before other plugins write their files, so that the gates are in them.
        """
        self._finish(session, exitstatus)
        self._gating.finish(session, self._report, next(iter(self._problems), None), len(self._expected))
        if self._report is None:
            return
        if self._sound:
            add_to_junit(session.config, self._report)
        if not self._exported(self._report) and session.exitstatus in NOT_YET_RED:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _finish(self, session: pytest.Session, exitstatus: int) -> None:
        if not self._expected:
            if self._bench.settings.output is not None and session.exitstatus == pytest.ExitCode.OK:
                self._problems.append("no report was written: no item of the benchmark was selected")
                session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
            return
        stopped = exitstatus == pytest.ExitCode.INTERRUPTED or bool(session.shouldstop or session.shouldfail)
        missing = self._missing(_STOPPED if stopped else _NEVER_REPORTED)
        with held_off() as interruptions:
            self._publish(missing)
        if interruptions:
            session.exitstatus = pytest.ExitCode.INTERRUPTED
        if (missing or self._problems or self._failed_before()) and session.exitstatus in NOT_YET_RED:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        elif self._stored is not None and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK  # everything was measured before

    def _exported(self, report: Mapping[str, Any]) -> bool:
        """Whether every further file that was asked for is written."""
        verdicts = self._gating.verdicts
        wanted = self._bench.settings.exports
        withheld = [name for name in EXPORTED_FIGURES if name in wanted and not self._sound]
        lost = [f"--rb-{name}: nothing was written, as the report was not" for name in withheld]
        finished = FinishedReport(report, verdicts, tuple(self._problems), lambda: self._texts(report))
        lost += write_exports({name: path for name, path in wanted.items() if name not in withheld}, finished)
        self._problems += lost
        self._note = add_to_job_summary(report_markdown(report, verdicts, self._problems))
        return not lost

    def _texts(self, report: Mapping[str, Any]) -> Mapping[str, SampleTexts]:
        settings, reported = self._bench.settings, {row["id"] for row in report["details"]}
        samples = [sample for sample in self._bench.plan.samples if sample.id in reported]
        snapshots = SnapshotStore(settings.corpus, settings.snapshots, settings.clones, kept_in=settings.kept_in())
        return sample_texts(samples, snapshots)

    def _publish(self, missing: Sequence[Missing]) -> None:
        if self._capturing is not None:
            self._capturing.end()
        try:
            self._close_journal()
            self._report = self._build(missing)
            self.registrar.check(self._registration, self._expected)
            if self._capturing is not None and self._capturing.problem is not None:
                raise ReportError(self._capturing.problem)
            self._sound = True
            self._write(canonical(self._report))
        except (BenchmarkError, ValueError) as error:
            self._problems.append(f"no report was written: {error}")

    def pytest_unconfigure(self) -> None:
        """Nothing is wanted any more, whether or not the run came to its end."""
        self.registrar.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The table, what is missing, and where the report went."""
        verdicts = self._gating.verdicts
        if self._report is not None or self._problems or verdicts:
            written = None if self._problems else self._bench.settings.output
            settings = self._bench.settings
            terminal.summary(
                terminalreporter, self._report, written, self._problems, verdicts, settings.views, settings.top
            )
        if self._note is not None:
            terminalreporter.write_line(self._note, yellow=True)

    def _failed_before(self) -> bool:
        """Whether an item failed in an earlier part of the run, which was not run again and which no gate counts."""
        strict = self._bench.settings.judge == "strict"
        tolerated = self._bench.tolerated_arms()
        failed = [
            record for record in (self._stored.records if self._stored else ()) if has_failed(record, strict=strict)
        ]
        return any(record.error is None or record.arm not in tolerated for record in failed)

    def _take(self, record: Record) -> None:
        self._records[record.sample_id, record.arm] = record
        if self._journal is not None:
            try:
                self._journal.write(record)
            except BenchmarkError as error:
                self._problems.append(f"the journal ends early: {error}")
                self._journal = None

    def _close_journal(self) -> None:
        journal, self._journal = self._journal, None
        if journal is not None:
            journal.close()

    def _missing(self, otherwise: str) -> list[Missing]:
        return [
            Missing(pair.sample.id, pair.arm, self._reasons.get(pair.node_id, otherwise))
            for pair in self._expected
            if (pair.sample.id, pair.arm) not in self._records
        ]

    def _build(self, missing: Sequence[Missing]) -> dict[str, Any]:
        selected = set(self._registration["sample_ids"])
        samples = [sample for sample in self._bench.plan.samples if sample.id in selected]
        asked = bool(self._bench.settings.metrics)
        return build_report(
            self._registration,
            [sample_row(sample) | (relevance_member(sample) if asked else {}) for sample in samples],
            self._records.values(),
            skipped_unlabelled=self._bench.plan.skipped_unlabelled,
            missing=missing,
        )

    def _write(self, data: bytes) -> None:
        output, sidecar = self._bench.settings.output, self._bench.settings.registration
        if output is None:
            return
        if sidecar is not None and same_file(output, sidecar):
            raise BenchmarkError(f"{output} has become the same file as the registration {sidecar}")
        write_atomically(output, data)


def earlier_run(path: Path) -> str:
    """The words for a registration or a journal that is there already."""
    return (
        f"{path} exists: it belongs to an earlier run; give another --rb-output or --rb-registration, "
        "or --rb-resume to go on with that run"
    )
