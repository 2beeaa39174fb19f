"""Gates as test cases: each is sent to pytest as reports of its own, so that terminal, JUnit and exit status agree.

See DESIGN 6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_retrieval_bench.given import refuse
from pytest_retrieval_bench.plan import gate_name
from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.gates import Comparison, Gate
from pytest_retrieval_bench.reporting.judging import Verdict, why_no_baseline
from pytest_retrieval_bench.reporting.load import load_report

if TYPE_CHECKING:
    from pytest_retrieval_bench.reporting.noise.stored_floor import Floor

CLASS = "rb-gate"
NOT_YET_RED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def tell(session: pytest.Session, verdicts: Sequence[Verdict]) -> None:
    """Tells pytest of the verdicts, and turns the session red where a gate fails."""
    _begin(session, len(verdicts))
    for verdict in verdicts:
        _tell(session.config.hook, verdict)
    if any(verdict.outcome == "failed" for verdict in verdicts) and session.exitstatus in NOT_YET_RED:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def older_report(
    path: Path | None, gates: Sequence[Gate], samples_sha256: str, limit: int, ids: Collection[str]
) -> Mapping[str, Any] | None:
    """The report that no-regression gates compare with, checked against what is judged; None where none is given.

    Raises SettingsError or ReportError where it cannot be compared with.
    """
    if path is None:
        return None
    arms = [gate.arm for gate in gates if isinstance(gate, Comparison) and gate.baseline is None]
    if not arms:
        refuse("--rb-gate-report", "no gate compares with it; give --rb-gate='ARM no-regression METRIC by MARGIN'")
    old = load_report(path).data
    why = why_no_baseline(old, samples_sha256, limit, ids)
    if why is not None:
        refuse("--rb-gate-report", f"{path} cannot be compared with: {why}")
    absent = [arm for arm in arms if arm not in old["arms"]]
    if absent:
        refuse("--rb-gate-report", f"{path} does not have {', '.join(absent)}; name arms that it has in the gates")
    return old


def noise_floor(
    path: Path | None, gates: Sequence[Gate], samples_sha256: str, limit: int, rows: Sequence[Row]
) -> Floor | None:
    """The noise floor that gates are held against, of the samples that are judged; None where none is given.

    Raises SettingsError or ReportError where it says nothing of these samples or of the gates.
    """
    if path is None:
        return None
    comparing = [gate for gate in gates if isinstance(gate, Comparison)]
    if not comparing:
        refuse("--rb-noise", "no gate compares; give --rb-gate='ARM no-regression METRIC by MARGIN', or leave it out")
    # Heavy, and seldom wanted.
    from pytest_retrieval_bench.reporting.noise.against_gates import why_unusable
    from pytest_retrieval_bench.reporting.noise.stored_floor import read_floor

    floor = read_floor(path)
    why = floor.why_other_benchmark(samples_sha256, limit, rows) or why_unusable(floor, comparing)
    if why is not None:
        refuse("--rb-noise", f"{path}: {why}")
    return floor


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
