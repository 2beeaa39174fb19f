"""What is made once for a snapshot and lives as long as it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from pytest_retrieval_bench.snapshots.snapshot import Snapshot

Made = TypeVar("Made")


class PerSnapshot(Generic[Made]):
    """Hands out what `make` makes of a snapshot, which must not hold the snapshot itself."""

    def __init__(self, make: Callable[[Snapshot], Made]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[Snapshot, Made] = WeakKeyDictionary()

    def of(self, snapshot: Snapshot) -> Made:
        """What was made of a snapshot, when it was asked for the first time.

        Raises SnapshotError when the snapshot cannot be read.
        """
        if snapshot not in self._made:
            self._made[snapshot] = self._make(snapshot)
        return self._made[snapshot]
