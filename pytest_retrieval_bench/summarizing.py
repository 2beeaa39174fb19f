"""The modes that work on written reports and run nothing, chosen by the options.

`--rb-summarize` merges reports, `--rb-compare` says what changed, `--rb-noise-floor` how much of it is noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.exporting import FinishedReport, add_to_job_summary, add_to_junit, write_exports
from pytest_retrieval_bench.gate_cases import NOT_YET_RED, noise_floor, older_report, tell
from pytest_retrieval_bench.given import Given, refuse
from pytest_retrieval_bench.on_reports import OnReports, canonical_bytes
from pytest_retrieval_bench.options import EXPORTED_FOLDERS, EXPORTS, dest
from pytest_retrieval_bench.reporting import terminal
from pytest_retrieval_bench.reporting.calibration import read_calibration
from pytest_retrieval_bench.reporting.compare import compare
from pytest_retrieval_bench.reporting.comparison_text import markdown, shown_comparison
from pytest_retrieval_bench.reporting.exports.markdown import report_markdown
from pytest_retrieval_bench.reporting.files import is_taken, same_file, unwritable
from pytest_retrieval_bench.reporting.fused import with_fusions
from pytest_retrieval_bench.reporting.gate_reading import read_gates
from pytest_retrieval_bench.reporting.gates import Scope, reported_groups
from pytest_retrieval_bench.reporting.html.page import comparison_page
from pytest_retrieval_bench.reporting.inference_choice import (
    BETWEEN_RUNS,
    DEFAULT_MARGIN,
    InferenceChoice,
    read_choice,
    read_margin,
)
from pytest_retrieval_bench.reporting.judging import Verdict, judge, not_judged
from pytest_retrieval_bench.reporting.load import load_report
from pytest_retrieval_bench.reporting.merge import merge
from pytest_retrieval_bench.reporting.merged_registration import absent_shards
from pytest_retrieval_bench.reporting.screen import show
from pytest_retrieval_bench.scoring.arb.names import ARB
from pytest_retrieval_bench.scoring.own import OWN
from pytest_retrieval_bench.text.arm_names import split_names
from pytest_retrieval_bench.without_tests import refuse_others

_OUTPUTS = {
    "summarize": ("output", *EXPORTS),
    "compare": ("output", "markdown", "html"),
    "noise-floor": ("output",),
}
_TOGETHER = {
    "summarize": (
        *_OUTPUTS["summarize"],
        "inference",
        "margin",
        "gate",
        "gate-report",
        "noise",
        "suite",
        "calibration",
        "view",
        "top",
        "arms",
    ),
    "compare": (*_OUTPUTS["compare"], "inference", "margin", "noise"),
    "noise-floor": (*_OUTPUTS["noise-floor"], "margin"),
}


def summarize(config: pytest.Config) -> None:
    """Reads the reports and registers the plugin object that shows and writes what comes of them.

    Raises BenchmarkError for reports that cannot be read or do not belong together, and for other options beside.
    """
    mode = next(name for name in _TOGETHER if config.getoption(dest(name)) is not None)
    refuse_others(config, mode, _TOGETHER[mode], "it works on written reports and runs nothing")
    outputs = {name: path for name in _OUTPUTS[mode] if (path := _path(config, name)) is not None}
    _check_outputs(outputs)
    sources = [config.invocation_params.dir / given for given in config.getoption(dest(mode))]
    inference, margin = config.getoption(dest("inference")), config.getoption(dest("margin"))
    shown: OnReports
    if mode == "summarize":
        shown = Summary(sources, outputs, read_choice(inference, margin), Given(config))
    elif mode == "compare":
        floor = _path(config, "noise")
        shown = Comparison(sources, outputs, read_choice(inference or BETWEEN_RUNS.names, margin), floor)
    else:
        from pytest_retrieval_bench.measuring_noise import NoiseFloor

        shown = NoiseFloor(sources, outputs, DEFAULT_MARGIN if margin is None else read_margin(margin))
    config.pluginmanager.register(shown, "retrieval-bench-summarizing")


class Summary(OnReports):
    """Several reports as one."""

    verb = "merging"

    def __init__(
        self, sources: Sequence[Path], outputs: Mapping[str, Path], inference: InferenceChoice | None, given: Given
    ) -> None:
        calibration, self._views = read_calibration(given.path("calibration")), given.views()
        merged = merge([load_report(source) for source in sources], inference, calibration)
        fusions = split_names(",".join(given.value("arms") or ()))
        self._report = with_fusions(merged, fusions) if fusions else merged
        self._output = outputs.get("output")
        self._top = given.top()
        measures = self._report.get("measures", {}).keys() - {OWN}
        for name in ("calibration", "view", "view-csv"):
            if given.value(name) and not (ARB in measures or (name == "view-csv" and measures)):
                refuse(f"--rb-{name}", "no report has further measures; give --rb-metrics=arb to the runs")
        super().__init__(
            sources, {} if self._output is None else {self._output: canonical_bytes(self._report, sources)}
        )
        shards = absent_shards(self._report["registration"])
        self._absent = [f"{shard} is not among them; merge it as well" for shard in shards]
        self._verdicts = list(_verdicts(self._report, given, self._absent))
        self._exports = given.exports()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Each gate is a test case, and exports are written, as at the end of a run."""
        super().pytest_sessionfinish(session)
        tell(session, self._verdicts)
        add_to_junit(session.config, self._report)
        finished = FinishedReport(self._report, self._verdicts, tuple(self._absent), lambda: None)
        lost = list(write_exports(self._exports, finished))
        self._absent += lost
        self._note = add_to_job_summary(report_markdown(self._report, self._verdicts, self._absent))
        if lost and session.exitstatus in NOT_YET_RED:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The table, what is missing, and where the report went."""
        terminal.summary(
            terminalreporter, self._report, self._output, self._absent, self._verdicts, self._views, self._top
        )
        self._say_note(terminalreporter)


class Comparison(OnReports):
    """An old and a new report."""

    verb = "comparing"

    def __init__(
        self,
        sources: Sequence[Path],
        outputs: Mapping[str, Path],
        inference: InferenceChoice | None,
        floor: Path | None,
    ) -> None:
        old, new = sources
        before, after = load_report(old), load_report(new)
        self._comparison = compare(before, after, inference or BETWEEN_RUNS)
        if floor is not None:
            from pytest_retrieval_bench.reporting.noise.against_comparison import with_noise
            from pytest_retrieval_bench.reporting.noise.stored_floor import read_floor

            self._comparison = with_noise(self._comparison, read_floor(floor), before, after)
        self._markdown = markdown(self._comparison, old.name, new.name)
        makers: Mapping[str, Callable[[], bytes]] = {
            "output": lambda: canonical_bytes(self._comparison, sources),
            "markdown": self._markdown.encode,
            "html": lambda: comparison_page(self._comparison, old.name, after, None),
        }
        super().__init__(sources, {path: makers[name]() for name, path in outputs.items()})

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """What changed goes into the summary of a GitHub job."""
        super().pytest_sessionfinish(session)
        self._note = add_to_job_summary(self._markdown)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The notes and tables, and where they were written."""
        old, new = map(str, self._sources)
        terminalreporter.write_sep("=", "retrieval benchmark: what changed")
        show(terminalreporter, shown_comparison(self._comparison, old, new))
        for path in self._files:
            terminalreporter.write_line(f"comparison: {path}")
        self._say_note(terminalreporter)


