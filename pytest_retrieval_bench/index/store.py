"""The indexes of the snapshots that are in use."""

from __future__ import annotations

import hashlib
from weakref import WeakKeyDictionary

from pytest_retrieval_bench.index.build import IndexBuilder, readable_files
from pytest_retrieval_bench.index.cache import Entry, IndexCache
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from pytest_retrieval_bench.snapshots.snapshot import Snapshot


class IndexStore:
    """Hands out the index of a snapshot, from the cache or newly built; it lives as long as its snapshot."""

    def __init__(self, cache: IndexCache | None) -> None:
        self._indexes: WeakKeyDictionary[Snapshot, SnapshotIndex] = WeakKeyDictionary()
        self._builder = IndexBuilder()
        self._cache = cache

    def of(self, snapshot: Snapshot) -> SnapshotIndex:
        """The index of a snapshot, made when it is asked for the first time.

        Raises SnapshotError when the snapshot cannot be read.
        """
        if snapshot not in self._indexes:
            self._indexes[snapshot] = self._make(snapshot)
        return self._indexes[snapshot]

    def _make(self, snapshot: Snapshot) -> SnapshotIndex:
        if self._cache is None:
            return self._builder.build(snapshot)
        digest = content_digest(snapshot)
        entry = self._cache.load(digest)
        if entry is not None:
            snapshot.notes[:] = entry.notes
            return entry.index
        index = self._builder.build(snapshot)
        # What was rewritten while it was read is not kept under the name of what it was before.
        if content_digest(snapshot) == digest:
            self._cache.store(digest, Entry(index, tuple(snapshot.notes)))
        return index


def content_digest(snapshot: Snapshot) -> str:
    """A digest that is equal exactly when the index is."""
    digest = snapshot.digest()
    if digest is not None:
        return digest
    whole = hashlib.sha256()
    for path, content in readable_files(snapshot):
        whole.update(f"{hashlib.sha256(content).hexdigest()} {path}\0".encode())
    return whole.hexdigest()
