"""`--rb-explain=ID`: why each arm ranked what it did for one sample; no test is run and no report written.

With samples and snapshots the arms are asked, here and now; with `--rb-summarize` the stored answers are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import pytest

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.closing import closed_at_the_end
from pytest_retrieval_bench.arms.evidence import Explaining, checked
from pytest_retrieval_bench.arms.run import described
from pytest_retrieval_bench.bench import Bench, make_bench, snapshot_store
from pytest_retrieval_bench.case import Measured, RetrievalCase
from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.given import Given, Sourced, refuse
from pytest_retrieval_bench.interrupts import Interrupts
from pytest_retrieval_bench.places import check_places
from pytest_retrieval_bench.processes.run_folder import RunFolder
from pytest_retrieval_bench.reporting.explanation import (
    NO_REASONS,
    Asked,
    ExplainedArm,
    asked_of_row,
    asked_of_sample,
    explained,
    explained_row,
    shown_paths,
)
from pytest_retrieval_bench.reporting.explanation_text import shown_explanation
from pytest_retrieval_bench.reporting.load import load_report
from pytest_retrieval_bench.reporting.merge import merge
from pytest_retrieval_bench.reporting.screen import show
from pytest_retrieval_bench.settings import read_settings
from pytest_retrieval_bench.snapshots.workspaces import Workspaces
from pytest_retrieval_bench.text.visible import visible
from pytest_retrieval_bench.without_tests import WithoutTests, refuse_others

_ASKING = (
    "samples", "suite", "data", "corpus", "snapshot", "git", "arms", "candidate-filter", "corvint", "arms-file",
    "command", "replay", "limit", "cache-dir", "no-cache",
)  # fmt: skip
_NOTE_CHARS = 2000


def explain(config: pytest.Config) -> None:
    """Registers the plugin object.

    Raises BenchmarkError for a sample that is not there, and for what cannot be done otherwise.
    """
    given = Given(config)
    sample_id, reports = given.text("explain") or "", given.value("summarize")
    if reports is not None:
        refuse_others(config, "explain", ("summarize",), "with --rb-summarize it shows what reports hold")
        shown: Explanation = StoredExplanation([config.invocation_params.dir / path for path in reports], sample_id)
    else:
        refuse_others(config, "explain", _ASKING, "it asks about one sample and writes nothing")
        settings = read_settings(config)
        assert settings is not None
        check_places(settings)
        # Neither gates nor baselines have a part in one answer, though a suite may name some.
        no_baselines: Sourced[tuple[str, ...]] = Sourced(None, "")
        bench = make_bench(replace(settings, gates=(), baseline_arms=no_baselines), config)
        shown = AskedExplanation(bench, sample_id)
        config.pluginmanager.register(Interrupts(), "retrieval-bench-interrupts")
    config.pluginmanager.register(shown, "retrieval-bench-explaining")


class Explanation(WithoutTests):
    """The plugin object; `work` finds out what is shown."""

    source: str

    def __init__(self, sample_id: str) -> None:
        self._sample_id = sample_id
        self._asked: Asked | None = None
        self._arms: list[ExplainedArm] = []
        self._notes: list[str] = []

    def pytest_report_header(self) -> str:
        """The one line about it."""
        return f"retrieval-bench: explaining {visible(self._sample_id)} from {self.source}; no test is run"

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """An arm that should give reasons and fails to do so must not end green."""
        super().pytest_sessionfinish(session)
        if session.exitstatus == pytest.ExitCode.OK and any(arm.problem is not None for arm in self._arms):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The sample and a table an arm, with -v every reason; then remarks on the snapshot."""
        if self._asked is not None:
            terminalreporter.write_sep("=", "retrieval benchmark: why")
            every = terminalreporter.config.get_verbosity() > 0
            show(terminalreporter, shown_explanation(self._asked, self._arms, all_evidence=every))
        for note in self._notes:
            terminalreporter.write_line(visible(note, _NOTE_CHARS), yellow=True)


class StoredExplanation(Explanation):
    """What reports hold of a sample: rankings without scores and reasons."""

    def __init__(self, sources: Sequence[Path], sample_id: str) -> None:
        super().__init__(sample_id)
        report = merge([load_report(source) for source in sources])
        rows = {row["id"]: row for row in report["details"]}
        if sample_id not in rows:
            refuse("--rb-explain", _no_sample(sample_id, rows))
        self.source = ", ".join(map(str, sources))
        self._row = rows[sample_id]
        self._limit = report["limit"]

    def work(self) -> None:
        """Reads the row."""
        self._asked = asked_of_row(self._row, self._limit)
        self._arms = [explained_row(self._asked, arm, answer) for arm, answer in self._row["arms"].items()]


class AskedExplanation(Explanation):
    """The arms of a run, asked about one sample in this process."""

    def __init__(self, bench: Bench, sample_id: str) -> None:
        super().__init__(sample_id)
        samples = {sample.id: sample for sample in bench.plan.samples}
        if sample_id in bench.plan.unlabelled:
            refuse("--rb-explain", f"{visible(sample_id)} has no gold and does not say that there is none")
        if sample_id not in samples:
            refuse("--rb-explain", _no_sample(sample_id, samples))
        self.source = f"arms {', '.join(bench.arms)}"
        self._bench = bench
        self._sample = samples[sample_id]

    def work(self) -> None:
        """Asks every arm, and then for reasons: not before all have answered may an arm be told of other paths.

        Raises UsageError where the snapshot cannot be used.
        """
        bench, sample = self._bench, self._sample
        with ExitStack() as ending:
            store = ending.enter_context(closing(snapshot_store(bench.settings, Workspaces(RunFolder))))
            ending.enter_context(closed_at_the_end(bench.arms.values()))
            try:
                snapshot = store.open(sample.repo, sample.base_commit)
                absent = frozenset(path for path in sample.gold if snapshot.size(path) is None)
            except SnapshotError as error:
                raise pytest.UsageError(str(error)) from error
            case = RetrievalCase(sample, snapshot, bench.settings.limit, bench.arms, bench.asker)
            measured = {name: case.measure(name) for name in bench.arms}
            asked = asked_of_sample(sample, case.limit, absent)
            self._arms = [_explained(case, asked, bench.arms[name], found) for name, found in measured.items()]
            self._notes = [*store.new_notes(snapshot), *(bench.cache.new_notes() if bench.cache else [])]
        self._asked = asked


def _explained(case: RetrievalCase, asked: Asked, arm: Arm, measured: Measured) -> ExplainedArm:
    reasons, problem = NO_REASONS, None
    if isinstance(arm, Explaining) and measured.record.error is None:
        paths = shown_paths(asked, measured.answer)
        try:
            reasons = checked(arm.explain(case.query, case.snapshot, measured.answer, paths))
        except Exception as error:  # noqa: BLE001 - an arm may fail in any way
            problem = described(error)
    return explained(asked, measured.record, measured.answer, reasons, problem)


def _no_sample(sample_id: str, known: Iterable[str]) -> str:
    """The words for an id that is not there, with the nearest ones; all of them may be thousands."""
    ids = list(known)
    near = get_close_matches(sample_id, ids, n=3)
    hint = f"; did you mean {' or '.join(map(visible, near))}?" if near else ""
    return f"none of the {len(ids)} samples has the id {visible(sample_id)}{hint}"
