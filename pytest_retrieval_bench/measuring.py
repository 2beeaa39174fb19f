"""Makes a process measure: the state of the run, and the plugin objects of the process's role."""

from __future__ import annotations

import os

import pytest

from pytest_retrieval_bench import rootdir
from pytest_retrieval_bench.bench import BENCH, Bench, make_bench
from pytest_retrieval_bench.capturing import Capturing
from pytest_retrieval_bench.collection import Collection
from pytest_retrieval_bench.distribution import publisher
from pytest_retrieval_bench.errors import BenchmarkWarning, ReportError
from pytest_retrieval_bench.far_workers import FarWorkers
from pytest_retrieval_bench.interrupts import Interrupts
from pytest_retrieval_bench.progress import Progress
from pytest_retrieval_bench.publishing import earlier_run
from pytest_retrieval_bench.recording import Recording
from pytest_retrieval_bench.reporting.files import is_taken, remove_leftovers
from pytest_retrieval_bench.reporting.stored_run import journal_path, read_stored_run
from pytest_retrieval_bench.resuming import Resuming, StoredPart, done_of_worker, done_pairs, kept_records
from pytest_retrieval_bench.settings import Settings
from pytest_retrieval_bench.telling import teller


def measure(config: pytest.Config, settings: Settings) -> None:
    """Registers the plugin objects; every process collects and records, the one that the user started publishes.

    Raises BenchmarkError for what cannot be done.
    """
    bench = make_bench(settings, config)
    config.stash[BENCH] = bench
    collection = Collection(bench)
    collection.take_arguments(config)
    config.pluginmanager.register(collection, "retrieval-bench-collection")
    config.pluginmanager.register(Recording(bench), "retrieval-bench-recording")
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Resuming(done_of_worker(config)), "retrieval-bench-resuming")
        return
    overlooked = rootdir.overlooked_ini(config)
    if overlooked is not None:
        config.issue_config_time_warning(BenchmarkWarning(overlooked), stacklevel=2)
    if not config.option.collectonly:
        stored = None
        if settings.resume is None:
            _refuse_to_overwrite(bench)
        else:
            stored = _stored_part(config, bench)
        capturing = Capturing(bench) if settings.context_packets is not None else None
        if capturing is not None:
            config.pluginmanager.register(capturing, "retrieval-bench-capturing")
        publishing = publisher(config, bench, capturing, stored)
        config.pluginmanager.register(publishing, "retrieval-bench-publisher")
        far_workers = FarWorkers(bench, publishing.registrar.fingerprints)
        config.pluginmanager.register(far_workers, "retrieval-bench-far-workers")
        config.pluginmanager.register(Interrupts(), "retrieval-bench-interrupts")
        if config.get_verbosity() >= 0:
            config.pluginmanager.register(Progress(bench, teller(config)), "retrieval-bench-progress")


def _stored_part(config: pytest.Config, bench: Bench) -> StoredPart | None:
    """What stands of the run that is resumed, which its items leave out; None where there is nothing yet."""
    output, sidecar = bench.settings.output, bench.settings.registration
    assert output is not None
    assert sidecar is not None
    for path in (output, sidecar):
        remove_leftovers(path)
    stored = read_stored_run(sidecar, output)
    if stored is None:
        return None
    records = kept_records(stored, with_errors=bench.settings.resume != "errors")
    done = done_pairs(records, bench.plan.pairs().values())
    config.pluginmanager.register(Resuming(pair.node_id for pair in done), "retrieval-bench-resuming")
    return StoredPart(stored, tuple(records), tuple(done))


def _refuse_to_overwrite(bench: Bench) -> None:
    output, registration = bench.settings.output, bench.settings.registration
    for path in (output, registration, output and journal_path(output)):
        if path is not None and (is_taken(path) if path == output else os.path.lexists(path)):
            raise ReportError(earlier_run(path))
