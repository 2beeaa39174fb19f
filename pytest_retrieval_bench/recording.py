"""Attaches the record of an item to pytest's report of it: the one channel to the process that writes (DESIGN 2)."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from pytest_retrieval_bench.arms.run import described, one_line
from pytest_retrieval_bench.bench import MEASURED, Bench
from pytest_retrieval_bench.collection import is_benchmark_item
from pytest_retrieval_bench.model import Answer, Record
from pytest_retrieval_bench.plan import Pair, printable
from pytest_retrieval_bench.reporting.exports.junit import METRICS, PREFIX
from pytest_retrieval_bench.reporting.record import from_json, to_json
from pytest_retrieval_bench.scoring.measured import with_measures
from pytest_retrieval_bench.scoring.own import with_own_metrics
from pytest_retrieval_bench.scoring.score import failed

_ATTRIBUTE = "rb_record"


class Recording:
    """The plugin object of every process that runs items."""

    def __init__(self, bench: Bench) -> None:
        self._pairs = bench.plan.pairs()
        self._limit = bench.settings.limit
        self._metrics = bench.settings.metrics
        self._own_metrics = bench.own_metrics

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Sends the record with the call's report, or with the set-up's where set-up failed.

        One that cannot be sent, because a value in it is no plain number, fails its item and is missing.
        """
        # Another plugin may have renamed an item; then it is missing by its own name, and the run is red.
        pair = self._pairs.get(item.nodeid) if is_benchmark_item(item) else None
        if pair is None:
            return (yield)
        measured = item.stash.get(MEASURED, None) if call.when == "call" else None
        record = None if measured is None else measured.record
        if record is None and call.when in ("setup", "call") and _failed(call):
            record = self._error_record(pair, call)
        if record is not None:
            # Where an item runs again, the figures of the last time count.
            theirs = [entry for entry in item.user_properties if not entry[0].startswith(PREFIX)]
            item.user_properties[:] = [*theirs, *_properties(pair, record)]
        report = yield
        if record is not None:
            try:
                setattr(report, _ATTRIBUTE, to_json(record))
            except (TypeError, ValueError) as error:
                report.outcome, report.longrepr = "failed", f"the record cannot be sent: {error}"
        return report

    def _error_record(self, pair: Pair, call: pytest.CallInfo[None]) -> Record:
        assert call.excinfo is not None
        value = call.excinfo.value
        words = one_line(str(value)) if isinstance(value, pytest.fail.Exception) else described(value)
        answer = Answer(error=f"{call.when}: {words}")
        record = failed(pair.sample, pair.arm, answer, self._limit, None)
        record = with_own_metrics(record, pair.sample, self._own_metrics, self._limit)
        return with_measures(record, pair.sample, answer, self._metrics, lambda path: None)


def record_of(report: pytest.TestReport) -> Record | None:
    """The record that a report carries.

    Raises ValueError for one that cannot be read.
    """
    text = getattr(report, _ATTRIBUTE, None)
    try:
        return None if text is None else from_json(text)
    except (TypeError, KeyError) as error:
        raise ValueError(f"not a record: {error}") from error


def why_unmeasured(report: pytest.TestReport) -> str:
    """In words, why the item of a report has no record."""
    if report.outcome == "skipped":
        detail = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        return f"it was skipped: {detail}"
    return " ".join(report.longreprtext.split())[:500] or f"it {report.outcome}"


def _failed(call: pytest.CallInfo[None]) -> bool:
    """Whether the phase raised; a skip, an exit and an interrupt leave the pair unmeasured instead."""
    interruptions = (pytest.skip.Exception, pytest.exit.Exception, KeyboardInterrupt)
    return call.excinfo is not None and not issubclass(call.excinfo.type, interruptions)


def _properties(pair: Pair, record: Record) -> list[tuple[str, object]]:
    """What JUnit XML shows beside the item: short strings of printable ASCII."""
    metrics = {name: record.metrics[name] for name in METRICS if name in record.metrics}
    return [
        (f"{PREFIX}sample", printable(pair.sample.id)),
        (f"{PREFIX}arm", record.arm),
        (f"{PREFIX}outcome", record.outcome),
        *((f"{PREFIX}{name}", f"{value:.6g}") for name, value in metrics.items()),
    ]
