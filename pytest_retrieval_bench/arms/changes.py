"""What differs between two snapshots of a repository: what an index must be told to be brought up to date."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from blake3 import blake3

from pytest_retrieval_bench.snapshots.snapshot import Snapshot

Contents = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from the snapshot at the commit `since`: files that are new or have new content, and files gone.

    Both stand in the order of the paths.
    """

    since: str
    changed: tuple[str, ...]
    deleted: tuple[str, ...]


def contents(snapshot: Snapshot) -> Contents:
    """A digest of each file, by path.

    Raises SnapshotError when the snapshot cannot be read.
    """
    return {path: blake3(snapshot.read(path)).digest() for path in snapshot.paths}


def changes_since(commit: str, before: Contents, now: Contents) -> Changes:
    """What differs between the contents at a commit and those of now."""
    changed = sorted(path for path, digest in now.items() if before.get(path) != digest)
    return Changes(commit, tuple(changed), tuple(sorted(before.keys() - now.keys())))
