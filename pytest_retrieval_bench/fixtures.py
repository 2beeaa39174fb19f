"""The fixtures. `rb_case` and `rb_snapshots` are public; this module is registered as a plugin."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_retrieval_bench.arms.arm import Arm
    from pytest_retrieval_bench.bench import Bench
    from pytest_retrieval_bench.case import Keep, RetrievalCase
    from pytest_retrieval_bench.model import Invocation, Record
    from pytest_retrieval_bench.snapshots.store import SnapshotStore

NO_SAMPLES = "there are no samples; give --rb-samples=FILE --rb-corpus=DIR, or --rb-suite"


@pytest.fixture(scope="session")
def rb_snapshots(pytestconfig: pytest.Config) -> Iterator[SnapshotStore]:
    """Opens the snapshots of the run: `rb_snapshots.open("OWNER/NAME", COMMIT)`."""
    from pytest_retrieval_bench.bench import BENCH, snapshot_store
    from pytest_retrieval_bench.processes.run_folder import RunFolder
    from pytest_retrieval_bench.snapshots.workspaces import Workspaces

    bench = pytestconfig.stash.get(BENCH, None)
    if bench is None:
        pytest.skip(NO_SAMPLES)
    store = snapshot_store(bench.settings, Workspaces(RunFolder))
    yield store
    store.close()


@pytest.fixture(scope="session")
def _rb_arms(pytestconfig: pytest.Config, rb_snapshots: SnapshotStore) -> Iterator[Mapping[str, Arm]]:
    """The arms of the run; those that can be closed are, before the snapshots are gone."""
    from pytest_retrieval_bench.arms.closing import closed_at_the_end
    from pytest_retrieval_bench.bench import BENCH

    arms = pytestconfig.stash[BENCH].arms
    with closed_at_the_end(arms.values()):
        yield arms


@pytest.fixture
def rb_case(
    request: pytest.FixtureRequest, rb_snapshots: SnapshotStore, _rb_arms: Mapping[str, Arm]
) -> Iterator[RetrievalCase]:
    """One sample of the run with its snapshot; a test that asks for it runs once a sample."""
    from pytest_retrieval_bench.bench import BENCH
    from pytest_retrieval_bench.case import RetrievalCase
    from pytest_retrieval_bench.errors import SnapshotError
    from pytest_retrieval_bench.far_workers import differing, inputs_of_worker

    bench, sample = request.config.stash[BENCH], request.param
    refusal = None
    try:
        snapshot = rb_snapshots.open(sample.repo, sample.base_commit)
        inputs = inputs_of_worker(request.config)
        refusal = None if inputs is None else differing(bench, snapshot, inputs)
    except SnapshotError as error:
        refusal = str(error)
    if refusal is not None:
        pytest.fail(refusal, pytrace=False)
    settings = bench.settings
    yield RetrievalCase(
        sample,
        snapshot,
        settings.limit,
        _rb_arms,
        bench.asker,
        _keeper(bench),
        settings.metrics,
        bench.own_metrics,
    )
    for note in [*rb_snapshots.new_notes(snapshot), *(bench.cache.new_notes() if bench.cache else [])]:
        _warn(note)


def _keeper(bench: Bench) -> Keep | None:
    """What keeps the copies of failed samples, where that is asked for."""
    if not bench.settings.keep_workspace:
        return None
    from pytest_retrieval_bench.arms.keep import keep_workspace
    from pytest_retrieval_bench.case import has_failed

    def keep(record: Record, invocations: Sequence[Invocation]) -> str | None:
        failed = has_failed(record, strict=bench.settings.judge == "strict")
        return keep_workspace(invocations[-1]) if failed and invocations else None

    return keep


def _warn(note: str) -> None:
    from pytest_retrieval_bench.errors import BenchmarkWarning

    # A user's `-W error` must not turn a remark on the corpus into a failed sample.
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(note, BenchmarkWarning, stacklevel=2)
