"""Gates as test cases: judged at the end in the process that the user started, sent to pytest as reports of their own.

So terminal, JUnit and exit status agree (DESIGN 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pytest_retrieval_bench.bench import NODE_IDS_GIVEN, Bench
from pytest_retrieval_bench.benchmarks.read import samples_sha256
from pytest_retrieval_bench.given import refuse
from pytest_retrieval_bench.plan import gate_name
from pytest_retrieval_bench.reporting.gates import Comparison
from pytest_retrieval_bench.reporting.judging import Verdict, judge, not_judged, why_no_baseline
from pytest_retrieval_bench.reporting.load import load_report

CLASS = "rb-gate"
NOT_YET_RED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
# The options by which pytest itself leaves items out, by where it keeps their values.
_SELECTING = {"keyword": "-k", "markexpr": "-m", "lf": "--lf", "stepwise": "--sw", "deselect": "--deselect"}


class Gating:
    """The gates of a run.

    Raises SettingsError or ReportError for an older report that cannot be compared with.
    """

    def __init__(self, bench: Bench) -> None:
        self.verdicts: list[Verdict] = []
        self._gates = bench.gates
        self._planned = len(bench.plan.pairs())
        self._shard = bench.shard
        self._old = _older_report(bench)

    def finish(self, session: pytest.Session, report: Mapping[str, Any] | None, problem: str | None, ran: int) -> None:
        """Judges the report of a run that measured `ran` pairs, tells pytest, and turns the run red where a gate fails.

        `problem` says what is wrong with the report, or why there is none.
        """
        if session.exitstatus == pytest.ExitCode.USAGE_ERROR:
            return
        self.verdicts = list(self._judged(session.config, report, problem, ran))
        _begin(session, len(self.verdicts))
        for verdict in self.verdicts:
            _tell(session.config.hook, verdict)
        failed = any(verdict.outcome == "failed" for verdict in self.verdicts)
        if failed and session.exitstatus in NOT_YET_RED:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _judged(
        self, config: pytest.Config, report: Mapping[str, Any] | None, problem: str | None, ran: int
    ) -> Iterator[Verdict]:
        left_out, reasons = self._planned - ran, _selecting(config)
        part = f"{left_out} of {self._planned} results were left out"
        for gate in self._gates:
            if self._shard is not None:
                shard = f"shard {self._shard.number} of {self._shard.of}"
                yield not_judged(gate, "skipped", f"{shard} is a part of the run, and a gate is about the whole run")
            elif left_out and reasons:
                yield not_judged(gate, "skipped", f"{part} by {', '.join(reasons)}, and a gate is about the whole run")
            elif problem is not None or report is None:
                yield not_judged(gate, "failed", problem or "nothing was measured")
            elif left_out:
                yield not_judged(gate, "failed", f"{part}, and no option of pytest says why")
            else:
                yield judge(gate, report, self._old)


def _older_report(bench: Bench) -> Mapping[str, Any] | None:
    """The report that no-regression gates compare with, checked against what is about to run."""
    path = bench.settings.gate_report
    if path is None:
        return None
    arms = [gate.arm for gate in bench.gates if isinstance(gate, Comparison) and gate.baseline is None]
    if not arms:
        refuse("--rb-gate-report", "no gate compares with it; give --rb-gate='ARM no-regression METRIC by MARGIN'")
    old = load_report(path).data
    ids = [sample.id for sample in bench.plan.samples]
    why = why_no_baseline(old, samples_sha256(bench.files), bench.settings.limit, ids)
    if why is not None:
        refuse("--rb-gate-report", f"{path} cannot be compared with: {why}")
    absent = [arm for arm in arms if arm not in old["arms"]]
    if absent:
        refuse("--rb-gate-report", f"{path} does not have {', '.join(absent)}; name arms that it has in the gates")
    return old


def _selecting(config: pytest.Config) -> list[str]:
    options = [option for name, option in _SELECTING.items() if config.getoption(name, None)]
    return [*options, *(["a node id"] if config.stash.get(NODE_IDS_GIVEN, False) else [])]


def _begin(session: pytest.Session, gates: int) -> None:
    """Makes room for gates after the last item: in the count that progress is a part of, and on the terminal."""
    session.testscollected += gates
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if gates and reporter is not None:
        reporter.write_line("")


def _tell(hook: Any, verdict: Verdict) -> None:
    """Sends pytest what it would have got from a test that came to this verdict."""
    name = gate_name(str(verdict.gate))
    # The terminal reads points in the last part of a location as `::` where the node id ends with it.
    node_id, location = f"{CLASS}::{name}", (CLASS, None, f"gate {name}")
    hook.pytest_runtest_logstart(nodeid=node_id, location=location)
    explanation: str | tuple[str, int, str] | None = None
    if verdict.outcome == "failed":
        explanation = verdict.message
    elif verdict.outcome == "skipped":
        explanation = (CLASS, 0, f"Skipped: {verdict.message}")
    for when in ("setup", "call", "teardown"):
        report = pytest.TestReport(
            nodeid=node_id,
            location=location,
            keywords={name: 1},
            outcome=verdict.outcome if when == "call" else "passed",
            longrepr=explanation if when == "call" else None,
            when=when,
            user_properties=[("rb.gate", verdict.message)],
        )
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=node_id, location=location)
