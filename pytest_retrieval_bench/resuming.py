"""Leaves out what an earlier part of the run has measured already (`--rb-resume`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_retrieval_bench.bench import MEASURED_BEFORE
from pytest_retrieval_bench.model import Record
from pytest_retrieval_bench.plan import Pair
from pytest_retrieval_bench.reporting.stored_run import StoredRun

_WORKER_INPUT = "rb_done"


class Resuming:
    """The plugin object of every process; `done` are the node ids of what is measured."""

    def __init__(self, done: Iterable[str]) -> None:
        self._done = frozenset(done)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tells a worker, which may run on a machine that has no journal."""
        node.workerinput[_WORKER_INPUT] = sorted(self._done)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselects what is measured."""
        config.stash[MEASURED_BEFORE] = self._done
        done = [item for item in items if item.nodeid in self._done]
        if done:
            items[:] = [item for item in items if item.nodeid not in self._done]
            config.hook.pytest_deselected(items=done)


@dataclass(frozen=True, slots=True)
class StoredPart:
    """What stands of a run that is resumed: what was stored, and the records and pairs that are not measured again."""

    run: StoredRun
    records: tuple[Record, ...]
    pairs: tuple[Pair, ...]


def done_of_worker(config: pytest.Config) -> list[str]:
    """The node ids that the controller told this worker to leave out."""
    done: list[str] = getattr(config, "workerinput", {}).get(_WORKER_INPUT, [])
    return done


def kept_records(stored: StoredRun, *, with_errors: bool) -> list[Record]:
    """The records that stand: the last of each pair, errors only if they are not to be measured again."""
    last = {(record.sample_id, record.arm): record for record in stored.records}
    return [record for record in last.values() if with_errors or record.error is None]


def done_pairs(records: Iterable[Record], pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs that the records are of."""
    measured = {(record.sample_id, record.arm) for record in records}
    return [pair for pair in pairs if (pair.sample.id, pair.arm) in measured]
