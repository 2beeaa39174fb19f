"""The gates of a run, judged at its end in the process that the user started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pytest_retrieval_bench.bench import NODE_IDS_GIVEN, Bench
from pytest_retrieval_bench.benchmarks.read import samples_sha256
from pytest_retrieval_bench.gate_cases import noise_floor, older_report, tell
from pytest_retrieval_bench.reporting.details import sample_row
from pytest_retrieval_bench.reporting.judging import Verdict, judge, not_judged

# The options by which pytest itself leaves items out, by where it keeps their values.
_SELECTING = {"keyword": "-k", "markexpr": "-m", "lf": "--lf", "stepwise": "--sw", "deselect": "--deselect"}


class Gating:
    """The gates of a run.

    Raises SettingsError or ReportError for an older report or a noise floor that cannot be compared with.
    """

    def __init__(self, bench: Bench) -> None:
        self.verdicts: list[Verdict] = []
        self._gates = bench.gates
        self._planned = len(bench.plan.pairs())
        self._shard = bench.shard
        settings, rows = bench.settings, [sample_row(sample) for sample in bench.plan.samples]
        digest = samples_sha256(bench.files) if settings.gate_report or settings.noise else ""
        ids = [row["id"] for row in rows]
        self._old = older_report(settings.gate_report, bench.gates, digest, settings.limit, ids)
        # A shard judges nothing, and is not all that the floor is about.
        path = None if bench.shard else settings.noise
        self._floor = noise_floor(path, bench.gates, digest, settings.limit, rows)

    def finish(self, session: pytest.Session, report: Mapping[str, Any] | None, problem: str | None, ran: int) -> None:
        """Judges the report of a run that measured `ran` pairs, tells pytest, and turns the run red where a gate fails.

        `problem` says what is wrong with the report, or why there is none.
        """
        if session.exitstatus == pytest.ExitCode.USAGE_ERROR:
            return
        self.verdicts = list(self._judged(session.config, report, problem, ran))
        tell(session, self.verdicts)

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
                yield judge(gate, report, self._old, self._floor)


def _selecting(config: pytest.Config) -> list[str]:
    options = [option for name, option in _SELECTING.items() if config.getoption(name, None)]
    return [*options, *(["a node id"] if config.stash.get(NODE_IDS_GIVEN, False) else [])]
