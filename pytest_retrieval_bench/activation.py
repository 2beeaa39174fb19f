"""Switches the benchmark on in one process: the settings, the state, and the plugin objects of its role."""

from __future__ import annotations

import os
import warnings

import pytest

from pytest_retrieval_bench import options, rootdir
from pytest_retrieval_bench.bench import BENCH, Bench, make_bench
from pytest_retrieval_bench.collection import Collection
from pytest_retrieval_bench.distribution import publisher
from pytest_retrieval_bench.errors import BenchmarkError, BenchmarkWarning
from pytest_retrieval_bench.interrupts import Interrupts
from pytest_retrieval_bench.publishing import earlier_run
from pytest_retrieval_bench.recording import Recording
from pytest_retrieval_bench.reporting.journal import journal_path


def activate(config: pytest.Config) -> None:
    """Does nothing when no samples are given.

    Raises UsageError, which ends pytest with exit status 4, for what cannot be done.
    """
    try:
        settings = options.settings(config)
        if settings is None:
            return
        bench = make_bench(settings, config)
    except BenchmarkError as error:
        raise pytest.UsageError(str(error)) from error
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
        config.pluginmanager.register(publisher(config, bench), "retrieval-bench-publisher")
        config.pluginmanager.register(Interrupts(), "retrieval-bench-interrupts")


def _refuse_to_overwrite(bench: Bench) -> None:
    output, registration = bench.settings.output, bench.settings.registration
    for path in (output, registration, output and journal_path(output)):
        if path is not None and os.path.lexists(path):
            raise pytest.UsageError(earlier_run(path))
