"""The indexes of the snapshots that are in use."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from pytest_retrieval_bench.index.build import IndexBuilder
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


class IndexStore:
    """Hands out the index of a snapshot; it lives as long as its snapshot."""

    def __init__(self) -> None:
        self._indexes: WeakKeyDictionary[Snapshot, SnapshotIndex] = WeakKeyDictionary()
        self._builder = IndexBuilder()

    def of(self, snapshot: Snapshot) -> SnapshotIndex:
        """The index of a snapshot, made when it is asked for the first time.

        Raises SnapshotError when the snapshot cannot be read.
        """
        if snapshot not in self._indexes:
            self._indexes[snapshot] = self._builder.build(snapshot)
        return self._indexes[snapshot]
