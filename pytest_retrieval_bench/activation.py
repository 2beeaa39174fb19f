"""Switches the plugin on in one process, as far as it is asked for.

With a corpus in the ini file alone nothing is measured; then nothing heavy is imported either.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from pytest_retrieval_bench import settings
from pytest_retrieval_bench.errors import BenchmarkError
from pytest_retrieval_bench.options import explains, works_on_reports
from pytest_retrieval_bench.places import check_places


def activate(config: pytest.Config) -> None:
    """Registers the plugin objects.

    Raises UsageError, which ends pytest with exit status 4, for what cannot be done.
    """
    try:
        if explains(config):
            from pytest_retrieval_bench.explaining import explain

            explain(config)
            return
        if works_on_reports(config):
            from pytest_retrieval_bench.summarizing import summarize

            summarize(config)
            return
        places = settings.snapshot_places(config)
        config.pluginmanager.register(SnapshotsAreNoTests(places), "retrieval-bench-snapshots-are-no-tests")
        found = settings.read_settings(config)
        if found is not None:
            check_places(found)
            from pytest_retrieval_bench.measuring import measure

            measure(config, found)
    except (BenchmarkError, OSError) as error:
        raise pytest.UsageError(str(error)) from error


class SnapshotsAreNoTests:
    """The plugin object that keeps pytest from collecting, and so from running, what lies in a snapshot."""

    def __init__(self, places: Iterable[Path]) -> None:
        self._places = {place.resolve() for place in places}

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Ignores the corpus and explicit snapshots, and says nothing of other paths."""
        path = collection_path.resolve()
        return True if not self._places.isdisjoint((path, *path.parents)) else None
