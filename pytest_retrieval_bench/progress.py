"""Tells now and then how far a long run is, and about how long it will still take."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import pytest

from pytest_retrieval_bench.bench import Bench, snapshot_store
from pytest_retrieval_bench.time_left import Task, in_words, seconds_left

# On a terminal as often as a person looks; elsewhere just often enough for a CI system that ends silent jobs.
ON_TERMINAL_S, ELSEWHERE_S = 30.0, 300.0
# The first item about a snapshot opens it and has its index built.
_FIRST = "the first about a snapshot"


class Progress:
    """The plugin object of the process that the user started; `tell` writes a line."""

    def __init__(self, bench: Bench, tell: Callable[[str], None]) -> None:
        self._pairs = bench.plan.pairs()
        self._size = snapshot_store(bench.settings).size
        self._tell = tell
        self.clock = time.monotonic
        self.interval_s = ELSEWHERE_S
        self._node_ids: list[str] = []
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._ended: set[str] = set()
        self._started: float | None = None
        self._told = 0.0

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """How often there is somebody to tell."""
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None and reporter.isatty:
            self.interval_s = ON_TERMINAL_S

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """The items of a run in one process."""
        self._expect(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """The items of a run on workers, which all have the same."""
        self._expect(ids)

    def pytest_runtest_logstart(self) -> None:
        """The clock runs from the first item on."""
        if self._started is None:
            self._started = self._told = self.clock()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds up what an item took, and tells when it is time to."""
        if report.nodeid not in self._pairs:
            return
        self._seconds[report.nodeid] += report.duration
        if report.when != "teardown":
            return
        self._ended.add(report.nodeid)
        now = self.clock()
        if self._started is not None and now - self._told >= self.interval_s:
            self._told = now
            self._tell_of(now - self._started)

    def _expect(self, node_ids: Iterable[str]) -> None:
        self._node_ids = [node_id for node_id in node_ids if node_id in self._pairs]

    def _tell_of(self, elapsed_s: float) -> None:
        done = [(self._tasks[node_id], self._seconds[node_id]) for node_id in self._node_ids if node_id in self._ended]
        waiting = [self._tasks[node_id] for node_id in self._node_ids if node_id not in self._ended]
        if waiting:
            left = seconds_left(done, waiting, elapsed_s)
            estimate = "" if left is None else f", {in_words(left)} left"
            self._tell(f"{len(done)} of {len(self._node_ids)} results{estimate}")

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        """The items in their order, by node id."""
        tasks: dict[str, Task] = {}
        sizes: dict[tuple[str, str], int] = {}
        for node_id in self._node_ids:
            pair = self._pairs[node_id]
            snapshot = pair.sample.repo, pair.sample.base_commit
            kind = pair.arm if snapshot in sizes else _FIRST
            if snapshot not in sizes:
                sizes[snapshot] = self._size(*snapshot)
            tasks[node_id] = Task(kind, sizes[snapshot])
        return tasks
