"""Switches the benchmark on in one process: the settings, the state, and the plugin objects of its role."""

from __future__ import annotations

import warnings

import pytest

from pytest_retrieval_bench import options, rootdir
from pytest_retrieval_bench.bench import BENCH, Bench, make_bench
from pytest_retrieval_bench.collection import Collection
from pytest_retrieval_bench.distribution import Controller, PlainRun, Publisher, registration_exists
from pytest_retrieval_bench.errors import BenchmarkError, BenchmarkWarning
from pytest_retrieval_bench.recording import Recording


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
    publisher = _publisher(config, bench)
    if publisher is not None:
        config.pluginmanager.register(publisher, "retrieval-bench-publisher")


def _publisher(config: pytest.Config, bench: Bench) -> Publisher | None:
    """Nothing is published of a mere listing."""
    if config.option.collectonly:
        return None
    sidecar = bench.settings.registration
    if sidecar is not None and sidecar.exists():
        raise pytest.UsageError(registration_exists(bench))
    distributed = config.getoption("dist", "no") != "no"
    return Controller(bench) if distributed else PlainRun(bench)
