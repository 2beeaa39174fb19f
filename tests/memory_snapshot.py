"""A snapshot that a test makes from a dictionary."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_retrieval_bench.snapshots.snapshot import Snapshot


class MemorySnapshot(Snapshot):
    """Path -> content."""

    def __init__(self, tree: Mapping[str, bytes], repo: str = "acme/memory", commit: str = "0" * 40) -> None:
        super().__init__(repo, commit, "memory")
        self._tree = dict(sorted(tree.items()))

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(self._tree)

    def size(self, path: str) -> int | None:
        content = self._tree.get(path)
        return None if content is None else len(content)

    def read(self, path: str) -> bytes:
        return self._tree[path]