def _verdicts(report: Mapping[str, Any], given: Given, absent: Sequence[str]) -> Iterator[Verdict]:
    """What the gates say of the merged report.

    Raises SettingsError for a gate without sense, an older report or a noise floor that cannot be compared with.
    """
    path, rows = given.path("gate-report"), report["details"]
    scope = Scope(list(report["arms"]), report["limit"], reported_groups(rows), old_report=path is not None)
    gates = read_gates([(gate.value or "", gate.source) for gate in given.gates()], scope)
    ids = [row["id"] for row in rows]
    old = older_report(path, gates, report["samples_sha256"], report["limit"], ids)
    floor = noise_floor(None if absent else given.path("noise"), gates, report["samples_sha256"], report["limit"], rows)
    for gate in gates:
        yield not_judged(gate, "failed", "; ".join(absent)) if absent else judge(gate, report, old, floor)


def _check_outputs(outputs: Mapping[str, Path]) -> None:
    for name, path in outputs.items():
        reason = unwritable(path, folder=name in EXPORTED_FOLDERS) or (
            f"{path} exists; give a new path or remove it" if is_taken(path) else None
        )
        if reason is not None:
            refuse(f"--rb-{name}", reason)
    for (first, one), (second, other) in combinations(outputs.items(), 2):
        if same_file(one, other):
            refuse(f"--rb-{second}", f"{other} is also what --rb-{first} writes; give another path")


def _path(config: pytest.Config, name: str) -> Path | None:
    value = config.getoption(dest(name))
    if value == "":
        refuse(f"--rb-{name}", "the value is empty; leave the option out or give it one")
    return None if value is None else config.invocation_params.dir / value
