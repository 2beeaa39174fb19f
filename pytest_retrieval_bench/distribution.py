"""What differs between a plain run, an xdist controller and an xdist worker: a class each.

Workers only run items (see `recording`), so there is none for them here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pytest_retrieval_bench.bench import Bench
from pytest_retrieval_bench.capturing import Capturing
from pytest_retrieval_bench.publishing import Publisher
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.resuming import StoredPart

_MANY = re.compile(r"(\d+)\*.*")


class PlainRun(Publisher):
    """One process collects, runs and writes."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Collection is over and nothing has run yet."""
        if not session.testsfailed or session.config.option.continue_on_collection_errors:
            self.expect(item.nodeid for item in session.items)


class Controller(Publisher):
    """Workers collect and run; each sends its items' ids before the first one runs."""

    @property
    def how(self) -> str:
        """The words for the header."""
        return counted(self.workers, "worker")

    def pytest_sessionstart(self) -> None:
        """The workers take seconds to start, in which this process has nothing else to do."""
        self.registrar.begin()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """The first worker's ids; xdist itself refuses workers that disagree."""
        self.expect(ids)


def publisher(config: pytest.Config, bench: Bench, capturing: Capturing | None, stored: StoredPart | None) -> Publisher:
    """The plugin object for the process that the user started; only one process captures."""
    if config.getoption("dist", "no") == "no":
        return PlainRun(bench, 1, stored, capturing)
    counts = [int(match[1]) if (match := _MANY.fullmatch(spec)) else 1 for spec in config.getoption("tx") or ()]
    return Controller(bench, sum(counts), stored)
