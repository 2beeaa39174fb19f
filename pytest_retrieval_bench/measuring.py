"""Makes a process measure: the state of the run, and the plugin objects of the process's role."""

from __future__ import annotations

import os
import warnings

import pytest

from pytest_retrieval_bench import rootdir
from pytest_retrieval_bench.bench import BENCH, Bench, make_bench
from pytest_retrieval_bench.capturing import Capturing
from pytest_retrieval_bench.collection import Collection
from pytest_retrieval_bench.distribution import publisher
from pytest_retrieval_bench.errors import BenchmarkWarning, ReportError
from pytest_retrieval_bench.interrupts import Interrupts
from pytest_retrieval_bench.publishing import earlier_run
from pytest_retrieval_bench.recording import Recording
from pytest_retrieval_bench.reporting.files import is_taken
from pytest_retrieval_bench.reporting.journal import journal_path
from pytest_retrieval_bench.settings import Settings


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
        return
    overlooked = rootdir.overlooked_ini(config)
    if overlooked is not None:
        warnings.warn(overlooked, BenchmarkWarning, stacklevel=2)
    if not config.option.collectonly:
        _refuse_to_overwrite(bench)
        capturing = Capturing(bench) if settings.context_packets is not None else None
        if capturing is not None:
            config.pluginmanager.register(capturing, "retrieval-bench-capturing")
        config.pluginmanager.register(publisher(config, bench, capturing), "retrieval-bench-publisher")
        config.pluginmanager.register(Interrupts(), "retrieval-bench-interrupts")


def _refuse_to_overwrite(bench: Bench) -> None:
    output, registration = bench.settings.output, bench.settings.registration
    for path in (output, registration, output and journal_path(output)):
        if path is not None and (is_taken(path) if path == output else os.path.lexists(path)):
            raise ReportError(earlier_run(path))
